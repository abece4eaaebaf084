"""States of entries and the debts of the whole workspace, with few queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, literal, or_, select, union
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import LEDGER, KeptAnswers
from pms.ledger.entry_histories import histories_of_entries
from pms.ledger.models import (
    EntryTotal,
    LedgerEntry,
)
from pms.reservations.models import Reservation
from pms.rules.ledger_entries import (
    EntryBalance,
    EntryHistory,
    EntryPayment,
    EntryPosting,
    standings_on,
)
from pms.workspaces.queries import counters


class EntryState(StrEnum):
    """The state of one bill."""

    VOIDED = "voided"
    CREDIT = "credit"
    SET_OFF = "set_off"
    OVERPAID = "overpaid"
    PAID = "paid"
    NOTHING_TO_PAY = "nothing_to_pay"
    OVERDUE = "overdue"
    PARTLY_PAID = "partly_paid"
    OPEN = "open"


def entry_state(standing: EntryBalance, on: date) -> EntryState:
    """Return the state of an entry on a day; the deposit line counts as payable."""
    if standing.is_voided:
        return EntryState.VOIDED
    if standing.is_credit:
        return EntryState.CREDIT if standing.overpaid_yen else EntryState.SET_OFF
    if standing.overpaid_yen:
        return EntryState.OVERPAID
    if not standing.open_yen:
        return EntryState.PAID if standing.paid_yen else EntryState.NOTHING_TO_PAY
    if standing.due_on < on:
        return EntryState.OVERDUE
    return EntryState.PARTLY_PAID if standing.paid_yen else EntryState.OPEN


# Nearly all entries are paid to the yen; such an entry holds its deposit and owes nothing. The
# totals in the database find the others (docs/decisions/ledger.md), and each of those goes
# through `pms.rules.ledger_entries`, so that the rules are implemented once.


class PartedEntries(NamedTuple):
    """The entries of a day by reservation.

    `collected_yen` is the deposit held by entries paid to the yen; `standings` are all other
    entries.
    """

    collected_yen: Mapping[str, int]
    standings: Mapping[str, tuple[EntryBalance, ...]]


_UNSETTLED: Final = KeptAnswers()
_ZERO: Final = literal(0, literal_execute=True)
"""A literal, because a partial index is chosen only for the very text of its condition."""


def parted_entries(session: Session, on: date) -> PartedEntries:
    """Return the entries of a workspace at the end of a day (Deposit 1, 2)."""
    collected = {id_: int(yen) for id_, yen in session.execute(_select_collected(on))}
    return PartedEntries(collected, unsettled_standings(session, on))


def unsettled_standings(session: Session, on: date) -> Mapping[str, tuple[EntryBalance, ...]]:
    """Return the entries not paid to the yen at the end of a day, by reservation.

    The result of a day is cached until the ledger changes.
    """
    state = counters(session, LEDGER)
    return _UNSETTLED.answer(session, on, state, lambda: _unsettled_standings(session, on))


def unsettled_standings_of(
    session: Session, on: date, reservation_ids: Collection[str]
) -> Mapping[str, tuple[EntryBalance, ...]]:
    """Return the entries of some reservations not paid to the yen at the end of a day."""
    named = (LedgerEntry.opposes_id, LedgerEntry.arrears_of_id)
    found = session.execute(
        select(*_COLUMNS, LedgerEntry.issued_on, *named)
        .join(EntryTotal, refers_to(EntryTotal.id, LedgerEntry))
        .where(
            one_of(LedgerEntry.reservation_id, reservation_ids),
            or_(_IS_OPEN, EntryTotal.last_on > on, *(column.is_not(None) for column in named)),
        )
    )
    # Sorted here: with ORDER BY, SQLite would read every entry by its day.
    rows = sorted(found, key=lambda row: (row.issued_on, row.id))
    # An entry names only entries of its own reservation.
    several: set[str] = set()
    for row in rows:
        of_row = {id_ for id_ in (row.opposes_id, row.arrears_of_id) if id_ is not None}
        several |= of_row
        if of_row or row.last_on > on:
            several.add(row.id)
    alone = [row[: len(_COLUMNS)] for row in rows if row.id not in several]
    return _read_standings(session, on, alone, several)


def _unsettled_standings(session: Session, on: date) -> Mapping[str, tuple[EntryBalance, ...]]:
    ids = session.scalars(
        union(select(EntryTotal.id).where(EntryTotal.last_on > on), *_of_several())
    ).all()
    return _read_standings(session, on, session.execute(_open_by(on)), ids)


def _read_standings(
    session: Session, on: date, alone: Iterable[Sequence[Any]], others: Collection[str]
) -> Mapping[str, tuple[EntryBalance, ...]]:
    """Return the entries of a day: by their totals where they are alone, else by all their rows."""
    found: defaultdict[str, list[EntryHistory]] = defaultdict(list)
    for reservation_id, id_, due_on, last_on, billed_yen, deposit_yen, paid_yen in alone:
        posting = EntryPosting(last_on, billed_yen - deposit_yen, deposit_yen)
        history = EntryHistory(id_, due_on, (posting,), (EntryPayment(last_on, paid_yen),))
        found[reservation_id].append(history)
    of_others = histories_of_entries(session, others) if others else {}
    for reservation_id, histories in of_others.items():
        found[reservation_id] += histories
    standings = ((id_, standings_on(entries, on)) for id_, entries in found.items())
    return {id_: issued for id_, issued in standings if issued}


# A negative deposit may be a debt, which only the rules can decide.
_IS_OPEN: Final = (EntryTotal.billed_yen != EntryTotal.paid_yen) | (EntryTotal.deposit_yen < _ZERO)
_COLUMNS: Final = (
    EntryTotal.reservation_id,
    EntryTotal.id,
    LedgerEntry.due_on,
    EntryTotal.last_on,
    EntryTotal.billed_yen,
    EntryTotal.deposit_yen,
    EntryTotal.paid_yen,
)


def _open_by(on: date) -> Select[*tuple[Any, ...]]:
    """Return the query of entries not paid to the yen, with the totals the rules need."""
    return (
        select(*_COLUMNS)
        .join(LedgerEntry, LedgerEntry.id == EntryTotal.id)
        .where(
            _IS_OPEN,
            # Written so that the index of open entries is chosen, not that of days.
            func.coalesce(EntryTotal.last_on, on) <= on,
            EntryTotal.id.not_in(union(*_of_several())),
        )
        .order_by(LedgerEntry.issued_on, EntryTotal.id)
    )


def _select_collected(on: date) -> Select[str, int]:
    """Return the query of the deposit held by entries paid to the yen by the day."""
    is_alone = EntryTotal.id.not_in(union(*_of_several()))
    is_settled = (EntryTotal.billed_yen == EntryTotal.paid_yen) & (EntryTotal.last_on <= on)
    return (
        select(EntryTotal.reservation_id, func.sum(EntryTotal.deposit_yen))
        # Both conditions: the index has those not equal to 0, and negative ones are left to the
        # rules.
        .where(EntryTotal.deposit_yen != _ZERO, EntryTotal.deposit_yen > 0, is_settled, is_alone)
        .group_by(EntryTotal.reservation_id)
    )


def _of_several() -> Sequence[Select[*tuple[Any, ...]]]:
    """Return the queries of voided entries and arrears charges, and of the entries they name."""
    opposes, arrears_of = LedgerEntry.opposes_id, LedgerEntry.arrears_of_id
    return (
        select(LedgerEntry.id).where(opposes.is_not(None)),
        select(opposes).where(opposes.is_not(None)),
        select(LedgerEntry.id).where(arrears_of.is_not(None)),
        select(arrears_of).where(arrears_of.is_not(None)),
    )


class DebtAge(StrEnum):
    """How long ago an unpaid bill was due."""

    NOT_DUE = "not_due"
    DAYS_1_30 = "days_1_30"
    DAYS_31_60 = "days_31_60"
    DAYS_61_90 = "days_61_90"
    OVER_90 = "over_90"


_LAST_DAYS = (
    (DebtAge.NOT_DUE, 0),
    (DebtAge.DAYS_1_30, 30),
    (DebtAge.DAYS_31_60, 60),
    (DebtAge.DAYS_61_90, 90),
)


def debt_age(due_on: date, on: date) -> DebtAge:
    """Return the age of a debt on a day; on its due day it is not late yet."""
    days = (on - due_on).days
    return next((age for age, last in _LAST_DAYS if days <= last), DebtAge.OVER_90)


@dataclass(slots=True)
class Debt:
    """The unpaid amounts of one reservation on a day, in whole yen by age.

    `overpaid_yen` is on other entries of the same reservation. `overdue_yen_days` adds up each
    overdue amount times its days since it was due: what weighs most is asked for first.
    """

    reservation_id: str
    by_age: dict[DebtAge, int] = field(default_factory=lambda: dict.fromkeys(DebtAge, 0))
    oldest_due_on: date = date.max
    overpaid_yen: int = 0
    entries: int = 0
    overdue_yen_days: int = 0

    @property
    def unpaid_yen(self) -> int:
        """Everything issued and unpaid, due or not."""
        return sum(self.by_age.values())

    @property
    def overdue_yen(self) -> int:
        """What was due before the day."""
        return self.unpaid_yen - self.by_age[DebtAge.NOT_DUE]


class Overdue(NamedTuple):
    """The number of reservations with overdue bills, and their total in yen."""

    total: int
    yen: int


class _Debts(NamedTuple):
    all: Sequence[Debt]
    overdue: Overdue


_DEBTS: Final = KeptAnswers(most=4)


def debts(session: Session, on: date, building_id: str | None = None) -> Sequence[Debt]:
    """Return the reservations with unpaid bills at the end of a day, longest overdue first.

    Of the whole workspace, or of the units of one building. Only entries that are not paid to the
    yen go through the rules; the others owe nothing.
    """
    found = _all_debts(session, on).all
    if building_id is None:
        return found
    asked = select(Reservation.id).join(Reservation.unit).where(Unit.building_id == building_id)
    lived_there = set(session.scalars(asked))
    return [debt for debt in found if debt.reservation_id in lived_there]


def overdue(session: Session, on: date) -> Overdue:
    """Return the overdue part of a workspace's debts on a day."""
    return _all_debts(session, on).overdue


