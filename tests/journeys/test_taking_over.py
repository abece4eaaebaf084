"""Moving in, counted: from an empty installation and the operator's own rent roll to December's bills."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, expect
from sqlalchemy import func, select

from pms.access.opening_links import make_first_opening
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.ledger.models import EntryTotal, LedgerEntry
from pms.rules.enumerations import EntryKind
from pms.workspaces.queries import all_workspaces
from tests.databases import ReusedDatabase
from tests.journeys.hands import MOUSE, TOUCH, Hand, hand_of
from tests.surfaces.manual.browser import served
from tests.takeover.test_run import SAMPLES

SLUG: Final = "aoba"
MOST_PRESSES: Final = 40
_PAPER: Final = Path("docs/journeys.md").read_text()


@pytest.fixture
def settings(reused_sqlite: ReusedDatabase) -> Settings:
    """An installation that was never used."""
    reused_sqlite.restore("empty")
    return reused_sqlite.settings


@pytest.fixture
def worker(settings: Settings, database: Database, clock: FixedClock) -> Tools:
    """The worker that does what is asked for."""
    return Tools(settings, database, clock, choose_postbox(settings))


@pytest.fixture
def address(
    app: Flask, database: Database, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """The address that the first start prints."""
    with served(app) as base:
        monkeypatch.setitem(app.config, "BASE_URL", base)
        with database.across_workspaces_writing() as session:
            token = make_first_opening(session, clock)
        yield f"{base}/open/{token}"


@pytest.fixture
def newcomer(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Hand]:
    """Somebody at that address, who presses as often as the paper says."""
    way, width = request.param
    size = {"width": width, "height": 844}
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]  # a plain mapping is what it takes
        has_touch=way == TOUCH,
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": address}])
    context.set_default_timeout(30_000)
    hand = hand_of(context, way, f"/dashboard/{SLUG}")
    hand.page.goto(address)
    yield hand
    context.close()
    counted = re.search(rf"\| (\d+) \|[^|]+\| `{request.function.__name__}` \|", _PAPER)
    assert counted is not None, f"{hand.presses} presses"
    assert hand.presses == int(counted[1]) <= MOST_PRESSES


def types_into(field: Locator, text: str) -> None:
    """Press on a field and type."""
    field.click()
    field.fill(text)


def open_workspace(hand: Hand) -> None:
    """Fill in the page of the one-time address: the workspace and its first operator."""
    for name, text in (
        ("workspace", "あおば不動産"),
        ("workspaceEn", "Aoba"),
        ("name", "新井 舞"),
        ("email", "mai@new.example"),
        ("newPassword", "quiet river house"),
    ):
        types_into(hand.page.locator(f"[name={name}]"), text)
    hand.presses_on(hand.button("Open workspace"))
    expect(hand.page).to_have_url(re.compile(f"/dashboard/{SLUG}/"))


def send(hand: Hand, file: Path) -> None:
    """Choose a file on the first page of the guide and have it read."""
    hand.presses_on(hand.link("Import tenancies"))
    hand.chooses_file(hand.page.locator("input[type=file]"), file)
    hand.presses_on(hand.button("Read and show"))


def chooses_option(hand: Hand, label: str, value: str) -> None:
    """Open a list and press on one of its lines."""
    hand.page.get_by_label(label).select_option(value)
    hand.presses += 2


def go_on(hand: Hand, heading: str) -> None:
    """Go to the next step, known by what stands in it."""
    hand.presses_on(hand.button("Save and continue"))
    expect(hand.page.locator("[aria-current=step]")).to_contain_text(heading)


def bill_december(hand: Hand, worker: Tools, text: str) -> None:
    """Press the one button of billing, and have the worker bill."""
    hand.presses_on(hand.link("Go to billing"))
    hand.presses_on(hand.button(text))
    expect(hand.page.locator("h1")).to_contain_text("December 2026")
    do_asked_runs(worker)
    expect(hand.page.locator("main")).to_contain_text("Done.", timeout=15_000)


def billed_yen(database: Database) -> int:
    """What was billed by now, without what came along."""
    with database.across_workspaces_reading() as session:
        (found,) = all_workspaces(session)
    of_entry = EntryTotal.id == LedgerEntry.id
    asked = select(func.sum(EntryTotal.billed_yen)).join(LedgerEntry, of_entry)
    with database.reading(found.id) as session:
        return int(session.scalar(asked.where(LedgerEntry.kind != EntryKind.OPENING)) or 0)


@pytest.mark.parametrize("newcomer", [(MOUSE, 1280)], indirect=True)
def test_sixty_rooms_are_taken_over_and_december_is_billed(
    newcomer: Hand, worker: Tools, database: Database
) -> None:
    hand, main = newcomer, newcomer.page.locator("main")
    open_workspace(hand)
    send(hand, SAMPLES / "heights_aoba.xlsx")
    expect(hand.page.locator("table.grid")).to_contain_text("レントロール!7")
    go_on(hand, "Residents and contracts")
    expect(main).to_contain_text("A company holds this contract")
    go_on(hand, "Money")
    # One row needs an answer: the move-in money of 303 pays through 31 December.
    chooses_option(hand, "Answer, 303", "taken")
    go_on(hand, "Check and go live")
    figures = main.locator(".key-figures")
    expect(figures).to_contain_text("¥3,885,000")
    expect(figures).to_contain_text("52 tenancies")
    expect(figures.locator("div", has_text="Differences").last).to_contain_text(re.compile(r"\b0"))
    expect(main.locator("table").first).to_contain_text("¥4,201,500")
    hand.presses_on(hand.button("Go live"))
    expect(main).to_contain_text("52 tenancies were taken over.")
    expect(figures).to_contain_text("60")
    bill_december(hand, worker, "Bill 51 reservations")
    assert billed_yen(database) == 3_885_000


@pytest.mark.parametrize("newcomer", [(TOUCH, 390)], indirect=True)
def test_three_rooms_are_taken_over_on_a_phone(
    newcomer: Hand, worker: Tools, database: Database
) -> None:
    hand, main = newcomer, newcomer.page.locator("main")
    open_workspace(hand)
    send(hand, SAMPLES / "three_rooms.tsv")
    types_into(hand.page.get_by_label("Building for rows without one"), "菊池荘")
    hand.presses_on(hand.button("End of this month"))
    go_on(hand, "Rooms")
    go_on(hand, "Residents and contracts")
    go_on(hand, "Money")
    types_into(hand.page.get_by_label("Deposit held, 101"), "55000")
    go_on(hand, "Check and go live")
    types_into(hand.page.get_by_label("Your books, Deposits held"), "113000")
    types_into(hand.page.get_by_label("Your books, Unpaid"), "0")
    hand.presses_on(hand.button("Go live"))
    expect(main).to_contain_text("2 tenancies were taken over.")
    bill_december(hand, worker, "Bill 2 reservations")
    assert billed_yen(database) == 113_000


_STRANGE: Final = """\
一覧,,,,
へやばん,だれ,いつから,おうちだい,あずかり
101,山田 一,2025/4/1,50,100
102,佐藤 二,2025/5/1,51,0
"""


@pytest.mark.parametrize("newcomer", [(MOUSE, 1280)], indirect=True)
def test_a_list_with_unknown_headings_is_put_right(newcomer: Hand, tmp_path: Path) -> None:
    hand, main = newcomer, newcomer.page.locator("main")
    open_workspace(hand)
    file = tmp_path / "strange.csv"
    file.write_text(_STRANGE)
    send(hand, file)
    expect(main).to_contain_text("No header row was found")
    hand.presses_on(hand.button("Row 2 is the header row"))
    expect(main).to_contain_text("おうちだい")
    meanings = {"A": "room", "B": "name", "C": "start", "D": "rent", "E": "depositHeld"}
    for letters, meaning in meanings.items():
        chooses_option(hand, f"What column {letters} is", meaning)
    for title in ("おうちだい", "あずかり"):
        chooses_option(hand, f"Unit, {title}", "1000")
    types_into(hand.page.get_by_label("Building for rows without one"), "菊池荘")
    hand.presses_on(hand.button("End of this month"))
    go_on(hand, "Rooms")
    expect(hand.page.get_by_label("Rent, 101")).to_have_value("50000")
    expect(hand.page.get_by_label("Rent, 102")).to_have_value("51000")
