"""Journey 2: a housekeeper starts and finishes a clean: two taps on the list of the day."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import TaskKind
from tests.cast import Cast
from tests.journeys.conftest import Desk, signed_in_on_a_phone
from tests.journeys.hands import KEYS, MOUSE, Hand, walked_by
from tests.surfaces.manual.browser import BrowserOfTests
from tests.upkeep.task_desk import added

MOST_TAPS = 2


@pytest.fixture
def task_id(desk: Desk, database: Database, clock: FixedClock, cast: Cast) -> str:
    """The housekeeper cleans room 102 today."""
    return added(
        database,
        clock,
        cast.sumida,
        kind=TaskKind.CLEANING,
        assignee_id=desk.staff.housekeeping_id,
        due_on=clock.today(),
    )


@pytest.fixture
def housekeeper(
    browser_of_tests: BrowserOfTests, desk: Desk, clock: FixedClock, way: str
) -> Iterator[Hand]:
    """Sumida's housekeeper with a phone in the hand."""
    yield from signed_in_on_a_phone(browser_of_tests, desk, clock, way, desk.staff.housekeeping_id)


def card_of(hand: Hand, task_id: str) -> Locator:
    """The card of a task."""
    return hand.page.locator(f"#task-{task_id}")


def moves(database: Database, cast: Cast, task_id: str) -> list[str]:
    """Where the task was moved to, as the audit tells it."""
    with database.reading(cast.sumida.workspace_id) as session:
        rows = session.scalars(
            select(AuditRecord)
            .where(AuditRecord.subject_id == task_id, AuditRecord.audit_event == "task.moved")
            .order_by(AuditRecord.at, AuditRecord.id)
        )
        return [(row.after or {})["state"] for row in rows]


@walked_by(MOUSE)
def test_a_clean_is_started_and_finished_on_the_list(
    housekeeper: Hand, task_id: str, database: Database, cast: Cast
) -> None:
    housekeeper.opens("/work")
    card = card_of(housekeeper, task_id)
    expect(card).to_contain_text("Kawasemi House 102")
    housekeeper.presses_on(card.get_by_role("button", name="Start"))
    expect(card).to_have_attribute("data-state", "doing")
    housekeeper.presses_on(card.get_by_role("button", name="Done"))
    expect(card).to_have_attribute("data-state", "done")
    expect(housekeeper.page.locator("#left")).to_have_text("1 of 1 done")
    housekeeper.takes_at_most(MOST_TAPS)
    assert moves(database, cast, task_id) == ["doing", "done"]


@walked_by(KEYS)
def test_a_tap_too_many_is_taken_back_by_one(
    housekeeper: Hand, task_id: str, database: Database, cast: Cast
) -> None:
    housekeeper.opens("/work")
    card = card_of(housekeeper, task_id)
    housekeeper.presses_on(card.get_by_role("button", name="Start"))
    expect(card).to_have_attribute("data-state", "doing")
    housekeeper.presses_on(housekeeper.page.get_by_role("button", name="Undo"))
    expect(card).to_have_attribute("data-state", "todo")
    assert moves(database, cast, task_id) == ["doing", "todo"]


@pytest.mark.thorough("a side path of the journey")
@walked_by(MOUSE, (MOUSE,))
def test_a_double_tap_starts_and_does_not_finish(
    housekeeper: Hand, task_id: str, database: Database, cast: Cast
) -> None:
    housekeeper.opens("/work")
    card = card_of(housekeeper, task_id)
    card.get_by_role("button", name="Start").dblclick()
    expect(card).to_have_attribute("data-state", "doing")
    assert moves(database, cast, task_id) == ["doing"]
