"""What a contractor reads of the reports of their project: words and the way in, and nobody's"
" name."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.contractor_links.conftest import Phone, Site
from tests.upkeep.works import Works

pytestmark = pytest.mark.differs("one journey through each surface")

WORDS = "水漏れ\n\n洗面台の奥の管から、夜だけ漏れます。"
SHOWN = "洗面台の奥の管から、夜だけ漏れます。"
ALONE = "Do not enter alone"


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def fold(works: Works, site: Site, may_enter: bool | None, what: str = WORDS) -> None:
    """Report a problem as the resident of room 101, and fold it into a project."""
    resident = {"reservation_id": works.house.resident_id, "may_enter": may_enter}
    works.fold(works.report(what, **resident), project_id=site.project_id)


def pages(phone: Phone) -> list[str]:
    """Return the page of the project and the page of its task, in English."""
    answers = [phone.get(path + "?lang=en") for path in ("", f"/tasks/{phone.site.task_id}")]
    assert [answer.status_code for answer in answers] == [200, 200]
    return [answer.text for answer in answers]


def test_a_contractor_reads_the_report_and_not_by_whom(phone: Phone, works: Works) -> None:
    for shown in pages(phone):
        assert "What was reported" not in shown
    fold(works, phone.site, True)
    for shown in pages(phone):
        assert "What was reported" in shown
        assert SHOWN in shown
        assert "You may enter alone." in shown
        assert ALONE not in shown
        for hidden in ("佐藤", "サトウ", works.house.resident_email, works.house.resident_id):
            assert hidden not in shown


def test_only_together_is_said_first(phone: Phone, works: Works) -> None:
    fold(works, phone.site, False)
    for shown in pages(phone):
        assert shown.index(ALONE) < shown.index("What was reported")
        assert "Where: 101." in shown
        assert "Do not enter without the resident." in shown
    phone.post(f"/tasks/{phone.site.task_id}", {"state": "done", "moves": "0"})
    project, task = pages(phone)
    assert ALONE in project
    assert ALONE not in task


def test_a_report_of_another_project_is_never_shown(
    phone: Phone, next_door: Site, elsewhere: Site, works: Works, cast: Cast
) -> None:
    fold(works, next_door, False, "隣の案件の報告")
    fold(Works(works.database, works.clock, cast.minato), elsewhere, False, "港の報告")
    works.report("まだ誰も決めていない報告", may_enter=False)
    for shown in pages(phone):
        for other in ("隣の案件の報告", "港の報告", "まだ誰も決めていない報告", ALONE):
            assert other not in shown
    assert "隣の案件の報告" in pages(Phone(phone.client, next_door))[0]


def test_many_reports_are_bounded_and_ask_as_often_as_one(phone: Phone, works: Works) -> None:
    def asked() -> int:
        with statements() as sent:
            pages(phone)
        return len(sent)

    fold(works, phone.site, False)
    asked()
    one = asked()
    for number in range(8):
        fold(works, phone.site, True, f"{number}件目の報告")
    assert asked() == one
    for shown in pages(phone):
        assert shown.count("件目の報告") == 4
        assert SHOWN in shown
        assert "Showing 5 of 9 reports." in shown
