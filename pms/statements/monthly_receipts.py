"""Money received in a month."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Subquery, case, func, literal, null, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.foundation.mail_texts import month_text
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.ledger.opening import is_income
from pms.reservations.models import Reservation
from pms.rules.days import Days, month_last
from pms.rules.enumerations import EntryKind
from pms.workspaces.queries import counters

# An entry is plain when all its lines were posted with its issue, it was paid within one month and
# it was neither voided nor charged as arrears: then the month received the smaller of its payments
# and its lines without deposits. The other entries are returned by id, and the rules find their
# months.
_Other = aliased(LedgerEntry)


class MonthlyReceipts(NamedTuple):
    """The yen of plain entries by building and month, and the ids of all other entries."""

    yen: Mapping[str, Mapping[date, int]]
    not_plain: Sequence[str]


_RECEIPTS: Final = KeptAnswers()


def monthly_receipts(
    session: Session, building_ids: Sequence[str], leases: Mapping[str, Sequence[Days]]
) -> MonthlyReceipts:
    """Return the income of every month, in one query over all entries (Owner; Deposit 1).

    While neither the ledger nor the stays change, a cached result is returned.
    """
    # The building of an entry depends on units and reservations.
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    asked = tuple(sorted(building_ids))
    return _RECEIPTS.answer(
        session, asked, state, lambda: _read_monthly_receipts(session, building_ids, leases)
    )


def _read_monthly_receipts(
    session: Session, building_ids: Sequence[str], leases: Mapping[str, Sequence[Days]]
) -> MonthlyReceipts:
    yen: defaultdict[str, defaultdict[date, int]] = defaultdict(lambda: defaultdict(int))
    not_plain: list[str] = []
    for building_id, month, entry_id, received_yen in session.execute(
        _select_received(building_ids, leases)
    ):
        if entry_id is None:
            yen[building_id][date.fromisoformat(f"{month}-01")] += int(received_yen)
        else:
            not_plain.append(entry_id)
    return MonthlyReceipts(yen, not_plain)


def paid_in_month(building_ids: Sequence[str], month_on: date) -> Select[str]:
    """Return the query of entries with a payment, or a returned one, in a month."""
    return (
        select(Allocation.entry_id)
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(
            is_income(),
            Allocation.allocated_on.between(month_on, month_last(month_on)),
            is_in_buildings(LedgerEntry.reservation_id, building_ids),
        )
        .distinct()
    )


def _select_received(
    building_ids: Sequence[str], leases: Mapping[str, Sequence[Days]]
) -> Select[*tuple[Any, ...]]:
    entry = _paid_entries(building_ids, has_leases=bool(leases))
    plain_yen = case(
        (entry.c.paid_yen < entry.c.payable_yen, entry.c.paid_yen), else_=entry.c.payable_yen
    )
    month = month_text(entry.c.last_on)
    is_plain: ColumnElement[bool] = (
        entry.c.payable_yen.is_not(None)
        & (entry.c.payable_yen >= 0)
        & (entry.c.paid_yen >= 0)
        & (entry.c.first_on >= entry.c.issued_on)
        & (month_text(entry.c.first_on) == month)
        & entry.c.id.not_in(_select_labels(_Other.opposes_id))
        & entry.c.id.not_in(_select_labels(_Other.arrears_of_id))
    )
    asked: ColumnElement[bool] = entry.c.id.not_in(
        select(_Other.id).where(_Other.opposes_id.is_not(None))
    )
    for building_id, days in leases.items():
        for first_on, last_on in days:
            of_building = entry.c.building_id == building_id
            # An arrears charge follows the bill that it collects: the rules decide it.
            is_arrears = entry.c.kind == EntryKind.ARREARS.value
            is_within = (entry.c.first_day >= first_on) & (entry.c.last_day <= last_on)
            touches = (entry.c.last_day >= first_on) & (entry.c.first_day <= last_on)
            asked &= ~(of_building & ~is_arrears & is_within)
            is_plain &= ~(of_building & (is_arrears | touches))
    # One group for each month of the plain entries, and one for every other entry.
    named = case((is_plain, null()), else_=entry.c.id)
    return (
        select(entry.c.building_id, month, named, func.sum(plain_yen))
        .where(asked)
        .group_by(entry.c.building_id, month, named)
    )


def _paid_entries(building_ids: Sequence[str], *, has_leases: bool) -> Subquery:
    """Select every entry of the buildings with payments; with leases, the days that its lines bill.

    The building is joined inside the subquery: without statistics, as after a large import,
    PostgreSQL would otherwise repeat these sums for each reservation.
    """
    entry: tuple[Any, ...] = (Unit.building_id, LedgerEntry.id, LedgerEntry.issued_on)
    days: list[Any] = []
    if has_leases:
        entry = (*entry, LedgerEntry.kind)
        days = [
            _billed_day(func.min, LedgerLine.first_on).label("first_day"),
            _billed_day(func.max, LedgerLine.last_on).label("last_day"),
        ]
    return (
        select(
            *entry,
            func.sum(Allocation.amount_yen).label("paid_yen"),
            func.min(Allocation.allocated_on).label("first_on"),
            func.max(Allocation.allocated_on).label("last_on"),
            _payable_yen().label("payable_yen"),
            *days,
        )
        .join(Allocation, refers_to(Allocation.entry_id, LedgerEntry))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(is_income(), is_in_buildings(LedgerEntry.reservation_id, building_ids))
        .group_by(LedgerEntry.workspace_id, *entry)
        .subquery()
    )


def _billed_day(outermost: Any, line_on: Any) -> Any:
    """Return the first or last day that the lines of an entry bill; without days it is the issue."""
    day = (
        select(outermost(func.coalesce(line_on, LedgerEntry.issued_on)))
        .where(refers_to(LedgerLine.entry_id, LedgerEntry))
        .correlate(LedgerEntry)
        .scalar_subquery()
    )
    return func.coalesce(day, LedgerEntry.issued_on)


def _payable_yen() -> Any:
    """Return the SQL sum of an entry without deposits; NULL when a line was posted after issue."""
    is_plain = func.max(LedgerLine.posted_on) <= LedgerEntry.issued_on
    yen = func.sum(case((LedgerLine.is_deposit, literal(0)), else_=LedgerLine.amount_yen))
    return (
        select(case((is_plain, yen), else_=null()))
        .where(refers_to(LedgerLine.entry_id, LedgerEntry))
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


def _select_labels(column: Any) -> Select[*tuple[Any, ...]]:
    return select(column).where(column.is_not(None))


def is_in_buildings(reservation_id: Any, building_ids: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a column names a stay in one of the buildings."""
    of_buildings = (
        select(Reservation.id)
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(Unit.building_id.in_(list(building_ids)))
    )
    found: ColumnElement[bool] = reservation_id.in_(of_buildings)
    return found
