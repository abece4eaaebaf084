"""Twelve journeys of the office, walked by the mouse over the demo; docs/journeys.md holds their counts."""

import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
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
def chance(request: pytest.FixtureRequest) -> Random:
    """Chooses whom and which day, the same for a journey at each run."""
    return Random(request.function.__name__)


@pytest.fixture
def now(chance: Random) -> datetime:
    """Noon of any day after the demo was seeded."""
    return NOON + timedelta(days=chance.randint(1, 20))


@pytest.fixture
def office(
    request: pytest.FixtureRequest, world: World, browser: Browser, tmp_path: Path, now: datetime
) -> Iterator[Hand]:
    """An operator at Today, over a copy of the demo; who must have pressed as the paper says."""
    world.database.dispose()
    shutil.copytree(world.settings.data_dir, tmp_path, dirs_exist_ok=True)
    app = make_app(settings_of_a_test(tmp_path), FixedClock(now))
    own = World(app, world.settings, FixedClock(now), world.workspace_ids, world.people, {})
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


def choose(chance: Random, found: Sequence[str]) -> str:
    """Choose any, but never what stands first."""
    assert len(found) > 1, found
    return chance.choice(found[1:])


@pytest.fixture
def someone(request: pytest.FixtureRequest, office: Hand, chance: Random) -> tuple[str, str]:
    """Name and unit of anybody whose next step says this."""
    office.opens("/reservations")
    rows = office.page.locator("main tbody tr", has_text=request.param)
    people = [
        f"{row.locator('th a').inner_text()}\n{row.locator('td').first.inner_text()}"
        for row in rows.all()
    ]
    office.opens("/")
    name, _, place = choose(chance, people).partition("\n")
    return name, place


def anybody(next_step: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("someone", [next_step], indirect=True, ids=[next_step])


@pytest.fixture
def day(chance: Random, now: datetime) -> str:
    """Any day of the three months that come."""
    return str(day_of(now) + timedelta(days=chance.randint(1, 92)))


def test_a_page_of_the_menu(office: Hand, chance: Random) -> None:
    areas = office.page.locator(".side-nav > ul > li > a").all_inner_texts()
    # The settings are a journey of their own.
    area, _, _ = choose(chance, areas[:-1]).partition("\n")
    office.presses_on(office.link(area, within=".side-nav"))
    pages = office.page.locator(".area-row a")
    expect(pages.nth(1)).to_be_visible()
    wanted = choose(chance, pages.all_inner_texts())
    office.presses_on(office.link(wanted, within=".area-row"))
    expect(office.page.locator(".area-row [aria-current=page]")).to_have_text(wanted)


def test_a_page_of_the_settings(office: Hand, chance: Random) -> None:
    office.presses_on(office.link("Settings", within=".side-nav"))
    expect(office.page.locator("h1")).to_have_text("All settings")
    pages = office.page.locator(f"main a[href^='/dashboard/{LIVED_IN}/']")
    leads = [f"{page.get_attribute('href')}" for page in pages.all()]
    wanted = choose(chance, leads)
    office.presses_on(office.page.locator(f"main a[href='{wanted}']").first)
    expect(office.page).to_have_url(re.compile(f"{re.escape(wanted)}$"))


def test_a_room_for_a_day(office: Hand, day: str) -> None:
    office.presses_on(office.link("New reservation"))
    office.page.locator("[name=moveInDate]").fill(day)
    expect(office.link("Book ", within="main table")).to_have_attribute(
        "href", re.compile(f"moveInDate={day}")
    )


def test_the_room_is_booked(office: Hand, day: str, chance: Random) -> None:
    office.opens(f"/rooms?moveInDate={day}")
    rooms = office.page.locator("main table").get_by_role("link", name=re.compile("^Book"))
    names = [f"{each.get_attribute('aria-label')}" for each in rooms.all()]
    office.presses_on(office.link(choose(chance, names), within="main table"))
    office.page.locator("#booking [name=name]").fill("Aoki Haru")
    office.presses_on(office.button("Create reservation"))
    expect(office.page.locator("h1")).to_contain_text("Aoki Haru")


@anybody("Contract not sent")
def test_contract_and_invoice_are_sent(office: Hand, someone: tuple[str, str]) -> None:
    office.finds(*someone)
    office.presses_on(office.link("Send contract"))
    office.presses_on(office.button("Send contract"))
    expect(office.page.locator("main")).to_contain_text(
        re.compile("has been sent for signature|have been sent")
    )


@anybody("Overdue")
def test_a_payment_is_recorded(office: Hand, someone: tuple[str, str]) -> None:
    office.finds(*someone)
    office.presses_on(office.link("Record payment"))
    office.page.locator("[name=amountYen]").fill("1000")
    office.presses_on(office.button("Record payment"))
    expect(office.page.locator("main")).to_contain_text("¥1,000")


def test_everything_of_one_person(office: Hand, chance: Random) -> None:
    office.opens("/reservations")
    people = office.page.locator("main tbody th a").all_inner_texts()
    office.opens("/")
    office.finds(choose(chance, people))


@anybody("Overdue")
def test_a_reminder_is_sent(office: Hand, someone: tuple[str, str]) -> None:
    office.finds(*someone)
    office.presses_on(office.link("Remind"))
    office.presses_on(office.button("Send"))
    expect(office.page.locator("[role=status]").first).to_be_visible()


def test_ends_of_terms_are_asked_about(office: Hand) -> None:
    office.presses_on(office.link("Notices late by law"))
    asked = office.page.locator("main tbody tr")
    expect(asked.nth(1)).to_be_visible()
    everyone = asked.count()
    office.presses_on(office.page.get_by_label("Select all").first)
    office.presses_on(office.button("Ask selected"))
    expect(office.page.locator("main tbody tr")).to_have_count(everyone)
    office.presses_on(office.button("Send emails"))
    expect(office.page.locator("[role=status]").first).to_contain_text("being asked")


def test_a_fixed_term_is_explained(office: Hand, chance: Random) -> None:
    lines = office.page.locator(".due-line", has_text="Explain")
    wanted = chance.randrange(lines.count())
    office.presses_on(lines.nth(wanted).get_by_role("link", name="Explain").last)
    office.presses_on(office.button("Record the explanation"))
    expect(office.page.locator("[role=status]").first).to_contain_text("xplanation")


def test_a_statement_is_imported_and_recorded(office: Hand, now: datetime) -> None:
    statement: FilePayload = {
        "name": "statement.csv",
        "mimeType": "text/csv",
        "buffer": sample_statement(day_of(now)),
    }
    office.presses_on(office.link("Money", within=".side-nav"))
    office.presses_on(office.link("Bank matching", within=".area-row"))
    office.chooses_file(office.page.locator("[name=file]"), statement)
    office.presses_on(office.button("Check the statement"))
    office.presses_on(office.button("Import"))
    office.presses_on(office.button("Record all"))
    expect(office.page.locator("main")).to_contain_text("recorded")


def test_an_answer_that_failed_is_sent_again(office: Hand) -> None:
    office.presses_on(office.link("Inbox", within=".side-nav"))
    # One answer of the demo failed: its line says so, wherever it stands.
    failed = office.page.locator(".due-line", has_text="Reply").filter(has_text="Not delivered")
    office.presses_on(failed.locator(".due-who a"))
    office.presses_on(office.button("Send again"))
    expect(office.page.locator("main")).to_contain_text("Sending again.")
