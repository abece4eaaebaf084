"""The monthly income of buildings."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple, TypeVarTuple

from sqlalchemy import Date, Select, func, literal, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.deposits.models import DeductionRow, Settlement
from pms.foundation.errors import Collision
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, Days, month_first, month_last
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.ledger_entries import EntryPayment
from pms.rules.master_leases import is_leased
from pms.rules.owner_income import (
    BilledMoney,
    ByCategory,
    CategoryPosting,
    monthly_income,
    received_by_class,
)
from pms.statements.divided_bills import BillPlace, DividedBills
from pms.statements.master_leases import leased_days
from pms.statements.models import OwnerDeduction
from pms.statements.monthly_receipts import is_in_buildings, monthly_receipts, paid_in_month
from pms.workspaces.queries import counters


def deduction_mark(session: Session, building_id: str) -> int:
    """Return the number of a building's deductions; they are never deleted."""
    if not is_id(building_id):
        return 0
    asked = select(func.count()).where(OwnerDeduction.building_id == building_id)
    return session.scalar(asked) or 0


def hold_deductions(session: Session, building_id: str, seen: int) -> None:
    """Lock a building; raise `Collision` if its number of deductions is not `seen`."""
    if is_id(building_id):
        session.execute(select(Building.id).where(Building.id == building_id).with_for_update())
    if deduction_mark(session, building_id) != seen:
        raise Collision(
            "A deduction was posted since you opened this page. Check it again before you send "
            "this."
        )


KEPT_DEPOSIT = "kept_deposit"

_Columns = TypeVarTuple("_Columns")
_Opposite = aliased(LedgerEntry)


class IncomePlace(NamedTuple):
    """The source of income: the unit, and the category that was billed."""

    unit: str
    category: str


@dataclass(slots=True)
class BuildingIncome:
    """The income of a building in whole yen: totals by month, and one month in detail."""

    by_month: dict[date, int] = field(default_factory=dict)
    places: dict[IncomePlace, int] = field(default_factory=dict)
    classes: dict[TaxTreatment, int] = field(default_factory=dict)

    def add(self, month_on: date, yen: int) -> None:
        """Add whole yen to a month."""
        self.by_month[month_on] = self.by_month.get(month_on, 0) + yen

    def add_class(self, tax: TaxTreatment, yen: int) -> None:
        """Add whole yen to a class of consumption tax of the detailed month."""
        self.classes[tax] = self.classes.get(tax, 0) + yen

    def place(self, place: IncomePlace, yen: int) -> None:
        """Add whole yen to a unit and category of the detailed month."""
        self.places[place] = self.places.get(place, 0) + yen


_INCOMES: Final = KeptAnswers()


def incomes(
    session: Session,
    building_ids: Sequence[str],
    month_on: date,
    leases: Mapping[str, Sequence[Days]] | None = None,
) -> Mapping[str, BuildingIncome]:
    """Return the income of each building by month, and of one month by unit and category.

    What is of days under a master lease is the operator's own, and no income of an owner. It takes
    the same number of queries for any number of buildings (docs/decisions/ledger.md). While neither the
    ledger nor the stays change, a cached result is returned.
    """
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    asked = (tuple(sorted(building_ids)), month_on)
    return _INCOMES.answer(session, asked, state, lambda: _read_incomes(session, *asked, leases))


def _read_incomes(
    session: Session,
    building_ids: Sequence[str],
    month_on: date,
    leases: Mapping[str, Sequence[Days]] | None,
) -> Mapping[str, BuildingIncome]:
    found = {building_id: BuildingIncome() for building_id in building_ids}
    leases = leased_days(session, building_ids) if leases is None else leases
    yen, not_plain = monthly_receipts(session, building_ids, leases)
    for building_id, by_month in yen.items():
        found[building_id].by_month.update(by_month)
    _add_entries(session, found, not_plain, month_on, leases)
    kept = session.execute(_kept_deposits(building_ids))
    for building_id, unit, settled_on, tax, kept_yen in kept:
        if is_leased(leases.get(building_id, ()), settled_on):
            continue
        found[building_id].add(month_first(settled_on), int(kept_yen))
        if month_first(settled_on) == month_on:
            found[building_id].place(IncomePlace(unit, KEPT_DEPOSIT), int(kept_yen))
            found[building_id].add_class(TaxTreatment(tax), int(kept_yen))
    return found


