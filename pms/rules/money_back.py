"""What went back of an online payment, by all that its provider said of it, in whatever order.

A provider says how much of a payment was refunded in all, what became of each refund, and what
became of a dispute. These words come late, twice and in any order; the newest of each counts.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from pms.rules.enumerations import MoneyBackState

DISPUTE_STATES: Final = frozenset(
    {MoneyBackState.OPEN, MoneyBackState.WON, MoneyBackState.LOST, MoneyBackState.CLOSED}
)
"""The states of a dispute; the others are of refunds."""
NOT_REFUNDED: Final = frozenset({MoneyBackState.FAILED, MoneyBackState.CANCELED})
"""The states of a refund that never reached the payer."""
FOR_THE_OFFICE: Final = NOT_REFUNDED | {MoneyBackState.OPEN, MoneyBackState.LOST}
"""The states after which somebody in the office has something to do."""
_FINAL: Final = NOT_REFUNDED | {MoneyBackState.WON, MoneyBackState.LOST, MoneyBackState.CLOSED}


class RefundTotal(NamedTuple):
    """The running total of a payment's refunds in whole yen, as of an instant.

    `is_lower` says that it is lower than the total before it: a refund had failed by then.
    """

    yen: int
    at: datetime
    is_lower: bool


class RefundWord(NamedTuple):
    """One refund in whole yen: when it was made, and when it failed or was canceled, if it did."""

    yen: int
    made_at: datetime | None
    failed_at: datetime | None


class DisputeWord(NamedTuple):
    """One dispute in whole yen, and when its money was withdrawn and given back."""

    yen: int
    state: MoneyBackState
    closed_at: datetime | None
    withdrawn_at: datetime | None
    reinstated_at: datetime | None


def newer_total(known: RefundTotal | None, newer: RefundTotal) -> RefundTotal:
    """Return the total that counts of two.

    Of one second, a total that was lowered counts before one that was raised, the lowest of the
    lowered and the highest of the raised (Ledger entry; Money 4).
    """
    if known is None:
        return newer
    if (known.at, known.is_lower) != (newer.at, newer.is_lower):
        return max(known, newer, key=lambda total: (total.at, total.is_lower))
    return min(known, newer) if newer.is_lower else max(known, newer)


def refunded_yen(total: RefundTotal | None, refunds: Iterable[RefundWord]) -> int:
    """Return what was refunded in whole yen: the newest total with the refunds since.

    Refunds made after the total are added, and refunds that failed after it are taken off. Without
    a total, the refunds themselves are added up (Ledger entry; Money 4).
    """
    yen = total.yen if total else 0
    for refund in refunds:
        is_in_total = total is not None and (refund.made_at is None or refund.made_at <= total.at)
        if refund.failed_at is None:
            yen += 0 if is_in_total else refund.yen
        elif total is not None and is_in_total and _has_failed_since(total, refund.failed_at):
            yen -= refund.yen
    return max(yen, 0)


def _has_failed_since(total: RefundTotal, failed_at: datetime) -> bool:
    # A total that was lowered in the same second knows of the failure.
    return failed_at > total.at or (failed_at == total.at and not total.is_lower)


def disputed_yen(dispute: DisputeWord) -> int:
    """Return what a dispute has taken from the operator in whole yen, so far.

    The provider withdraws it while the dispute is open, at the latest when it is lost, and gives it
    back when it is won (Ledger entry; Money 4).
    """
    if dispute.state is MoneyBackState.WON:
        return 0
    lost_at = dispute.closed_at if dispute.state is MoneyBackState.LOST else None
    taken_at = max(filter(None, (dispute.withdrawn_at, lost_at)), default=None)
    if taken_at is None:
        return 0
    is_given_back = dispute.reinstated_at is not None and dispute.reinstated_at >= taken_at
    return 0 if is_given_back else dispute.yen


def goes_forward(
    known: MoneyBackState, known_at: datetime, newer: MoneyBackState, newer_at: datetime
) -> bool:
    """Whether a state that is told replaces the known one.

    A final state is never left for an open one; otherwise the newer word counts, and of one second
    the later in the order of the states (States).
    """
    order = list(MoneyBackState)
    return (newer in _FINAL, newer_at, order.index(newer)) > (
        known in _FINAL,
        known_at,
        order.index(known),
    )
