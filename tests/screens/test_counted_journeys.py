"""Eleven journeys of the office, walked by the mouse over the demo; docs/journeys.md holds their counts."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from pms.demo.bank import sample_statement
from pms.foundation.clock import FixedClock
from pms.rules.days import day_of
from tests.databases import settings_of_a_test
from tests.demo.seeding import NOON
from tests.journeys.hands import MOUSE, Hand, hand_of
from tests.programs import make_app
from tests.screens.test_behaviour import DESKTOP, screen
from tests.screens.visiting import Looker
from tests.screens.world import LIVED_IN, World
from tests.surfaces.manual.browser import served

_PAPER: Final = Path("docs/journeys.md").read_text()
_ROW: Final = re.compile(r"^\| [^|]+ \| ([0-9]+) \| [^|]+ \| `(test_\w+)` \|", re.MULTILINE)
_COUNTS: Final = {name: int(count) for count, name in _ROW.findall(_PAPER)}


@pytest.fixture
def office(
    request: pytest.FixtureRequest, world: World, browser: Browser, tmp_path: Path
) -> Iterator[Hand]:
    """An operator at Today, over a copy of the demo; who must have pressed as the paper says."""
    world.database.dispose()
    shutil.copytree(world.settings.data_dir, tmp_path, dirs_exist_ok=True)
    app = make_app(settings_of_a_test(tmp_path), FixedClock(NOON))
    own = World(app, world.settings, world.clock, world.workspace_ids, world.people, {})
    with served(app) as base:
        app.config["BASE_URL"] = base
        context = Looker(browser, base, own).new_context(screen("today"), DESKTOP)
        context.set_default_timeout(10_000)
        hand = hand_of(context, MOUSE, f"/dashboard/{LIVED_IN}")
        hand.opens("/")
        yield hand
        context.close()
    app.extensions["pms.database"].dispose()
    assert hand.presses == _COUNTS[request.function.__name__]


def press_act(hand: Hand, subject: str) -> None:
    """Press the act of the first line of Today that is about this."""
    hand.page.locator(f".due-line:has(.due-kind:text-is('{subject}')) .due-act").first.click()


def test_a_page_of_the_menu(office: Hand) -> None:
    office.presses_on(office.link("Money", within=".side-nav"))
    office.presses_on(office.link("Occupancy", within=".area-row"))
    expect(office.page.locator("h1")).to_contain_text("Occupancy")


def test_a_page_of_the_settings(office: Hand) -> None:
    office.presses_on(office.link("Settings", within=".side-nav"))
    office.presses_on(office.link("API keys"))
    expect(office.page.locator("h1")).to_contain_text("API keys")


def test_a_room_for_a_day(office: Hand) -> None:
    office.presses_on(office.link("New reservation"))
    office.page.locator("[name=moveInDate]").fill("2026-12-16")
    expect(office.link("Book ", within="main table")).to_have_attribute(
        "href", re.compile("moveInDate=2026-12-16")
    )


def test_the_room_is_booked(office: Hand) -> None:
    office.opens("/rooms?moveInDate=2026-12-16")
    office.presses_on(office.link("Book ", within="main table"))
    office.page.locator("#booking [name=name]").fill("Aoki Haru")
    office.presses_on(office.button("Create reservation"))
    expect(office.page.locator("h1")).to_contain_text("Aoki Haru")


def test_contract_and_invoice_are_sent(office: Hand) -> None:
    # Whoever comes last of those whose contract is not out.
    office.opens("/?all=y")
    office.page.locator(".due-act", has_text="Send contract").last.click()
    office.presses_on(office.button("Send contract"))
    expect(office.page.locator("main")).to_contain_text(
        re.compile("has been sent for signature|have been sent")
    )


def test_a_payment_is_recorded(office: Hand) -> None:
    office.page.locator(".due-line:has(.due-kind:text-is('Overdue')) .due-who a").first.click()
    office.presses_on(office.link("Record payment"))
    office.page.locator("[name=amountYen]").fill("1000")
    office.presses_on(office.button("Record payment"))
    expect(office.page.locator("main")).to_contain_text("¥1,000")


def test_everything_of_one_person(office: Hand) -> None:
    office.presses_on(office.page.locator(".title-search"))
    office.page.locator(".palette [name=q]").fill("小林 香織")
    office.page.locator("dialog#drawer .found a", has_text="小林 香織").first.click()
    expect(office.page.locator("h1")).to_contain_text("小林 香織")


def test_a_reminder_is_sent(office: Hand) -> None:
    press_act(office, "Overdue")
    office.presses_on(office.button("Send"))
    expect(office.page.locator("[role=status]").first).to_be_visible()


def test_certain_transfers_are_recorded(office: Hand) -> None:
    press_act(office, "Bank matching")
    office.presses_on(office.button("Record all"))
    expect(office.page.locator("main")).to_contain_text("recorded")


def test_a_statement_is_imported_and_recorded(office: Hand) -> None:
    statement: FilePayload = {
        "name": "statement.csv",
        "mimeType": "text/csv",
        "buffer": sample_statement(day_of(NOON)),
    }
    office.presses_on(office.link("Money", within=".side-nav"))
    office.presses_on(office.link("Bank matching", within=".area-row"))
    with office.page.expect_file_chooser() as chosen:
        office.presses_on(office.page.locator("[name=file]"))
    chosen.value.set_files(statement)
    office.presses_on(office.button("Check the statement"))
    office.presses_on(office.button("Import"))
    office.presses_on(office.button("Record all"))
    expect(office.page.locator("main")).to_contain_text("recorded")


def test_an_answer_that_failed_is_sent_again(office: Hand) -> None:
    press_act(office, "Messages")
    office.presses_on(office.button("Send again"))
    expect(office.page.locator("main")).to_contain_text("Sending again.")
