"""How an enquiry moves on: from new over answered, viewing and offered to won or lost, and back."""

from collections.abc import Mapping
from typing import Final

from pms.rules.enumerations import EnquiryState

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
    """The states an enquiry may be moved to by hand; a closed one only opens again."""
    return _NEXT[state]


def may_move(state: EnquiryState, into: EnquiryState) -> bool:
    """Whether an enquiry may be moved from one state into another."""
    return into in _NEXT[state]


def reached(state: EnquiryState, step: EnquiryState) -> EnquiryState:
    """The state after a deed that is a step of its own: an answer, a viewing, an offer.

    It only ever leads on, and a closed enquiry stays closed until somebody opens it again.
    """
    if state in CLOSED or step in CLOSED:
        return state
    return max(state, step, key=OPEN.index)


def reopened(*, was_answered: bool) -> EnquiryState:
    """The state of a closed enquiry that is opened again."""
    return _ANSWERED if was_answered else _NEW
