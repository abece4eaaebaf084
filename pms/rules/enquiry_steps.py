"""Steps of enquiries, leads and viewings."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from pms.rules.days import add_months, day_of
from pms.rules.enumerations import EnquiryState, ViewingStatus
from pms.rules.message_words import LeadState

_NEW: Final = EnquiryState.NEW
_ANSWERED: Final = EnquiryState.ANSWERED
_VIEWING: Final = EnquiryState.VIEWING
_OFFERED: Final = EnquiryState.OFFERED
_WON: Final = EnquiryState.WON
_LOST: Final = EnquiryState.LOST

OPEN: Final = (_NEW, _ANSWERED, _VIEWING, _OFFERED)
CLOSED: Final = (_WON, _LOST)
_NEXT: Final[Mapping[EnquiryState, tuple[EnquiryState, ...]]] = {
    _NEW: (_ANSWERED, _VIEWING, _OFFERED, _WON, _LOST),
    _ANSWERED: (_VIEWING, _OFFERED, _WON, _LOST),
    _VIEWING: (_OFFERED, _WON, _LOST),
    _OFFERED: (_VIEWING, _WON, _LOST),
    _WON: OPEN,
    _LOST: OPEN,
}


def next_states(state: EnquiryState) -> tuple[EnquiryState, ...]:
    """The states to which staff may move an enquiry; a closed one can only be reopened."""
    return _NEXT[state]


def may_move(state: EnquiryState, into: EnquiryState) -> bool:
    """Whether an enquiry may be moved from one state into another."""
    return into in _NEXT[state]


def advance_state(state: EnquiryState, step: EnquiryState) -> EnquiryState:
    """The state after an action that is a step of its own: an answer, a viewing, an offer.

    It only moves forward, and a closed enquiry stays closed until staff reopen it.
    """
    if state in CLOSED or step in CLOSED:
        return state
    return max(state, step, key=OPEN.index)


def reopened_state(*, was_answered: bool) -> EnquiryState:
    """The state of a closed enquiry after it is reopened."""
    return _ANSWERED if was_answered else _NEW


OPEN_LEADS: Final = (LeadState.NEW, LeadState.IN_TALKS)
CLOSED_LEADS: Final = (LeadState.TAKEN_ON, LeadState.DECLINED)
KEPT_DECLINED_MONTHS: Final = 12
"""How long a declined applicant's data is kept, for questions about the refusal."""
_NEXT_OF_LEAD: Final[Mapping[LeadState, tuple[LeadState, ...]]] = {
    LeadState.NEW: (LeadState.IN_TALKS, LeadState.TAKEN_ON, LeadState.DECLINED),
    LeadState.IN_TALKS: CLOSED_LEADS,
    LeadState.TAKEN_ON: (LeadState.IN_TALKS,),
    LeadState.DECLINED: (LeadState.IN_TALKS,),
}


def next_lead_states(state: LeadState) -> tuple[LeadState, ...]:
    """The states to which staff may move a lead; a closed one can only be reopened."""
    return _NEXT_OF_LEAD[state]


def may_move_lead(state: LeadState, into: LeadState) -> bool:
    """Whether a lead may be moved from one state into another."""
    return into in _NEXT_OF_LEAD[state]


def declined_kept_from(today: date) -> date:
    """Return the first day of refusals whose leads are still kept today."""
    return add_months(today, -KEPT_DECLINED_MONTHS)


RESULTS: Final = (ViewingStatus.DONE, ViewingStatus.NO_SHOW)
SHORTEST_MINUTES: Final = 10
LONGEST_MINUTES: Final = 240


def may_end(status: ViewingStatus, starts_at: datetime, today: date) -> bool:
    """Whether a result may be recorded: from the day of the viewing in Japan on.

    A result recorded by mistake may be corrected; a cancelled viewing has none.
    """
    return status != ViewingStatus.CANCELLED and day_of(starts_at) <= today


def may_change(status: ViewingStatus) -> bool:
    """Whether a viewing may still be moved or cancelled."""
    return status == ViewingStatus.SCHEDULED