def _all_debts(session: Session, on: date) -> _Debts:
    state = counters(session, LEDGER)
    return _DEBTS.answer(session, on, state, lambda: _add_up(_read_debts(session, on)))


def _add_up(found: Sequence[Debt]) -> _Debts:
    late = [debt.overdue_yen for debt in found if debt.overdue_yen > 0]
    return _Debts(found, Overdue(len(late), sum(late)))


def _read_debts(session: Session, on: date) -> Sequence[Debt]:
    standings = unsettled_standings(session, on)
    found = (_sum_debt(id_, standings[id_], on) for id_ in standings)
    owing = [debt for debt in found if debt.unpaid_yen]
    return sorted(owing, key=lambda debt: (debt.oldest_due_on, debt.reservation_id))


def debt_totals(found: Iterable[Debt]) -> Mapping[DebtAge, int]:
    """Return the yen of each age, over all reservations."""
    totals: defaultdict[DebtAge, int] = defaultdict(int)
    for debt in found:
        for age, yen in debt.by_age.items():
            totals[age] += yen
    return {age: totals[age] for age in DebtAge}


def _sum_debt(reservation_id: str, standings: Iterable[EntryBalance], on: date) -> Debt:
    debt = Debt(reservation_id)
    for standing in standings:
        debt.overpaid_yen += standing.overpaid_yen
        if standing.unpaid_yen:
            debt.by_age[debt_age(standing.due_on, on)] += standing.unpaid_yen
            debt.oldest_due_on = min(debt.oldest_due_on, standing.due_on)
            debt.entries += 1
            debt.overdue_yen_days += standing.unpaid_yen * max((on - standing.due_on).days, 0)
    return debt
