"""The worked cases of availability, filters and checks, stored as rows and asked of the API."""

import pytest
from sqlalchemy.exc import DBAPIError

from tests.cases.by_use_cases import check_case
from tests.cases.files import group_of, kept_cases
from tests.cases.stage import Stage
from tests.rules.worked_cases import Given
from tests.surfaces.agent_api.asking import Home
from tests.surfaces.agent_api.worked_answers import (
    ANSWERS_OF_THE_API,
    cannot_be_stored,
    stay_row,
)

OVERLAPPING = [
    case for case in kept_cases("rules.json", "availability") if cannot_be_stored(case["given"])
]
LISTED = [
    case for case in kept_cases("rules.json", "availability", "filter") if case not in OVERLAPPING
]
CHECKED = [case for case in kept_cases("rules.json", "door") if "usedAt" not in case["given"]]


@pytest.mark.differs("sums and dates in SQL")
@pytest.mark.parametrize("case", LISTED, ids=lambda case: case["id"])
def test_a_list_answers_a_worked_case(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == [], case["note"]


@pytest.mark.parametrize("case", CHECKED, ids=lambda case: case["id"])
def test_the_checks_of_a_request_answer_a_worked_case(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == [], case["note"]


def test_every_group_of_the_api_has_cases() -> None:
    assert {group_of(case) for case in (*LISTED, *CHECKED)} == ANSWERS_OF_THE_API.keys()


@pytest.mark.differs("the constraint against overlaps")
def test_stays_that_overlap_cannot_even_be_stored(home: Home) -> None:
    # Twice two people living in one unit.
    assert [case["id"][-2:] for case in OVERLAPPING] == ["32", "33"]
    for case in OVERLAPPING:
        unit_id = home.unit(case["id"])
        with pytest.raises(DBAPIError, match="reservation_no_overlap"):
            home.store(*(stay_row(unit_id, member) for member in case["given"]["stays"]))
