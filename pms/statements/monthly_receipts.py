"""What arrived month by month for buildings, added up by the database where that is plain.

An entry is plain when everything on it was posted with its issue, it was paid within one month
and it was neither voided nor taken over: then the month received the smaller of what was paid and
what it bills beside deposits. The few others are named, and the rules tell their months.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Subquery, case, func, literal, null, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.month_text import month_text
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.ledger.opening import is_income
from pms.reservations.models import Reservation
from pms.rules.days import month_last
from pms.workspaces.queries import counters

_Other = aliased(LedgerEntry)


class MonthlyReceipts(NamedTuple):
    """Whole yen of plain entries by building and month, and the ids of the entries that are not."""

    yen: Mapping[str, Mapping[date, int]]
    not_plain: Sequence[str]


_RECEIPTS: Final = KeptAnswers()


def monthly_receipts(session: Session, building_ids: Sequence[str]) -> MonthlyReceipts:
    """Return what every month received, in one question over all entries (Owner; Deposit 1).

    While neither the ledger nor who lives where changes, it is told again without asking.
    """
    # Which building an entry belongs to hangs on units and reservations.
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    asked = tuple(sorted(building_ids))
    return _RECEIPTS.answer(session, asked, state, lambda: _asked(session, building_ids))


def _asked(session: Session, building_ids: Sequence[str]) -> MonthlyReceipts:
    yen: defaultdict[str, defaultdict[date, int]] = defaultdict(lambda: defaultdict(int))
    not_plain: list[str] = []
    for building_id, month, entry_id, received_yen in session.execute(_received(building_ids)):
        if entry_id is None:
            yen[building_id][date.fromisoformat(f"{month}-01")] += int(received_yen)
        else:
            not_plain.append(entry_id)
    return MonthlyReceipts(yen, not_plain)


def paid_in_month(building_ids: Sequence[str], month_on: date) -> Select[str]:
    """Return the question which entries something was paid on, or taken back from, in a month."""
    return (
        select(Allocation.entry_id)
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == Allocation.workspace_id)
            & (LedgerEntry.id == Allocation.entry_id),
        )
        .where(
            is_income(),
            Allocation.allocated_on.between(month_on, month_last(month_on)),
            _is_in(LedgerEntry.reservation_id, building_ids),
        )
        .distinct()
    )


def _received(building_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    entry = _paid_entries()
    plain_yen = case(
        (entry.c.paid_yen < entry.c.payable_yen, entry.c.paid_yen), else_=entry.c.payable_yen
    )
    month = month_text(entry.c.last_on)
    is_plain = (
        entry.c.payable_yen.is_not(None)
        & (entry.c.payable_yen >= 0)
        & (entry.c.paid_yen >= 0)
        & (entry.c.first_on >= entry.c.issued_on)
        & (month_text(entry.c.first_on) == month)
        & entry.c.id.not_in(_named(_Other.opposes_id))
        & entry.c.id.not_in(_named(_Other.arrears_of_id))
    )
    # One group for each month of the plain entries, and one for every other entry.
    named = case((is_plain, null()), else_=entry.c.id)
    return (
        select(Unit.building_id, month, named, func.sum(plain_yen))
        .select_from(entry)
        .join(Reservation, Reservation.id == entry.c.reservation_id)
        .join(
            Unit,
            (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id),
        )
        .where(
            Unit.building_id.in_(list(building_ids)),
            entry.c.id.not_in(select(_Other.id).where(_Other.opposes_id.is_not(None))),
        )
        .group_by(Unit.building_id, month, named)
    )


def _paid_entries() -> Subquery:
    """Every entry that anything was paid on, in the order of an index, so that nothing is sorted."""
    entry = (LedgerEntry.reservation_id, LedgerEntry.id, LedgerEntry.issued_on)
    return (
        select(
            *entry,
            func.sum(Allocation.amount_yen).label("paid_yen"),
            func.min(Allocation.allocated_on).label("first_on"),
            func.max(Allocation.allocated_on).label("last_on"),
            _payable_yen().label("payable_yen"),
        )
        .join(
            Allocation,
            (Allocation.workspace_id == LedgerEntry.workspace_id)
            & (Allocation.entry_id == LedgerEntry.id),
        )
        .where(is_income())
        .group_by(LedgerEntry.workspace_id, *entry)
        .subquery()
    )


def _payable_yen() -> Any:
    """What an entry bills beside deposits; NULL when a line was posted after its issue."""
    is_plain = func.max(LedgerLine.posted_on) <= LedgerEntry.issued_on
    yen = func.sum(case((LedgerLine.is_deposit, literal(0)), else_=LedgerLine.amount_yen))
    return (
        select(case((is_plain, yen), else_=null()))
        .where(
            LedgerLine.workspace_id == LedgerEntry.workspace_id,
            LedgerLine.entry_id == LedgerEntry.id,
        )
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


def _named(column: Any) -> Select[*tuple[Any, ...]]:
    return select(column).where(column.is_not(None))


def _is_in(reservation_id: Any, building_ids: Sequence[str]) -> ColumnElement[bool]:
    of_buildings = (
        select(Reservation.id)
        .join(
            Unit,
            (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id),
        )
        .where(Unit.building_id.in_(list(building_ids)))
    )
    found: ColumnElement[bool] = reservation_id.in_(of_buildings)
    return found
