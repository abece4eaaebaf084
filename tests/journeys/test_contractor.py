"""Journey 10: a contractor logs two hours and a part of ¥3,200: eight taps, twelve characters."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from playwright.sync_api import Locator, expect

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.upkeep.project_lines import project_hours, project_purchases
from tests.cast import Cast
from tests.journeys.hands import KEYS, ON_A_PHONE, PLAIN, TOUCH, Hand, hand_of, walked_by
from tests.surfaces.contractor_links.conftest import Site, made_site
from tests.surfaces.manual.browser import BrowserOfTests, served

MOST_TAPS, MOST_CHARACTERS = 8, 12
_PHONE = {"width": 390, "height": 844}


@dataclass
class Worker:
    """A contractor with a telephone; what is typed is counted."""

    hand: Hand
    site: Site
    characters: int = 0

    def taps(self, target: Locator) -> None:
        """Tap, or reach it by Tab and press Enter."""
        if self.hand.way == TOUCH:
            target.tap()
        else:
            self.hand.presses_on(target)

    def types(self, name: str, text: str) -> None:
        """Type into a field, which is tapped unless it has the focus already."""
        field = self.hand.page.locator(f"[name={name}]")
        self.characters += len(text)
        if self.hand.way != TOUCH:
            self.hand.types(field, text)
            return
        if not field.evaluate("field => field === document.activeElement"):
            field.tap()
        self.hand.page.keyboard.type(text)


@pytest.fixture
def worker(
    browser_of_tests: BrowserOfTests, app: Flask, clock: FixedClock, cast: Cast, way: str
) -> Iterator[Worker]:
    """A contractor at the page their link opened."""
    site = made_site(app, clock, cast.sumida)
    with served(app) as base:
        context = browser_of_tests.opened().new_context(
            base_url=base,
            viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
            has_touch=True,
            java_script_enabled=way != PLAIN,
        )
        context.set_default_timeout(15_000)
        yield Worker(hand_of(context, way, site.home), site)
        browser_of_tests.end_context(context)


@walked_by(TOUCH, ON_A_PHONE)
def test_two_hours_and_a_part(worker: Worker, database: Database, cast: Cast) -> None:
    hand = worker.hand
    hand.opens("?lang=en")
    worker.taps(hand.link("Log hours"))
    worker.types("minutes", "2")
    worker.taps(hand.button("Log hours"))
    expect(hand.page.get_by_role("status")).to_have_text("Hours saved.")
    worker.taps(hand.link("Add a purchase"))
    worker.types("what", "packing")
    worker.types("amountYen", "3200")
    worker.taps(hand.button("Add the purchase"))
    expect(hand.page.get_by_role("status")).to_have_text("Purchase added.")
    with database.reading(cast.sumida.workspace_id) as session:
        (logged,) = project_hours(session, worker.site.project_id)
        (bought,) = project_purchases(session, worker.site.project_id)
    assert (logged.minutes, logged.yen) == (120, 7_000)
    assert bought.amount_yen == 3_200
    assert worker.characters <= MOST_CHARACTERS
    if hand.way == TOUCH:
        assert 0 < hand.presses <= MOST_TAPS, f"{hand.presses} taps"


@walked_by(KEYS, ON_A_PHONE)
def test_a_task_waits_for_a_part(worker: Worker) -> None:
    hand = worker.hand
    hand.opens("?lang=en")
    worker.taps(hand.link("On hold…"))
    if hand.way == TOUCH:
        hand.page.locator("input[value=parts]").tap()
    else:
        hand.chooses("holdReason", "parts")
    worker.taps(hand.button("Put on hold"))
    expect(hand.page.locator(f"#task-{worker.site.task_id}")).to_contain_text("Waiting for parts")
    if hand.way == TOUCH:
        assert 0 < hand.presses <= 3, f"{hand.presses} taps"


@pytest.mark.thorough("a side path of the contractor's journey")
@walked_by(PLAIN, ON_A_PHONE)
def test_a_code_is_one_tap_behind_the_handbook(worker: Worker) -> None:
    hand = worker.hand
    hand.opens("?lang=en")
    worker.taps(hand.link("House guide and codes"))
    expect(hand.page.locator("main")).not_to_contain_text("*4821#")
    worker.taps(hand.button("Show the code: Entrance"))
    expect(hand.page.locator("main")).to_contain_text("*4821#")
