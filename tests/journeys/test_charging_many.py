"""Journey 7: one charge for everybody who lives there in five presses from Today, or the month's run in one."""

import pytest
from playwright.sync_api import expect

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.rules.enumerations import FeeCategory
from tests.cast import Cast, building, fee, reservation, unit
from tests.journeys.hands import MOUSE, PLAIN, Hand, walked_by
from tests.surfaces.dashboard.money.conftest import Books

HOUSES, ROOMS = 20, 20
EVERYONE = HOUSES * ROOMS + 1
MOST_PRESSES = 5


@pytest.fixture
def worker(settings: Settings, books: Books) -> Tools:
    """The worker that does what is asked for."""
    return Tools(settings, books.database, books.clock, choose_postbox(settings))


@pytest.fixture
def houses(database: Database, cast: Cast, books: Books) -> Books:
    """Four hundred more tenancies in twenty buildings, and a fee for a new lock."""
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            fee(
                code="lock",
                label_ja="鍵の交換",
                label_en="New lock",
                category=FeeCategory.OTHER,
                is_monthly=False,
                amount_yen=3_300,
            )
        )
        towers = [building(id=new_id(), slug=f"t{n}", name=f"塔{n}") for n in range(HOUSES)]
        session.add_all(towers)
        session.flush()
        rooms = [
            unit(id=new_id(), building_id=tower.id, name=f"{n:02}", slug=f"{tower.slug}-{n}")
            for tower in towers
            for n in range(ROOMS)
        ]
        session.add_all(rooms)
        session.flush()
        session.add_all(
            reservation(unit_id=room.id, name=f"住人 {n}", email=f"r{n}@example.jp")
            for n, room in enumerate(rooms)
        )
    return books


@pytest.mark.thorough("four hundred tenancies; the run of a month is quick")
@walked_by(PLAIN)
def test_an_extra_charge_reaches_four_hundred_tenancies_in_twenty_buildings(
    office: Hand, houses: Books, worker: Tools
) -> None:
    office.opens("/")
    office.presses_on(office.link("Money", within=".side-nav"))
    office.presses_on(office.link("Bulk charge"))
    office.chooses("feeCode", "lock")
    office.presses_on(office.button("Check charges"))
    expect(office.page.locator("main")).to_contain_text(f"Charge {EVERYONE} tenancies")
    expect(office.page.locator("main")).to_contain_text("Owner residents")
    office.presses_on(office.button(f"Charge {EVERYONE} tenancies"))
    expect(office.page.locator("progress")).to_be_visible()
    office.takes_at_most(MOST_PRESSES)
    do_asked_runs(worker)
    if office.is_plain:
        office.page.reload()
    expect(office.page.locator("#progress")).to_contain_text("Done.")
    expect(office.page.locator("#progress")).to_contain_text(f"{EVERYONE} of {EVERYONE}")
    office.opens(f"/reservations/{houses.resident_id}/ledger")
    expect(office.page.locator("main")).to_contain_text("New lock")


@walked_by(MOUSE)
def test_the_run_of_a_month_begins_by_one_press(office: Hand, worker: Tools) -> None:
    office.opens("/billing?month=2026-12")
    office.presses_on(office.button("Bill 1 reservation"))
    expect(office.page.locator("progress")).to_be_visible()
    office.takes_at_most(1)
    do_asked_runs(worker)
    if office.is_plain:
        office.page.reload()
    expect(office.page.locator("#progress")).to_contain_text("Done.")
