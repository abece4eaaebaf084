"""The screening of an applicant, and when their contract may be sent."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class ScreeningState(StrEnum):
    """How far the screening of an applicant is."""

    RECEIVED = "received"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


SCREENING_CHANGES: Final[Mapping[ScreeningState, frozenset[ScreeningState]]] = {
    ScreeningState.RECEIVED: frozenset({ScreeningState.IN_REVIEW, ScreeningState.WITHDRAWN}),
    ScreeningState.IN_REVIEW: frozenset(
        {ScreeningState.APPROVED, ScreeningState.DECLINED, ScreeningState.WITHDRAWN}
    ),
    ScreeningState.APPROVED: frozenset({ScreeningState.WITHDRAWN}),
    ScreeningState.DECLINED: frozenset(),
    ScreeningState.WITHDRAWN: frozenset(),
}
"""The states that may follow each state; the applicant withdraws, the office decides the others."""

_NEVER_SENT: Final = frozenset({ScreeningState.DECLINED, ScreeningState.WITHDRAWN})


def may_change_screening(state: ScreeningState, to: ScreeningState) -> bool:
    """Whether a screening may change to another state."""
    return to in SCREENING_CHANGES[state]


def may_send_contract(state: ScreeningState | None, *, screening_before_contract: bool) -> bool:
    """Whether a contract may be sent to an applicant; None was never screened.

    To a declined or withdrawn applicant never; the others wait for the approval where the
    workspace screens before its contracts.
    """
    if state in _NEVER_SENT:
        return False
    return state is ScreeningState.APPROVED or not screening_before_contract
