"""Journey 3: maintenance puts a repair on hold: four taps with a reason, seven with a photo."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from tests.cast import Cast
from tests.journeys.conftest import Desk, signed_in_on_a_phone
from tests.journeys.hands import KEYS, MOUSE, Hand, walked_by
from tests.surfaces.manual.browser import BrowserOfTests
from tests.upkeep.task_desk import added, read

MOST_TAPS = 4
MOST_TAPS_WITH_PHOTO = 7
# Choosing a picture in the phone's own sheet: open the camera, take it.
TAPS_OF_THE_PHONE = 2


@pytest.fixture
def task_id(desk: Desk, database: Database, clock: FixedClock, cast: Cast) -> str:
    """A tap drips in room 102."""
    return added(
        database,
        clock,
        cast.sumida,
        kind=TaskKind.REPAIR,
        title="蛇口の交換",
        assignee_id=desk.staff.maintenance_id,
    )


@pytest.fixture
def maintainer(
    browser_of_tests: BrowserOfTests, desk: Desk, clock: FixedClock, way: str
) -> Iterator[Hand]:
    """Sumida's maintenance worker with a phone in the hand."""
    yield from signed_in_on_a_phone(browser_of_tests, desk, clock, way, desk.staff.maintenance_id)


def puts_on_hold(hand: Hand, task_id: str) -> None:
    """Choose a reason in the menu; without scripts on the page of the task."""
    hand.opens("/work")
    card = hand.page.locator(f"#task-{task_id}")
    if hand.is_plain:
        card.get_by_role("link", name="蛇口の交換").click()
        hand.page.get_by_text("Put on hold…").click()
        hand.button("Waiting for parts").click()
        expect(hand.page.locator("h1 ~ .tag")).to_contain_text("Waiting for parts")
        return
    hand.presses_on(card.get_by_role("button", name="Move…"))
    hand.presses_on(hand.page.locator("#moves").get_by_role("button", name="Waiting for parts"))
    expect(card).to_have_attribute("data-state", "on_hold")
    expect(card).to_contain_text("Waiting for parts")


@walked_by(KEYS)
def test_a_reason_is_a_chip_in_the_menu(
    maintainer: Hand, task_id: str, database: Database, cast: Cast
) -> None:
    puts_on_hold(maintainer, task_id)
    maintainer.takes_at_most(MOST_TAPS)
    task = read(database, cast.sumida, task_id)
    assert (task.state, task.hold_reason) == (TaskState.ON_HOLD, HoldReason.PARTS)


@walked_by(MOUSE)
def test_a_photo_is_added_on_the_page_of_the_task(
    maintainer: Hand, task_id: str, tmp_path: Path
) -> None:
    picture = tmp_path / "tap.jpg"
    Image.new("RGB", (1_200, 900), "navy").save(picture, "JPEG")
    puts_on_hold(maintainer, task_id)
    if not maintainer.is_plain:
        card = maintainer.page.locator(f"#task-{task_id}")
        maintainer.presses_on(card.get_by_role("link", name="蛇口の交換"))
    field = maintainer.page.locator("input[type=file]").first
    field.set_input_files(picture)
    maintainer.presses += TAPS_OF_THE_PHONE
    form = maintainer.page.locator("form", has=field)
    maintainer.presses_on(form.locator("[type=submit]"))
    expect(maintainer.page.locator("main img").first).to_be_visible()
    maintainer.takes_at_most(MOST_TAPS_WITH_PHOTO)
