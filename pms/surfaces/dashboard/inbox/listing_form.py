"""The filters of the inbox, as they stand in its address."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.channels.inbox_list import InboxSearch
from pms.enquiries.office_people import OfficePerson
from pms.rules.channel_words import Channel, ConversationState
from pms.rules.enumerations import TicketSide
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField

_NOBODY: Final = "nobody"


class ListingForm(Form):
    """Which conversations: open or done, whose turn, by which channel, whose, with which words."""

    state = ChoiceField(_("State"), [Optional()], choices=choices(ConversationState))
    awaits = ChoiceField(_("Whose turn"), [Optional()], choices=choices(TicketSide))
    search = TextField(_("Name, unit or words"), [Optional()])
    channel = ChoiceField(_("Channel"), [Optional()])
    assigneeId = ChoiceField(_("Answered by"), [Optional()])

    def offer(self, people: Iterable[OfficePerson], own_id: str) -> None:
        """Give the form the channels and the people of the office, oneself first."""
        self.channel.choices = [("", str(_("Any channel"))), *choices(Channel)]
        others = [(one.person_id, one.name) for one in people if one.person_id != own_id]
        self.assigneeId.choices = [
            ("", str(_("Anybody"))),
            (own_id, str(_("Me"))),
            (_NOBODY, str(_("Nobody yet"))),
            *others,
        ]

    @property
    def wanted(self) -> InboxSearch:
        """What a valid form asks for; without a word, what is open."""
        whose = self.assigneeId.data or ""
        return InboxSearch(
            state=ConversationState(self.state.data or ConversationState.OPEN),
            awaits=TicketSide(self.awaits.data) if self.awaits.data else None,
            channel=Channel(self.channel.data) if self.channel.data else None,
            assignee_id=whose if whose not in ("", _NOBODY) else None,
            is_nobodys=whose == _NOBODY,
            text=self.search.data or "",
        )

    @property
    def narrowing(self) -> Mapping[str, Any]:
        """What narrows the list beside its tab."""
        narrowed = (self.search, self.channel, self.assigneeId)
        return {one.name: one.data for one in narrowed if one.data}
