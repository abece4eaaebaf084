"""The filters of the inbox, as they stand in its address."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import TicketSide, TicketState
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional
from pms.upkeep.tickets import TicketSearch


class InboxForm(Form):
    """Which conversations: those that go on or are closed, those that wait for one side."""

    state = ChoiceField(_("State"), [Optional()], choices=choices(TicketState))
    awaits = ChoiceField(_("Whose turn"), [Optional()], choices=choices(TicketSide))

    @property
    def wanted(self) -> TicketSearch:
        """What a valid form asks for; without a word, what goes on."""
        state = TicketState(self.state.data or TicketState.OPEN)
        awaits = TicketSide(self.awaits.data) if self.awaits.data else None
        return TicketSearch(state, awaits)
