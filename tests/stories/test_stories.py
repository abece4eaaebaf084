"""Whole tenancies through the use cases, on both databases: every yen that is told is found."""

import pytest

from pms.foundation.database import Database
from tests.rules.test_stories import all_stories
from tests.rules.worked_cases import Given, differences
from tests.stories.house import open_house
from tests.stories.invariants import hold
from tests.stories.story_questions import QUESTIONS
from tests.stories.story_settlements import SETTLEMENTS
from tests.stories.story_verbs import VERBS
from tests.stories.telling import Telling

pytestmark = pytest.mark.differs("sums and dates in SQL")

ANSWERS = {**VERBS, **SETTLEMENTS, **QUESTIONS}


@pytest.mark.parametrize("story", all_stories(), ids=lambda story: story["id"])
def test_a_story_goes_as_it_is_told(database: Database, story: Given) -> None:
    telling = Telling(story, open_house(database))
    for number, step in enumerate(story["steps"], start=1):
        telling.begin(step)
        answer = ANSWERS[step["do"]](telling, step)
        found = list(differences(step.get("expect", {}), answer))
        assert not found, f"{story['id']}, step {number}: {step['do']}"
        hold(telling.house)


def test_no_step_of_a_story_is_without_an_answer() -> None:
    asked = {step["do"] for story in all_stories() for step in story["steps"]}
    assert asked == ANSWERS.keys()
