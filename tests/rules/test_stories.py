"""Whole tenancies, told step by step: after each step the law knows every figure that is told."""

import pytest

from tests.cases.by_rules import steps_of, tell_story
from tests.cases.files import kept_stories
from tests.rules.worked_cases import Given

STORIES = kept_stories("stories.json")


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_a_story_goes_as_it_is_told(story: Given) -> None:
    assert not list(tell_story(story))


def test_the_machine_s_time_zone_changes_no_story(zone: str) -> None:
    assert zone
    for story in STORIES:
        assert not list(tell_story(story))


def test_no_step_of_a_story_is_without_an_answer() -> None:
    asked = {step["do"] for story in STORIES for step in story["steps"]}
    assert asked == steps_of(STORIES[0]).keys() - {"state"}
