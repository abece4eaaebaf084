"""The worked cases of penalties and edits come out of the database as the law tells them."""

from datetime import date

import pytest

from pms.departures.notices import file_notice
from pms.rules.days import JAPAN
from pms.rules.enumerations import EntryKind
from tests.cases.by_use_cases import check_case
from tests.cases.files import kept_cases
from tests.cases.stage import Stage
from tests.departures.desk import Desk
from tests.departures.worked_departures import ANSWERS_ON_DEPARTURES
from tests.rules.worked_cases import Given

pytestmark = pytest.mark.differs("sums and dates in SQL")

CASES = [
    case
    for case in kept_cases("rules.json", *ANSWERS_ON_DEPARTURES)
    if not case["given"].get("amendment")
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_is_stored_billed_and_foretold_to_the_yen(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == []


def test_a_notice_filed_on_behalf_counts_from_the_day_in_japan_of_its_instant(desk: Desk) -> None:
    id_ = desk.resident("2025-05-01", "2025-10-31")
    desk.on("2025-10-05")
    at = desk.clock.now().astimezone(JAPAN).replace(day=3, hour=0, minute=30)
    asked = {"reservation_id": id_, "move_out_on": date(2025, 10, 31), "filed_at": at}
    found = desk.do(file_notice, **asked)
    assert found.notice.filed_on == date(2025, 10, 3)
    assert found.notice.notice_missing_days == 1
    assert desk.entries(id_, EntryKind.PENALTY)[0].issued_on == date(2025, 10, 5)
