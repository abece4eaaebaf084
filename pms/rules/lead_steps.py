"""How somebody who applies moves on: new, in talks, then taken on or declined, and back to talks."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from pms.rules.channel_words import LeadState
from pms.rules.days import add_months

OPEN: Final = (LeadState.NEW, LeadState.IN_TALKS)
CLOSED: Final = (LeadState.TAKEN_ON, LeadState.DECLINED)
KEPT_DECLINED_MONTHS: Final = 12
"""How long what a declined applicant sent is kept: a question about the refusal comes within it."""
_NEXT: Final[Mapping[LeadState, tuple[LeadState, ...]]] = {
    LeadState.NEW: (LeadState.IN_TALKS, LeadState.TAKEN_ON, LeadState.DECLINED),
    LeadState.IN_TALKS: CLOSED,
    LeadState.TAKEN_ON: (LeadState.IN_TALKS,),
    LeadState.DECLINED: (LeadState.IN_TALKS,),
}


def next_lead_states(state: LeadState) -> tuple[LeadState, ...]:
    """The states a lead may be moved to by hand; a closed one only opens again."""
    return _NEXT[state]


def may_move_lead(state: LeadState, into: LeadState) -> bool:
    """Whether a lead may be moved from one state into another."""
    return into in _NEXT[state]


def declined_kept_from(today: date) -> date:
    """Return the first day on which a lead was declined that is still kept today."""
    return add_months(today, -KEPT_DECLINED_MONTHS)
