"""The filters of the leads, as they stand in their address."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.enquiries.lead_list import LeadSearch, NamedPosition
from pms.rules.channel_words import LeadState
from pms.rules.lead_steps import OPEN
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.reader_choice import chosen_language

_OPEN: Final = "open"
_TO_ANSWER: Final = "to_answer"


class LeadsForm(Form):
    """Which leads: the state stands in the tabs, without one all that are open."""

    state = ChoiceField(_("State"), [Optional()])
    search = TextField(_("Name, address, phone, words"), [Optional()])
    positionId = ChoiceField(_("Position"), [Optional()])

    def offer(self, positions: Iterable[NamedPosition]) -> None:
        """Give the filters their choices."""
        language = chosen_language()
        named = [(one.id, one.title.said(language) or "") for one in positions]
        both = ((_OPEN, str(_("All open"))), (_TO_ANSWER, str(_("To answer"))))
        self.state.choices = [*both, *choices(LeadState)]
        self.positionId.choices = [("", str(_("All"))), *named]

    @property
    def is_narrowed(self) -> bool:
        """Whether anything besides the state hides leads."""
        return bool(self.search.data or self.positionId.data)

    @property
    def narrowing(self) -> Mapping[str, str]:
        """What an address carries to keep the filters while the state changes."""
        return {each.name: each.data for each in self if each.data and each is not self.state}

    @property
    def wanted(self) -> LeadSearch:
        """What a valid form asks for."""
        return LeadSearch(
            states=self._states,
            is_to_answer=self.state.data == _TO_ANSWER,
            position_id=self.positionId.data or None,
            text=self.search.data or "",
        )

    @property
    def _states(self) -> Sequence[LeadState]:
        chosen = self.state.data or _OPEN
        return OPEN if chosen in (_OPEN, _TO_ANSWER) else (LeadState(chosen),)
