"""Tenancies taken over, through the use cases: the worked cases and stories come out to the yen."""

import pytest

from tests.cases.by_use_cases import check_case, tell_story
from tests.cases.files import kept_cases, kept_stories
from tests.cases.stage import Stage
from tests.rules.worked_cases import Given


@pytest.mark.parametrize("case", kept_cases("takeover.json"), ids=lambda case: case["id"])
def test_a_case_of_a_tenancy_taken_over_comes_out(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == [], case["note"]


@pytest.mark.differs("sums and dates in SQL")
@pytest.mark.parametrize("story", kept_stories("takeover.json"), ids=lambda story: story["id"])
def test_a_story_of_a_tenancy_taken_over_comes_out(stage: Stage, story: Given) -> None:
    assert not list(tell_story(stage, story))
