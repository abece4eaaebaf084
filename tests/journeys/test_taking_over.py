"""Moving in: an empty workspace, the operator's own rent roll, and next month's bill without a difference."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from pms.access.models import Member
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.rules.enumerations import StaffRole
from pms.workspaces.queries import open_workspace
from tests.journeys.conftest import Desk, sign_in
from tests.journeys.hands import MOUSE, TOUCH, Hand, hand_of, walked_by
from tests.surfaces.dashboard.money.conftest import Books
from tests.takeover.test_run import SAMPLES

SLUG = "moving-in"
MOST_PRESSES = 40


@pytest.fixture
def empty(desk: Desk, database: Database, clock: FixedClock) -> str:
    """A workspace without anything, of which Sumida's operator is the operator too."""
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug=SLUG, name="あおば不動産")
    with database.writing(workspace_id) as session:
        session.add(
            Member(
                person_id=desk.staff.operator_id,
                role=StaffRole.OPERATOR,
                accepted_at=clock.now(),
            )
        )
    return workspace_id


@pytest.fixture
def worker(settings: Settings, books: Books) -> Tools:
    """The worker that does what is asked for."""
    return Tools(settings, books.database, books.clock, choose_postbox(settings))


def _hand(browser: Browser, desk: Desk, clock: FixedClock, way: str, width: int) -> Iterator[Hand]:
    context = browser.new_context(
        base_url=desk.base,
        viewport={"width": width, "height": 844},
        has_touch=width < 500,
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(30_000)
    sign_in(context, desk, clock, desk.staff.operator_id)
    yield hand_of(context, way, f"/dashboard/{SLUG}")
    context.close()


@pytest.fixture
def operator(
    browser: Browser, desk: Desk, empty: str, clock: FixedClock, way: str
) -> Iterator[Hand]:
    """The operator at a desk."""
    yield from _hand(browser, desk, clock, way, 1280)


@pytest.fixture
def on_a_phone(
    browser: Browser, desk: Desk, empty: str, clock: FixedClock, way: str
) -> Iterator[Hand]:
    """The operator with a phone."""
    yield from _hand(browser, desk, clock, way, 390)


def send(hand: Hand, name: str) -> None:
    """Choose a file on the first page of the guide and have it read."""
    hand.opens("/takeover")
    hand.page.locator("input[type=file]").set_input_files(SAMPLES / name)
    hand.presses_on(hand.button("Read and show"))


def go_on(hand: Hand, heading: str) -> None:
    """Go to the next step, known by what stands in it."""
    hand.presses_on(hand.button("Save and go on"))
    expect(hand.page.locator("[aria-current=step]")).to_contain_text(heading)


def bill_december(hand: Hand, worker: Tools) -> None:
    """Somebody presses the one button of billing, and the worker bills."""
    hand.presses_on(hand.link("Go to billing"))
    hand.opens("/billing?month=2026-12")
    hand.presses += 2  # a choice of the month, and its button without scripts
    hand.presses_on(hand.page.get_by_role("button", name="Bill ", exact=False).first)
    expect(hand.page.locator("progress, .key-figures").first).to_be_visible()
    do_asked_runs(worker)
    hand.page.reload()


@walked_by(MOUSE, (MOUSE,))
def test_sixty_rooms_are_taken_over_and_december_is_billed(operator: Hand, worker: Tools) -> None:
    send(operator, "heights_aoba.xlsx")
    expect(operator.page.locator("table.grid")).to_contain_text("レントロール!7")
    go_on(operator, "Residents and contracts")
    expect(operator.page.locator("main")).to_contain_text("a company holds the contract")
    go_on(operator, "Money")
    # One row needs an answer: the move-in money of 303 pays through 31 December.
    operator.page.get_by_label("Answer, 303").select_option("taken")
    operator.presses += 2
    go_on(operator, "Check and go live")
    main = operator.page.locator("main")
    figures = main.locator(".key-figures")
    expect(figures).to_contain_text("¥3,885,000")
    expect(figures).to_contain_text("52 tenancies")
    expect(main.locator("table").first).to_contain_text("¥4,201,500")
    operator.presses_on(operator.button("Go live"))
    expect(main).to_contain_text("52 tenancies were taken over.")
    expect(main.locator(".key-figures")).to_contain_text("60")
    bill_december(operator, worker)
    expect(main.locator(".key-figures")).to_contain_text("¥3,885,000")
    operator.takes_at_most(MOST_PRESSES)


@walked_by(TOUCH, (TOUCH,))
def test_three_rooms_are_taken_over_on_a_phone(on_a_phone: Hand, worker: Tools) -> None:
    hand = on_a_phone
    send(hand, "three_rooms.tsv")
    hand.types(hand.page.get_by_label("Building of rows that name none"), "菊池荘")
    hand.presses_on(hand.button("Save for all rows"))
    expect(hand.page.locator("main")).to_contain_text("Saved.")
    go_on(hand, "Residents and contracts")
    go_on(hand, "Money")
    hand.page.get_by_label("Deposit held, 101").fill("55000")
    go_on(hand, "Check and go live")
    for name, sum_ in (("Deposits held", "113000"), ("Unpaid", "0")):
        hand.page.get_by_label(f"Your books, {name}").fill(sum_)
    hand.presses_on(hand.button("Go live"))
    main = hand.page.locator("main")
    expect(main).to_contain_text("2 tenancies were taken over.")
    bill_december(hand, worker)
    expect(main.locator(".key-figures")).to_contain_text("¥113,000")
    assert 0 < hand.presses <= MOST_PRESSES, hand.presses
