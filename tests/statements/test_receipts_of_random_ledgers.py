"""The quick way to an owner's months says what the rules say, whatever is in the ledger."""

from collections import defaultdict
from datetime import date

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.days import add_months
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import EntryPayment
from pms.rules.owner_income import BilledMoney, CategoryPosting, monthly_income
from pms.statements.building_income import incomes
from tests.departures.desk import Desk, open_desk
from tests.ledger.random_ledger import write_random_ledger


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    """A desk over an empty house."""
    return open_desk(database, clock)


MONTHS = [add_months(date(2026, 1, 1), month) for month in range(12)]


@pytest.mark.parametrize("seed", range(4))
def test_every_month_agrees_with_the_rules_over_random_ledgers(desk: Desk, seed: int) -> None:
    ids = [desk.resident("2026-01-01", "2026-12-31") for _ in range(20)]
    with desk.database.writing(desk.workspace_id) as session:
        write_random_ledger(session, ids, seed + 100)
    with desk.database.reading(desk.workspace_id) as session:
        plainly = by_the_rules(session)
        for month_on in MONTHS:
            found = incomes(session, [desk.building_id], month_on)[desk.building_id]
            by_month = {on: yen for on, yen in found.by_month.items() if yen}
            assert by_month == {
                on: sum(of.values()) for on, of in plainly.items() if sum(of.values())
            }
            places = {
                (place.unit, place.category): yen for place, yen in found.places.items() if yen
            }
            assert places == {place: yen for place, yen in plainly[month_on].items() if yen}


def by_the_rules(session: Session) -> defaultdict[date, defaultdict[tuple[str, str], int]]:
    """Every entry through the rule, one by one."""
    found: defaultdict[date, defaultdict[tuple[str, str], int]] = defaultdict(
        lambda: defaultdict(int)
    )
    entries = list(session.scalars(select(LedgerEntry)))
    voided = {entry.opposes_id: entry.issued_on for entry in entries}
    for entry in entries:
        if entry.kind is not EntryKind.OPPOSITE:
            unit = _unit(session, entry.reservation_id)
            for month_on, yen in monthly_income(_history(session, entry, entries, voided)).items():
                for category, part in yen.items():
                    found[month_on][(unit, category.value)] += part
    return found


def _unit(session: Session, reservation_id: str) -> str:
    row = session.scalars(select(Reservation).where(Reservation.id == reservation_id)).one()
    return row.unit.name


def _history(
    session: Session,
    entry: LedgerEntry,
    entries: list[LedgerEntry],
    voided: dict[str | None, date],
) -> BilledMoney:
    lines = session.scalars(select(LedgerLine).where(LedgerLine.entry_id == entry.id))
    payments = session.scalars(select(Allocation).where(Allocation.entry_id == entry.id))
    taken = []
    for other in entries:
        if other.arrears_of_id == entry.id:
            taken.append(EntryPayment(other.issued_on, other.cancelled_yen))
            if other.id in voided:
                taken.append(EntryPayment(voided[other.id], -other.cancelled_yen))
    return BilledMoney(
        postings=tuple(
            CategoryPosting(line.posted_on, line.category, line.amount_yen)
            for line in lines
            if not line.is_deposit
        ),
        payments=tuple(EntryPayment(part.allocated_on, part.amount_yen) for part in payments),
        taken_over=tuple(taken),
        voided_on=voided.get(entry.id),
    )
