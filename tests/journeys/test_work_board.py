"""The board under a mouse and under the keys: dragging is a button's twin, the focus moves on."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import TaskKind
from tests.cast import Cast
from tests.journeys.conftest import Desk, sign_in
from tests.upkeep.task_desk import added

_WIDE = {"width": 1280, "height": 900}


@pytest.fixture
def tasks(desk: Desk, database: Database, clock: FixedClock, cast: Cast) -> list[str]:
    """Three repairs that wait, in the order of the board."""
    return [
        added(database, clock, cast.sumida, kind=TaskKind.REPAIR, title=title)
        for title in ("Tap", "Lamp", "Door")
    ]


@pytest.fixture
def board(browser: Browser, desk: Desk, clock: FixedClock, tasks: list[str]) -> Iterator[Page]:
    """The office at the board, with a mouse."""
    context = browser.new_context(base_url=desk.base, viewport=_WIDE)  # type: ignore[arg-type]
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    sign_in(context, desk, clock, desk.staff.office_id)
    page = context.new_page()
    page.goto(f"/dashboard/{desk.slug}/work")
    yield page
    context.close()


def card(page: Page, task_id: str) -> Locator:
    return page.locator(f"#task-{task_id}")


def column(page: Page, state: str) -> Locator:
    return page.locator(f".column[data-state={state}]")


def drag(page: Page, task_id: str, state: str) -> None:
    """Take a card at its place line and let it go over a column."""
    # The script that drags is fetched when the pointer first comes to the board.
    with page.expect_event("requestfinished", lambda sent: "drag.js" in sent.url):
        page.locator(".board").hover()
    page.mouse.move(0, 0)
    handle, target = card(page, task_id).locator(".task-place"), column(page, state).locator("h2")
    start, end = handle.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 40, end["y"] + 40, steps=6)
    page.mouse.up()


def audited_moves(database: Database, cast: Cast, task_id: str) -> list[Any]:
    """What the audit keeps of the moves of a task, without when and which."""
    with database.reading(cast.sumida.workspace_id) as session:
        rows = session.scalars(
            select(AuditRecord)
            .where(AuditRecord.subject_id == task_id, AuditRecord.audit_event == "task.moved")
            .order_by(AuditRecord.at, AuditRecord.id)
        )
        return [(row.actor, row.before, row.after, row.via) for row in rows]


def test_a_dragged_card_leaves_the_same_trace_as_a_pressed_one(
    board: Page, tasks: list[str], database: Database, cast: Cast
) -> None:
    first, second, _ = tasks
    drag(board, first, "doing")
    expect(column(board, "doing").locator(f"#task-{first}")).to_be_visible()
    card(board, second).get_by_role("button", name="Start").click()
    expect(column(board, "doing").locator(f"#task-{second}")).to_be_visible()
    expect(board.locator("#count-doing")).to_have_text("2")
    expect(board.locator("#count-todo")).to_have_text("1")
    assert audited_moves(database, cast, first) == audited_moves(database, cast, second) != []


def test_a_card_dragged_on_hold_asks_for_the_reason(
    board: Page, tasks: list[str], database: Database, cast: Cast
) -> None:
    dragged, chosen, _ = tasks
    drag(board, dragged, "on_hold")
    board.locator("#moves").get_by_role("button", name="No access").click()
    expect(column(board, "on_hold").locator(f"#task-{dragged}")).to_contain_text("No access")
    card(board, chosen).get_by_role("button", name="Move…").click()
    board.locator("#moves").get_by_role("button", name="No access").click()
    expect(column(board, "on_hold").locator(f"#task-{chosen}")).to_be_visible()
    assert audited_moves(database, cast, dragged) == audited_moves(database, cast, chosen) != []


def test_a_finger_drags_nothing(
    browser: Browser, desk: Desk, board: Page, tasks: list[str]
) -> None:
    board.locator(".board").dispatch_event("pointerover", {"pointerType": "touch", "bubbles": True})
    loaded = "performance.getEntriesByType('resource').some((one) => one.name.includes('drag.js'))"
    assert not board.evaluate(loaded)


def test_the_keys_walk_the_board_and_the_focus_moves_on(board: Page, tasks: list[str]) -> None:
    first, second, third = tasks
    board.keyboard.press("j")
    expect(card(board, first).locator("h3 a")).to_be_focused()
    board.keyboard.press("j")
    board.keyboard.press("k")
    expect(card(board, first).locator("h3 a")).to_be_focused()
    board.keyboard.press("s")
    expect(column(board, "doing").locator(f"#task-{first}")).to_be_visible()
    expect(card(board, second).locator("h3 a")).to_be_focused()
    board.keyboard.press("d")
    expect(column(board, "done").locator(f"#task-{second}")).to_be_visible()
    expect(card(board, third).locator("h3 a")).to_be_focused()
    board.keyboard.press("m")
    expect(board.locator("#moves")).to_be_visible()
    board.keyboard.press("Escape")
    expect(board.locator("#moves")).not_to_be_visible()
    expect(card(board, third).get_by_role("button", name="Move…")).to_be_focused()
    expect(board.locator("#undo")).to_contain_text("Lamp: Done")
    board.keyboard.press("?")
    expect(board.locator("#keys")).to_contain_text("Next task, previous task")
    board.locator("#keys input[type=checkbox]").check()
    board.keyboard.press("Escape")
    board.keyboard.press("s")
    board.locator("main").focus()
    board.keyboard.press("j")
    assert board.evaluate("document.activeElement.id") == "main"


def test_what_was_undone_stands_where_it_stood(board: Page, tasks: list[str]) -> None:
    first = tasks[0]
    card(board, first).get_by_role("button", name="Start").click()
    expect(column(board, "doing").locator(f"#task-{first}")).to_be_visible()
    board.locator("#undo").get_by_role("button", name="Undo").click()
    expect(column(board, "todo").locator(f"#task-{first}")).to_be_visible()
    expect(board.locator("#count-todo")).to_have_text("3")
    assert board.evaluate("document.activeElement !== document.body")
