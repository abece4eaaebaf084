"""The page of a task of a project: what was reported, and whether one may go in; never by whom."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import ProjectState
from pms.upkeep.projects import end_project
from pms.upkeep.reported_words import reported_words
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.task_desk import added
from tests.upkeep.works import ACTOR, Works

WORDS = "水漏れ\n\n洗面台の奥の<b>管</b>から、夜だけ漏れます。"
SHOWN = "洗面台の奥の&lt;b&gt;管&lt;/b&gt;から、夜だけ漏れます。"
ALONE = "Do not enter alone"
KNOCK = "Occupied. Knock before you enter."


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def own(works: Works, may_enter: bool | None, what: str = WORDS) -> str:
    """Report a problem as the resident of room 101."""
    resident = {"reservation_id": works.house.resident_id, "may_enter": may_enter}
    return works.report(what, **resident)


def task_of(works: Works, project_id: str, unit_id: str | None = None) -> str:
    """Add a cleaning of room 101 to a project, of nobody."""
    where = {"unit_id": unit_id or works.house.residents_room_id, "project_id": project_id}
    return added(works.database, works.clock, works.house, **where)


def page(browser: Browser, task_id: str) -> str:
    """Return the page of a task in English."""
    answer = browser.get(f"/tasks/{task_id}?lang=en")
    assert answer.status_code == 200
    return answer.text


def test_whoever_has_the_task_reads_the_report_and_not_by_whom(
    housekeeper: Browser, maintainer: Browser, works: Works
) -> None:
    works.fold(works.report("別の案件の話"))
    task_id = task_of(works, works.fold(own(works, True), works.report("廊下も", unit_id=None)))
    for browser in (housekeeper, maintainer):
        shown = page(browser, task_id)
        assert "What was reported" in shown
        assert SHOWN in shown
        assert "廊下も" in shown
        assert "Shared areas" in shown
        assert "You may enter alone." in shown
        for hidden in ("佐藤", "サトウ", works.house.resident_email, "別の案件の話"):
            assert hidden not in shown
        assert KNOCK in shown
        assert ALONE not in shown


def test_only_together_is_said_before_anything_else(housekeeper: Browser, works: Works) -> None:
    project_id = works.fold(own(works, False), *(own(works, True, f"{n}件目") for n in range(6)))
    shown = page(housekeeper, task_of(works, project_id))
    assert shown.index(ALONE) < shown.index("What was reported")
    assert "Where: 101." in shown
    assert KNOCK not in shown
    assert SHOWN in shown, "the report that matters stands, however many came after it"
    assert "Showing 5 of 7 reports." in shown


def test_another_room_of_the_project_is_named_and_one_still_knocks_here(
    housekeeper: Browser, works: Works
) -> None:
    elsewhere = {"unit_id": works.house.free_room_id, "may_enter": False}
    shown = page(housekeeper, task_of(works, works.fold(works.report(WORDS, **elsewhere))))
    assert "Where: 102." in shown
    assert KNOCK in shown


def test_what_was_mended_is_read_and_warns_of_nothing(office: Browser, works: Works) -> None:
    done, cancelled = works.fold(own(works, False)), works.fold(own(works, False))
    with works.writing() as session:
        for project_id, into in ((done, ProjectState.DONE), (cancelled, ProjectState.CANCELLED)):
            end_project(Work(session, works.clock, ACTOR), project_id=project_id, into=into)
    task_id = added(works.database, works.clock, works.house)
    with works.writing() as session:
        end = {done: True, cancelled: False}
        for project_id, is_shown in end.items():
            found = reported_words(session, project_id)
            assert (found.total == 1) is is_shown
            assert not found.is_only_together
    assert "What was reported" not in page(office, task_id), "a task of no project"


def test_a_long_report_is_cut(housekeeper: Browser, works: Works) -> None:
    shown = page(housekeeper, task_of(works, works.fold(works.report("長" * 9_000))))
    assert "長" * 2_000 + "…" in shown


def test_reports_cost_the_page_one_question_however_many(
    housekeeper: Browser, works: Works
) -> None:
    few = task_of(works, works.fold(own(works, False)))
    many = task_of(works, works.fold(*(own(works, None, f"{n}") for n in range(20))))

    def asked(task_id: str) -> int:
        with statements() as sent:
            page(housekeeper, task_id)
        return len(sent)

    asked(few)
    assert asked(few) == asked(many) <= 17
