"""What each month earned by category: issued lines by the days they bill.

The reasons are in docs/decisions/owner-statements.md.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Select,
    String,
    extract,
    func,
    literal,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.deposits.models import DeductionRow, Settlement
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.opening import is_income
from pms.reservations.models import Reservation
from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import EntryKind, FeeCategory
from pms.statements.owner_money import KEPT_DEPOSIT

_Voiding = aliased(LedgerEntry)


@dataclass(frozen=True, slots=True)
class ProfitAndLoss:
    """Whole yen of some months in a row, by category; deposits are none while they are held."""

    months: tuple[date, ...]
    categories: tuple[str, ...]
    yen: Mapping[tuple[date, str], int]

    def of(self, month_on: date, category: str) -> int:
        """Return what a category earned in a month."""
        return self.yen.get((month_on, category), 0)

    def month_yen(self, month_on: date) -> int:
        """Return what a month earned in all."""
        return sum(self.of(month_on, category) for category in self.categories)

    def category_yen(self, category: str) -> int:
        """Return what a category earned in all the months."""
        return sum(self.of(month_on, category) for month_on in self.months)

    @property
    def total_yen(self) -> int:
        """Everything together."""
        return sum(self.yen.values())


def profit_and_loss(
    session: Session, last_month_on: date, months: int = 12, building_id: str | None = None
) -> ProfitAndLoss:
    """Return the months up to one, of all buildings or of one, in one question."""
    last_month_on = month_first(last_month_on)
    wanted = tuple(add_months(last_month_on, back) for back in range(1 - months, 1))
    yen: defaultdict[tuple[date, str], int] = defaultdict(int)
    asked = _earned(wanted[0], month_last(last_month_on), building_id)
    for year, month, category, amount in session.execute(asked):
        yen[(date(int(year), int(month), 1), category)] += int(amount)
    return ProfitAndLoss(wanted, _categories(yen), yen)


def _categories(yen: Mapping[tuple[date, str], int]) -> tuple[str, ...]:
    used = {category for (_, category), amount in yen.items() if amount}
    in_order: Sequence[str] = (*(category.value for category in FeeCategory), KEPT_DEPOSIT)
    return tuple(category for category in in_order if category in used)


def _earned(
    first_on: date, last_on: date, building_id: str | None
) -> CompoundSelect[*tuple[Any, ...]]:
    lines = _lines(first_on, last_on)
    parts = (
        _in_building(lines, LedgerEntry.reservation_id, building_id),
        *(
            _in_building(part, LedgerEntry.reservation_id, building_id)
            for part in _counted_once(first_on, last_on)
        ),
        _in_building(_kept(first_on, last_on), Settlement.reservation_id, building_id),
    )
    return union_all(*parts)


def _lines(first_on: date, last_on: date) -> Select[*tuple[Any, ...]]:
    """Lines of the days they bill, and of the day they were posted where they bill none."""
    # A line never reaches over the end of its month.
    day = func.coalesce(LedgerLine.first_on, LedgerLine.posted_on)
    year, month = _year_and_month(day)
    category = type_coerce(LedgerLine.category, String).label("category")
    return (
        select(year, month, category, func.sum(LedgerLine.amount_yen))
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == LedgerLine.workspace_id)
            & (LedgerEntry.id == LedgerLine.entry_id),
        )
        .where(is_income(), LedgerLine.is_deposit.is_(False), day.between(first_on, last_on))
        .group_by(year, month, LedgerLine.category)
    )


def _counted_once(first_on: date, last_on: date) -> tuple[Select[*tuple[Any, ...]], ...]:
    """What an arrears charge takes over was earned already; voiding the charge gives it back."""
    year, month = _year_and_month(LedgerEntry.issued_on)
    raised = (
        select(year, month, _category(FeeCategory.OTHER), -func.sum(LedgerEntry.cancelled_yen))
        .where(
            is_income(),
            LedgerEntry.kind == EntryKind.ARREARS,
            LedgerEntry.issued_on.between(first_on, last_on),
        )
        .group_by(year, month)
    )
    year, month = _year_and_month(_Voiding.issued_on)
    voided = (
        select(year, month, _category(FeeCategory.OTHER), func.sum(LedgerEntry.cancelled_yen))
        .join(
            _Voiding,
            (_Voiding.workspace_id == LedgerEntry.workspace_id)
            & (_Voiding.opposes_id == LedgerEntry.id),
        )
        .where(
            is_income(),
            LedgerEntry.kind == EntryKind.ARREARS,
            _Voiding.issued_on.between(first_on, last_on),
        )
        .group_by(year, month)
    )
    return raised, voided


def _kept(first_on: date, last_on: date) -> Select[*tuple[Any, ...]]:
    """What settlements kept of deposits for deductions; what they netted was billed before."""
    year, month = _year_and_month(Settlement.settled_on)
    return (
        select(year, month, _category(KEPT_DEPOSIT), func.sum(DeductionRow.reached_yen))
        .join(
            Settlement,
            (Settlement.workspace_id == DeductionRow.workspace_id)
            & (Settlement.id == DeductionRow.settlement_id),
        )
        .where(Settlement.settled_on.between(first_on, last_on))
        .group_by(year, month)
    )


def _year_and_month(day: Any) -> tuple[Any, Any]:
    return extract("year", day), extract("month", day)


def _category(category: str) -> Any:
    return literal(str(category)).label("category")


def _in_building(
    asked: Select[*tuple[Any, ...]], reservation_id: Any, building_id: str | None
) -> Select[*tuple[Any, ...]]:
    if building_id is None:
        return asked
    of_building = (
        select(Reservation.id)
        .join(
            Unit,
            (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id),
        )
        .where(Unit.building_id == building_id)
    )
    return asked.where(reservation_id.in_(of_building))
