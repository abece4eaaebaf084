"""Whole tenancies through the use cases, on both databases: every yen that is told is found."""

import pytest

from tests.cases.by_use_cases import STEPS, tell_story
from tests.cases.files import kept_stories
from tests.cases.stage import Stage
from tests.rules.worked_cases import Given

pytestmark = pytest.mark.differs("sums and dates in SQL")
STORIES = kept_stories("stories.json")


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_a_story_goes_as_it_is_told(stage: Stage, story: Given) -> None:
    assert not list(tell_story(stage, story))


def test_no_step_of_a_story_is_without_an_answer() -> None:
    asked = {step["do"] for story in STORIES for step in story["steps"]}
    assert asked == STEPS.keys()
