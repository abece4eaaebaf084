"""One ledger entry's figures on a day: unpaid, overpaid, and deposit collected."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple


class EntryPosting(NamedTuple):
    """Lines posted to an entry on one day, summed in whole yen; a credit is negative."""

    on: date
    payable_yen: int
    deposit_yen: int = 0


class EntryPayment(NamedTuple):
    """Whole yen paid on an entry on a day; money taken back is negative."""

    on: date
    yen: int


class ArrearsOf(NamedTuple):
    """The entry whose shortfall an arrears charge collects, and the yen it took over."""

    entry_id: str
    cancelled_yen: int


@dataclass(frozen=True, slots=True)
class EntryHistory:
    """The history of one entry; it is issued with its first posting."""

    id: str
    due_on: date
    postings: tuple[EntryPosting, ...]
    payments: tuple[EntryPayment, ...] = ()
    arrears_of: ArrearsOf | None = None
    voided_on: date | None = None


@dataclass(frozen=True, slots=True)
class EntryBalance:
    """The figures of an entry on a day, in whole yen.

    `cancelled_yen` is what arrears charges have taken over of it. Payments fill the payable lines
    first and the deposit last, so a deposit is held only when the rest is paid.
    """

    id: str
    due_on: date
    payable_yen: int
    deposit_yen: int = 0
    paid_yen: int = 0
    cancelled_yen: int = 0
    is_voided: bool = False

    @property
    def unpaid_yen(self) -> int:
        """Unpaid rent and charges; an unpaid deposit line is no debt (Deposit 2)."""
        return max(-self._surplus_yen, 0)

    @property
    def collected_yen(self) -> int:
        """Deposit collected: the payments left after the payable lines (Deposit 1)."""
        return min(max(self._surplus_yen, 0), self.deposit_yen)

    @property
    def overpaid_yen(self) -> int:
        """Payments above everything the entry bills (Deposit 2)."""
        return max(self._surplus_yen - self.deposit_yen, 0)

    @property
    def open_yen(self) -> int:
        """What a payment can still pay, including the deposit line (Deposit 1)."""
        return self.unpaid_yen + self.deposit_yen - self.collected_yen

    @property
    def is_credit(self) -> bool:
        """Whether it gives more than it bills: the part not yet set off counts as overpaid."""
        return self.payable_yen + self.deposit_yen < 0

    @property
    def _surplus_yen(self) -> int:
        return self.paid_yen - (self.payable_yen - self.cancelled_yen)


def standings_on(entries: Iterable[EntryHistory], on: date) -> tuple[EntryBalance, ...]:
    """Return the figures at the end of a day of all entries issued by then (Deposit 2).

    A voided entry bills nothing, so payments on it are overpaid; a voided arrears charge restores
    the shortfall.
    """
    issued = [entry for entry in entries if min(entry.postings).on <= on]
    cancelled: dict[str, int] = {}
    for entry in issued:
        if entry.arrears_of is not None and not _is_voided(entry, on):
            before = cancelled.get(entry.arrears_of.entry_id, 0)
            cancelled[entry.arrears_of.entry_id] = before + entry.arrears_of.cancelled_yen
    return tuple(_build_standing(entry, on, cancelled.get(entry.id, 0)) for entry in issued)


def _build_standing(entry: EntryHistory, on: date, cancelled_yen: int) -> EntryBalance:
    is_voided = _is_voided(entry, on)
    posted = [] if is_voided else [posting for posting in entry.postings if posting.on <= on]
    return EntryBalance(
        id=entry.id,
        due_on=entry.due_on,
        payable_yen=sum(posting.payable_yen for posting in posted),
        deposit_yen=sum(posting.deposit_yen for posting in posted),
        paid_yen=sum(payment.yen for payment in entry.payments if payment.on <= on),
        cancelled_yen=0 if is_voided else cancelled_yen,
        is_voided=is_voided,
    )


def _is_voided(entry: EntryHistory, on: date) -> bool:
    return entry.voided_on is not None and entry.voided_on <= on
