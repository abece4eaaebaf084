"""The profit and loss of a month."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    CompoundSelect,
    Select,
    String,
    func,
    literal,
    select,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.deposits.models import DeductionRow, Settlement
from pms.foundation.kept_figures import SharedAnswers
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.opening import is_income
from pms.reservations.models import Reservation
from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import EntryKind, FeeCategory
from pms.statements.building_income import KEPT_DEPOSIT
from pms.statements.lease_rents import LEASE_RENT, lease_rents
from pms.statements.master_leases import leases_in_force
from pms.workspaces.queries import counters

# Issued lines count in the days they bill; see docs/decisions/owner-statements.md.
_Voiding = aliased(LedgerEntry)


@dataclass(frozen=True, slots=True)
class ProfitAndLoss:
    """The yen of consecutive months by category; held deposits are not included."""

    months: tuple[date, ...]
    categories: tuple[str, ...]
    yen: Mapping[tuple[date, str], int]

    def of(self, month_on: date, category: str) -> int:
        """Return the yen of a category in a month."""
        return self.yen.get((month_on, category), 0)

    def month_yen(self, month_on: date) -> int:
        """Return the yen of a month."""
        return sum(self.of(month_on, category) for category in self.categories)

    def category_yen(self, category: str) -> int:
        """Return the yen of a category over all the months."""
        return sum(self.of(month_on, category) for month_on in self.months)

    @property
    def total_yen(self) -> int:
        """The sum of everything."""
        return sum(self.yen.values())


class AskedMonths(NamedTuple):
    """So many months up to one, of one building or of all."""

    last_month_on: date
    months: int
    building_id: str | None


class EarnedYen(NamedTuple):
    """What a category earned in a month."""

    month_on: date
    category: str
    yen: int


def profit_and_loss(
    session: Session, last_month_on: date, months: int = 12, building_id: str | None = None
) -> ProfitAndLoss:
    """Return `months` months up to `last_month_on`, of all buildings or of one.

    What owners are paid under master leases is an expense, and negative.
    While neither the ledger nor the stays change, a cached result is returned.
    """
    question = AskedMonths(month_first(last_month_on), months, building_id)
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    earned = EARNED_MONTHS.answer(
        session, question, state, lambda: _read_earned(session, *question)
    )
    yen = {(each.month_on, each.category): each.yen for each in earned}
    wanted = tuple(add_months(question.last_month_on, back) for back in range(1 - months, 1))
    return ProfitAndLoss(wanted, _list_used_categories(yen), yen)


EARNED_MONTHS: Final[SharedAnswers[AskedMonths, tuple[EarnedYen, ...]]] = SharedAnswers(
    "profit_and_loss",
    AskedMonths,
    tuple[EarnedYen, ...],
    lambda session, _, asked: profit_and_loss(session, *asked),
    usual=lambda _, clock: AskedMonths(month_first(clock.today()), 12, None),
)


def _read_earned(
    session: Session, last_month_on: date, months: int, building_id: str | None
) -> tuple[EarnedYen, ...]:
    yen: defaultdict[tuple[date, str], int] = defaultdict(int)
    first_on = add_months(last_month_on, 1 - months)
    asked = _select_earned(first_on, month_last(last_month_on), building_id)
    for on, category, amount in session.execute(asked):
        yen[(month_first(on), category)] += int(amount)
    buildings = select(Building.id).order_by(Building.id)
    if building_id is not None:
        buildings = buildings.where(Building.id == building_id)
    leases = leases_in_force(session, session.scalars(buildings).all())
    rents = lease_rents(session, leases, last_month_on)
    for months_of_building in rents.values():
        for month_on, paid in months_of_building.items():
            if month_on >= first_on:
                yen[(month_on, LEASE_RENT)] -= sum(rent.yen for rent in paid)
    return tuple(EarnedYen(*place, amount) for place, amount in yen.items())


def _list_used_categories(yen: Mapping[tuple[date, str], int]) -> tuple[str, ...]:
    used = {category for (_, category), amount in yen.items() if amount}
    in_order: Sequence[str] = (
        *(category.value for category in FeeCategory),
        KEPT_DEPOSIT,
        LEASE_RENT,
    )
    return tuple(category for category in in_order if category in used)


def _select_earned(
    first_on: date, last_on: date, building_id: str | None
) -> CompoundSelect[*tuple[Any, ...]]:
    lines = _select_lines_by_month(first_on, last_on)
    parts = (
        _in_building(lines, LedgerEntry.reservation_id, building_id),
        *(
            _in_building(part, LedgerEntry.reservation_id, building_id)
            for part in _counted_once(first_on, last_on)
        ),
        _in_building(
            _select_kept_deposits(first_on, last_on), Settlement.reservation_id, building_id
        ),
    )
    return union_all(*parts)


def _select_lines_by_month(first_on: date, last_on: date) -> Select[*tuple[Any, ...]]:
    """Select lines by the days they bill, or by their posting day if they bill none.

    They are summed by day: of each line the month would take longer to work out than to read it.
    """
    # A line never extends beyond the end of its month.
    day = func.coalesce(LedgerLine.first_on, LedgerLine.posted_on)
    category = type_coerce(LedgerLine.category, String).label("category")
    return (
        select(day.label("day"), category, func.sum(LedgerLine.amount_yen))
        .join(LedgerEntry, refers_to(LedgerLine.entry_id, LedgerEntry))
        .where(is_income(), LedgerLine.is_deposit.is_(False), day.between(first_on, last_on))
        .group_by(day, LedgerLine.category)
    )


def _counted_once(first_on: date, last_on: date) -> tuple[Select[*tuple[Any, ...]], ...]:
    """Subtract what an arrears charge takes over, which is counted already; voiding adds it."""
    raised = (
        select(
            LedgerEntry.issued_on,
            _label_category(FeeCategory.OTHER),
            -func.sum(LedgerEntry.cancelled_yen),
        )
        .where(
            is_income(),
            LedgerEntry.kind == EntryKind.ARREARS,
            LedgerEntry.issued_on.between(first_on, last_on),
        )
        .group_by(LedgerEntry.issued_on)
    )
    voided = (
        select(
            _Voiding.issued_on,
            _label_category(FeeCategory.OTHER),
            func.sum(LedgerEntry.cancelled_yen),
        )
        .join(_Voiding, refers_to(_Voiding.opposes_id, LedgerEntry))
        .where(
            is_income(),
            LedgerEntry.kind == EntryKind.ARREARS,
            _Voiding.issued_on.between(first_on, last_on),
        )
        .group_by(_Voiding.issued_on)
    )
    return raised, voided


def _select_kept_deposits(first_on: date, last_on: date) -> Select[*tuple[Any, ...]]:
    """Select what settlements kept of deposits for deductions; netted sums were billed before."""
    return (
        select(
            Settlement.settled_on, _label_category(KEPT_DEPOSIT), func.sum(DeductionRow.reached_yen)
        )
        .join(Settlement, refers_to(DeductionRow.settlement_id, Settlement))
        .where(Settlement.settled_on.between(first_on, last_on))
        .group_by(Settlement.settled_on)
    )


def _label_category(category: str) -> Any:
    return literal(str(category)).label("category")


def _in_building(
    asked: Select[*tuple[Any, ...]], reservation_id: Any, building_id: str | None
) -> Select[*tuple[Any, ...]]:
    if building_id is None:
        return asked
    of_building = (
        select(Reservation.id)
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(Unit.building_id == building_id)
    )
    return asked.where(reservation_id.in_(of_building))