def _add_entries(
    session: Session,
    found: Mapping[str, BuildingIncome],
    not_plain: Sequence[str],
    month_on: date,
    leases: Mapping[str, Sequence[Days]],
) -> None:
    """Add the entries that need the rules, and the details of all entries paid in the month."""
    decided_by_rule = frozenset(not_plain)
    paid = session.scalars(paid_in_month(list(found), month_on))
    wanted = [*decided_by_rule.union(paid)]
    for entry_id, building_id, unit, entry in read_bills(session, wanted, leases):
        income = found[building_id]
        for on, by_category in _find_monthly_income(entry).items():
            if entry_id in decided_by_rule:
                income.add(on, sum(by_category.values()))
            if on == month_on:
                for category, yen in by_category.items():
                    income.place(IncomePlace(unit, category.value), yen)
                before = received_by_class(entry, month_on - ONE_DAY)
                now = received_by_class(entry, month_last(month_on))
                for tax in {*before, *now}:
                    income.add_class(tax, now.get(tax, 0) - before.get(tax, 0))


def _find_monthly_income(entry: BilledMoney) -> Mapping[date, ByCategory]:
    """Return an entry's income by month; one that was paid once in full needs no history."""
    if len(entry.payments) == 1 and not entry.taken_over and entry.voided_on is None:
        payment = entry.payments[0]
        by_category = {posting.category: posting.yen for posting in entry.postings}
        is_plain = len(by_category) == len(entry.postings) and all(
            posting.yen > 0 and posting.on <= payment.on and not posting.is_operators
            for posting in entry.postings
        )
        if is_plain and payment.yen >= sum(by_category.values()):
            return {month_first(payment.on): by_category}
    return monthly_income(entry)


class BuildingBill(NamedTuple):
    """An entry of a unit in a building, with what income needs of it."""

    entry_id: str
    building_id: str
    unit: str
    money: BilledMoney


def read_bills(
    session: Session, entry_ids: Sequence[str], leases: Mapping[str, Sequence[Days]]
) -> Iterator[BuildingBill]:
    """Return entries with their lines, each the owner's or the operator's own, and payments."""
    asked = select(
        LedgerEntry.id, Unit.building_id, Unit.name, LedgerEntry.issued_on, _Opposite.issued_on
    )
    rows = session.execute(
        _of_reservation(_with_voiding(asked), LedgerEntry).where(one_of(LedgerEntry.id, entry_ids))
    ).all()
    places = {id_: BillPlace(building_id, on) for id_, building_id, _, on, _ in rows}
    postings = _read_postings(session, entry_ids, DividedBills(session, places, leases))
    payments, taken_over = _read_payments(session, entry_ids), _taken_over(session, entry_ids)
    for entry_id, building_id, unit, _issued_on, voided_on in rows:
        money = BilledMoney(
            postings=tuple(postings.get(entry_id, ())),
            payments=tuple(payments.get(entry_id, ())),
            taken_over=tuple(taken_over.get(entry_id, ())),
            voided_on=voided_on,
        )
        yield BuildingBill(entry_id, building_id, unit, money)


