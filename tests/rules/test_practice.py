"""The rules of an operator's practice answer their worked cases."""

import pytest

from tests.cases.by_rules import tell_story
from tests.cases.files import group_of, kept_cases, kept_stories
from tests.cases.practice import ANSWERS, NOT_YET, NOT_YET_STEPS
from tests.cases.runner import unknown_groups
from tests.rules.worked_cases import Given, differences


@pytest.mark.parametrize("case", kept_cases("practice.json", *ANSWERS), ids=lambda case: case["id"])
def test_a_case_of_the_practice_comes_out_as_it_is_written(case: Given) -> None:
    answer = ANSWERS[group_of(case)](case["given"])
    assert list(differences(case["expect"], answer)) == []


def test_each_group_of_the_practice_is_answered_or_named_as_not_yet() -> None:
    assert {group_of(case) for case in kept_cases("practice.json")} == ANSWERS.keys() | NOT_YET
    assert not ANSWERS.keys() & NOT_YET


@pytest.mark.parametrize("story", kept_stories("practice.json"), ids=lambda story: story["id"])
def test_a_story_of_the_practice_goes_as_it_is_told_once_it_is_answered(story: Given) -> None:
    unknown = set(unknown_groups(story))
    not_yet = {f"group {group}" for group in NOT_YET} | {f"step {step}" for step in NOT_YET_STEPS}
    assert unknown <= not_yet
    assert unknown or list(tell_story(story)) == []


def test_a_question_of_a_story_is_asked_with_what_the_story_shares() -> None:
    ask = {"do": "ask", "kind": "period"}
    steps = [
        {**ask, "given": {"months": 1}, "expect": {"last": "2026-02-28"}},
        {"do": "shared", "given": {"first": "2026-03-31"}},
        {**ask, "given": {"months": 6}, "expect": {"last": "2026-09-30"}},
        {**ask, "given": {"first": "2026-01-15", "months": 1}, "expect": {"last": "2026-02-15"}},
    ]
    story = {"rules": [56], "given": {"first": "2026-02-01"}, "steps": steps}
    (difference,) = tell_story(story)
    assert difference.startswith("step 4, ask: expect.last")
