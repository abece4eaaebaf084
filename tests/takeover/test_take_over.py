"""Tenancies taken over, through the use cases: the worked cases and stories come out to the yen."""

import pytest

from pms.foundation.database import Database
from tests.rules.test_take_overs import CASES
from tests.rules.worked_cases import Given, differences, kind_of
from tests.stories.house import open_house
from tests.stories.invariants import hold
from tests.takeover.written_take_over import STEPS, TakenOverTelling, answer_case


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_a_case_of_a_tenancy_taken_over_comes_out(database: Database, case: Given) -> None:
    answer = answer_case(database, kind_of(case), case["given"])
    assert not list(differences(case["expect"], answer)), case["note"]


@pytest.mark.differs("sums and dates in SQL")
@pytest.mark.parametrize("story", CASES["stories"], ids=lambda story: story["id"])
def test_a_story_of_a_tenancy_taken_over_comes_out(database: Database, story: Given) -> None:
    telling = TakenOverTelling(story, open_house(database))
    for number, step in enumerate(story["steps"], start=1):
        telling.begin(step)
        answer = STEPS[step["do"]](telling, step)
        found = list(differences(step.get("expect", {}), answer))
        assert not found, f"{story['id']}, step {number}: {step['do']}"
        hold(telling.house)