def _taken_over(session: Session, entry_ids: Sequence[str]) -> Mapping[str, list[EntryPayment]]:
    """Return what arrears charges cancel of the entries they name, and return when voided."""
    parts: defaultdict[str, list[EntryPayment]] = defaultdict(list)
    asked = _with_voiding(
        select(
            LedgerEntry.arrears_of_id,
            LedgerEntry.cancelled_yen,
            LedgerEntry.issued_on,
            _Opposite.issued_on,
        )
    ).where(LedgerEntry.arrears_of_id.is_not(None), one_of(LedgerEntry.arrears_of_id, entry_ids))
    for named_id, cancelled_yen, issued_on, voided_on in session.execute(asked):
        arrears_of_id = str(named_id)
        parts[arrears_of_id].append(EntryPayment(issued_on, cancelled_yen))
        if voided_on is not None:
            parts[arrears_of_id].append(EntryPayment(voided_on, -cancelled_yen))
    return parts


def _read_postings(
    session: Session, entry_ids: Sequence[str], bills: DividedBills
) -> Mapping[str, list[CategoryPosting]]:
    found: defaultdict[str, list[CategoryPosting]] = defaultdict(list)
    columns = (
        LedgerLine.entry_id,
        LedgerLine.posted_on,
        LedgerLine.category,
        LedgerLine.tax_treatment,
        LedgerLine.first_on if bills.is_needed else literal(None, Date),
        LedgerLine.last_on if bills.is_needed else literal(None, Date),
    )
    for entry_id, on, category, tax, first_on, last_on, yen in session.execute(
        select(*columns, func.sum(LedgerLine.amount_yen))
        .where(one_of(LedgerLine.entry_id, entry_ids), LedgerLine.is_deposit.is_(False))
        .group_by(*(columns if bills.is_needed else columns[:4]))
    ):
        operators_yen = bills.operators_yen(entry_id, first_on, last_on, int(yen))
        parts = ((int(yen) - operators_yen, False), (operators_yen, True))
        found[entry_id] += [
            CategoryPosting(
                on, FeeCategory(category), part_yen, TaxTreatment(tax), is_operators=is_operators
            )
            for part_yen, is_operators in parts
            if part_yen
        ]
    return found


def _read_payments(session: Session, entry_ids: Sequence[str]) -> Mapping[str, list[EntryPayment]]:
    found: defaultdict[str, list[EntryPayment]] = defaultdict(list)
    for entry_id, on, yen in session.execute(
        select(Allocation.entry_id, Allocation.allocated_on, func.sum(Allocation.amount_yen))
        .where(one_of(Allocation.entry_id, entry_ids))
        .group_by(Allocation.entry_id, Allocation.allocated_on)
    ):
        found[entry_id].append(EntryPayment(on, int(yen)))
    return found


def _with_voiding(asked: Select[*_Columns]) -> Select[*_Columns]:
    return asked.select_from(LedgerEntry).outerjoin(
        _Opposite, refers_to(_Opposite.opposes_id, LedgerEntry)
    )


def _kept_deposits(
    building_ids: Sequence[str],
) -> Select[str, str, date, TaxTreatment, int]:
    """Select what settlements kept of deposits for deductions; netted sums are in the entries."""
    asked = (
        select(
            Unit.building_id,
            Unit.name,
            Settlement.settled_on,
            DeductionRow.tax_treatment,
            func.sum(DeductionRow.reached_yen),
        )
        .join(Settlement, refers_to(DeductionRow.settlement_id, Settlement))
        .where(DeductionRow.reached_yen > 0)
        .group_by(Unit.building_id, Unit.name, Settlement.settled_on, DeductionRow.tax_treatment)
    )
    # The stays of the buildings come first: SQLite would otherwise read every deduction.
    return _of_reservation(asked, Settlement).where(
        is_in_buildings(Settlement.reservation_id, building_ids)
    )


def _of_reservation(
    asked: Select[*_Columns], row: type[LedgerEntry] | type[Settlement]
) -> Select[*_Columns]:
    return asked.join(Reservation, refers_to(row.reservation_id, Reservation)).join(
        Unit, refers_to(Reservation.unit_id, Unit)
    )
