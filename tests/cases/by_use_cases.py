"""How the use cases answer each group of cases over a database, and tell a story."""

from collections.abc import Callable, Iterator, Mapping

from tests.cases.by_rules import is_taken_over
from tests.cases.files import ASK, SHARE, group_of, is_of_practice
from tests.cases.stage import Stage
from tests.departures.worked_departures import ANSWERS_ON_DEPARTURES
from tests.deposits.worked_deposits import ANSWERS_ON_DEPOSITS
from tests.rules.worked_cases import Answer, Given, differences
from tests.stories.house import open_house
from tests.stories.invariants import hold
from tests.stories.story_questions import QUESTIONS
from tests.stories.story_settlements import SETTLEMENTS
from tests.stories.story_verbs import VERBS
from tests.stories.telling import Telling
from tests.surfaces.agent_api.worked_answers import ANSWERS_OF_THE_API
from tests.takeover import written_take_over

ANSWERS: Mapping[str, Callable[[Stage, Given], Answer | None]] = {
    **ANSWERS_ON_DEPARTURES,
    **ANSWERS_ON_DEPOSITS,
    **ANSWERS_OF_THE_API,
    **written_take_over.ANSWERS,
}
"""None where a case cannot be brought about here: the rules alone answer it."""

OF_PRACTICE = frozenset({"settlement-paper"})
"""Groups of the practice that the use cases answer too."""

STEPS = {**VERBS, **SETTLEMENTS, **QUESTIONS}


def check_case(set_stage: Callable[[], Stage], case: Given) -> list[str] | None:
    """What differs from what a case expects; None when the use cases are not asked."""
    group = group_of(case)
    # Names of the practice's groups are used by others too, for other questions.
    if group not in ANSWERS or (is_of_practice(case) and group not in OF_PRACTICE):
        return None
    answer = ANSWERS[group](set_stage(), case["given"])
    return None if answer is None else list(differences(case["expect"], answer))


def steps_of(story: Given) -> Mapping[str, Callable[[Telling, Given], Answer]]:
    return written_take_over.STEPS if is_taken_over(story) else STEPS


def can_tell(story: Given) -> bool:
    """Whether the house knows every step; a story that only asks questions happens in none."""
    happening = {step["do"] for step in story["steps"]} - {ASK, SHARE}
    return bool(happening) and happening <= steps_of(story).keys()


def tell_story(stage: Stage, story: Given) -> Iterator[str]:
    """Tell what differs, step by step; after each the books hold together."""
    telling_of = written_take_over.TakenOverTelling if is_taken_over(story) else Telling
    telling, steps = telling_of(story, open_house(stage.database)), steps_of(story)
    for number, step in enumerate(story["steps"], start=1):
        if step["do"] in {ASK, SHARE}:
            continue  # pure questions: the rules answer them
        telling.begin(step)
        answer = steps[step["do"]](telling, step)
        for difference in differences(step.get("expect", {}), answer):
            yield f"step {number}, {step['do']}: {difference}"
        hold(telling.house)
