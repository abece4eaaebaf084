"""The filters of the enquiries, as they stand in their address."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from flask_babel import lazy_gettext

from pms.catalogue.buildings import NamedBuilding
from pms.enquiries.enquiry_lists import EnquirySearch
from pms.enquiries.leads import OfficePerson
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquirySource, EnquiryState
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.forms import QueryForm
from pms.surfaces.reader_choice import chosen_language

_OPEN: Final = "open"
_TO_ANSWER: Final = "to_answer"
_NOBODY: Final = "nobody"


class InboxForm(QueryForm):
    """Which enquiries: the state stands in the tabs, without one all that are open."""

    state = ChoiceField(lazy_gettext("State"), [Optional()])
    search = TextField(lazy_gettext("Name, address, phone, words"), [Optional()])
    source = ChoiceField(lazy_gettext("Source"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Looked after by"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    unit = TextField(lazy_gettext("Unit"), [Optional()])

    def offer(self, people: Iterable[OfficePerson], buildings: Iterable[NamedBuilding]) -> None:
        """Give the filters their choices."""
        language = chosen_language()
        houses = [(one.id, one.name.said(language) or "") for one in buildings]
        staff = [(one.person_id, one.name) for one in people]
        both = (
            (_OPEN, str(lazy_gettext("All open"))),
            (_TO_ANSWER, str(lazy_gettext("To answer"))),
        )
        self.state.choices = [*both, *choices(EnquiryState)]
        self.source.choices = [("", str(lazy_gettext("All"))), *choices(EnquirySource)]
        nobody = (_NOBODY, str(lazy_gettext("Nobody yet")))
        self.assigneeId.choices = [("", str(lazy_gettext("Everybody"))), nobody, *staff]
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *houses]

    @property
    def is_narrowed(self) -> bool:
        """Whether anything besides the state hides enquiries."""
        narrowing = (self.search, self.source, self.assigneeId, self.buildingId, self.unit)
        return any(each.data for each in narrowing)

    @property
    def narrowing(self) -> Mapping[str, str]:
        """What an address carries to keep the filters while the state changes."""
        return {each.name: each.data for each in self if each.data and each is not self.state}

    @property
    def wanted(self) -> EnquirySearch:
        """What a valid form asks for."""
        who = self.assigneeId.data
        return EnquirySearch(
            states=self._states,
            is_to_answer=self.state.data == _TO_ANSWER,
            source=EnquirySource(self.source.data) if self.source.data else None,
            assignee_id=who if who and who != _NOBODY else None,
            is_nobodys=who == _NOBODY,
            building_id=self.buildingId.data or None,
            unit=self.unit.data or None,
            text=self.search.data or "",
        )

    @property
    def _states(self) -> Sequence[EnquiryState]:
        chosen = self.state.data or _OPEN
        return OPEN if chosen in (_OPEN, _TO_ANSWER) else (EnquiryState(chosen),)
