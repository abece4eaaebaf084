"""The money of a building as it moved: what owner statements are worked out from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple, TypeAlias, TypeVarTuple

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.deposits.models import DeductionRow, Settlement
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.days import month_first
from pms.rules.enumerations import EntryKind, FeeCategory
from pms.rules.ledger_entries import Payment
from pms.rules.owner_income import BilledMoney, CategoryPosting, monthly_income

KEPT_DEPOSIT = "kept_deposit"

_Columns = TypeVarTuple("_Columns")
_Entry: TypeAlias = Row[str, str, str | None, int, date, date]


class IncomePlace(NamedTuple):
    """Where income belongs: the unit, and what it was billed for."""

    unit: str
    category: str


def building_income(session: Session, building_id: str) -> Mapping[date, Mapping[IncomePlace, int]]:
    """Return the income of each month of a building, by unit and category, in five questions."""
    income: defaultdict[date, defaultdict[IncomePlace, int]] = defaultdict(lambda: defaultdict(int))
    for unit, entry in _entries(session, building_id):
        for month_on, by_category in monthly_income(entry).items():
            for category, yen in by_category.items():
                income[month_on][IncomePlace(unit, category.value)] += yen
    for unit, settled_on, yen in session.execute(_kept_deposits(building_id)):
        income[month_first(settled_on)][IncomePlace(unit, KEPT_DEPOSIT)] += int(yen)
    return income


def _entries(session: Session, building_id: str) -> list[tuple[str, BilledMoney]]:
    entries = session.execute(_entries_of(building_id)).all()
    postings, payments = _postings(session, building_id), _payments(session, building_id)
    taken_over = _taken_over(entries)
    return [
        (
            unit,
            BilledMoney(
                postings=tuple(postings.get(entry_id, ())),
                payments=tuple(payments.get(entry_id, ())),
                taken_over=tuple(taken_over.get(entry_id, ())),
                voided_on=voided_on,
            ),
        )
        for entry_id, unit, _, _, _, voided_on in entries
    ]


def _taken_over(entries: Iterable[_Entry]) -> Mapping[str, list[Payment]]:
    """What arrears charges cancel of the entries they name, and give back when they are voided."""
    parts: defaultdict[str, list[Payment]] = defaultdict(list)
    for _, _, arrears_of_id, cancelled_yen, issued_on, voided_on in entries:
        if arrears_of_id is not None:
            parts[arrears_of_id].append(Payment(issued_on, cancelled_yen))
            if voided_on is not None:
                parts[arrears_of_id].append(Payment(voided_on, -cancelled_yen))
    return parts


def _postings(session: Session, building_id: str) -> Mapping[str, list[CategoryPosting]]:
    found: defaultdict[str, list[CategoryPosting]] = defaultdict(list)
    asked = select(
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        LedgerLine.category,
        func.sum(LedgerLine.amount_yen),
    ).join(
        LedgerEntry,
        (LedgerEntry.workspace_id == LedgerLine.workspace_id)
        & (LedgerEntry.id == LedgerLine.entry_id),
    )
    for entry_id, on, category, yen in session.execute(
        _in_building(asked, building_id)
        .where(LedgerLine.is_deposit.is_(False))
        .group_by(LedgerLine.entry_id, LedgerLine.posted_on, LedgerLine.category)
    ):
        found[entry_id].append(CategoryPosting(on, FeeCategory(category), int(yen)))
    return found


def _payments(session: Session, building_id: str) -> Mapping[str, list[Payment]]:
    found: defaultdict[str, list[Payment]] = defaultdict(list)
    asked = select(
        Allocation.entry_id, Allocation.allocated_on, func.sum(Allocation.amount_yen)
    ).join(
        LedgerEntry,
        (LedgerEntry.workspace_id == Allocation.workspace_id)
        & (LedgerEntry.id == Allocation.entry_id),
    )
    for entry_id, on, yen in session.execute(
        _in_building(asked, building_id).group_by(Allocation.entry_id, Allocation.allocated_on)
    ):
        found[entry_id].append(Payment(on, int(yen)))
    return found


def _entries_of(building_id: str) -> Select[str, str, str | None, int, date, date]:
    opposite = aliased(LedgerEntry)
    asked = select(
        LedgerEntry.id,
        Unit.name,
        LedgerEntry.arrears_of_id,
        LedgerEntry.cancelled_yen,
        LedgerEntry.issued_on,
        opposite.issued_on,
    ).outerjoin(
        opposite,
        (opposite.workspace_id == LedgerEntry.workspace_id)
        & (opposite.opposes_id == LedgerEntry.id),
    )
    return _in_building(asked, building_id).where(LedgerEntry.kind != EntryKind.OPPOSITE)


def _kept_deposits(building_id: str) -> Select[str, date, int]:
    """What settlements kept of deposits for deductions; what was netted is in the entries."""
    asked = (
        select(Unit.name, Settlement.settled_on, func.sum(DeductionRow.reached_yen))
        .join(
            Settlement,
            (Settlement.workspace_id == DeductionRow.workspace_id)
            & (Settlement.id == DeductionRow.settlement_id),
        )
        .where(DeductionRow.reached_yen > 0)
        .group_by(Unit.name, Settlement.settled_on)
    )
    return _of_reservation(asked, Settlement, building_id)


def _in_building(asked: Select[*_Columns], building_id: str) -> Select[*_Columns]:
    return _of_reservation(asked, LedgerEntry, building_id)


def _of_reservation(
    asked: Select[*_Columns], row: type[LedgerEntry] | type[Settlement], building_id: str
) -> Select[*_Columns]:
    return (
        asked.join(
            Reservation,
            (Reservation.workspace_id == row.workspace_id) & (Reservation.id == row.reservation_id),
        )
        .join(
            Unit,
            (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id),
        )
        .where(Unit.building_id == building_id)
    )
