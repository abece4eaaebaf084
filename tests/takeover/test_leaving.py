"""A workspace that lived for a month leaves whole: bills, debts and deposits are the same elsewhere."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.arrivals.bookings import book
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.running import run_take_over
from pms.catalogue.models import Building, Unit
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standings
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.enumerations import ReservationKind
from pms.workspaces.new_workspaces import open_workspace
from tests.takeover.round_trip import exported, next_bills, taken_back
from tests.takeover.test_held_out_sheets import SHEETS
from tests.takeover.test_run import SAMPLES, TODAY

BILLED = date(2026, 12, 31)
LATER = date(2027, 4, 30)
Key = tuple[str, ...]


@pytest.fixture
def lived(database: Database) -> tuple[str, FixedClock]:
    """Five houses taken over with their debts, a month billed, some of it paid, two who leave."""
    clock = FixedClock(TODAY)
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug="old", name="旧システム")
    sheets = [
        SAMPLES / "serials_and_notes.xlsx",
        SAMPLES / "share_house_monthly.xlsx",
        SHEETS / "ditto_marks_and_subtotals.xlsx",
        SHEETS / "program_export.csv",
    ]
    for sheet in sheets:
        read = read_takeover(sheet.read_bytes(), sheet.name, clock.today())
        with database.writing(workspace_id) as session:
            assert run_take_over(Work(session, clock, "staff"), read).tenancies >= 3
    with database.writing(workspace_id) as session:
        work = Work(session, clock, "staff")
        free = select(Unit.id).where(Unit.name == "103").join(Unit.building)
        unit_id = session.scalar(free.where(Building.name == "グリーンコーポ"))
        assert unit_id is not None
        book(
            work,
            unit_id=unit_id,
            kind=ReservationKind.RESIDENT,
            name="高橋 翔",
            move_in_date=date(2026, 12, 10),
            contract_end_date=date(2028, 12, 9),
            amounts=MonthlyAmounts(base_rent_yen=60_000, building_maintenance_yen=4_000),
            deposit_yen=60_000,
            discount=AgreedDiscount(Bilingual("割引", "Discount"), monthly_yen=3_000),
        )
        assert not bill_month(work, through_on=BILLED).problems
        named = {
            name: id_ for id_, name in session.execute(select(Reservation.id, Reservation.name))
        }
        record_payment(work, reservation_id=named["大野 健太"], amount_yen=76_000)
        record_payment(work, reservation_id=named["木下 美咲"], amount_yen=70_000)
        record_payment(work, reservation_id=named["田所 修"], amount_yen=20_000)
        file_notice(work, reservation_id=named["Nguyen Van An"], move_out_on=date(2027, 1, 15))
        file_notice(work, reservation_id=named["森下 陽"], move_out_on=date(2027, 2, 20))
    return workspace_id, clock


def owed_and_held(database: Database, workspace_id: str, on: date) -> dict[Key, tuple[int, int]]:
    """What each tenancy owes and what is held of it, by house, room and name."""
    with database.reading(workspace_id) as session:
        asked = select(Reservation.id, Building.name, Unit.name, Reservation.name)
        rows = session.execute(asked.join(Reservation.unit).join(Unit.building))
        who = {id_: (house, room, name) for id_, house, room, name in rows}
        owed = {
            who[id_]: sum(one.unpaid_yen for one in found)
            for id_, found in standings(session, list(who), on).items()
        }
        held = {
            who[one.reservation_id]: one.balance.held_yen
            for one in deposit_report(session, on).deposits
        }
    return {key: (owed.get(key, 0), held.get(key, 0)) for key in who.values()}


@pytest.mark.differs("every table of a workspace is read, and written anew")
def test_the_next_bills_debts_and_deposits_are_the_same_elsewhere(
    database: Database, lived: tuple[str, FixedClock]
) -> None:
    old_id, clock = lived
    today = clock.today()
    new_id, run = taken_back(database, clock, exported(database, old_id, today))
    assert not run.refused
    bills = next_bills(database, old_id, today, LATER)
    assert len(bills) > 15
    assert next_bills(database, new_id, today, LATER) == bills
    assert owed_and_held(database, new_id, today) == owed_and_held(database, old_id, today)
