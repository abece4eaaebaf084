"""How the rules answer each group of cases, and tell a story."""

from collections.abc import Callable, Iterator, Mapping

from tests.cases import practice
from tests.cases.files import ASK, SHARE, group_of, is_of_practice, is_practice_story
from tests.rules import story_steps, take_overs, told_steps
from tests.rules.story_account import Account, no_day_is_billed_twice
from tests.rules.worked_cases import ANSWERS_BESIDES_MONEY, Answer, Given, differences
from tests.rules.worked_money import ANSWERS_ON_MONEY

Accounts = Mapping[str, Account]
Step = Callable[[Given, Accounts], Answer]

ANSWERS: Mapping[str, Callable[[Given], Answer | None]] = {
    **ANSWERS_BESIDES_MONEY,
    **ANSWERS_ON_MONEY,
    **take_overs.ANSWERS,
}
"""None where the rules know no answer: another one of the program's parts gives it."""


def check_case(case: Given) -> list[str] | None:
    """What differs from what a case expects; None when the rules are not asked."""
    answers = practice.ANSWERS if is_of_practice(case) else ANSWERS
    if group_of(case) not in answers:
        return None
    answer = answers[group_of(case)](case["given"])
    return None if answer is None else list(differences(case["expect"], answer))


def steps_of(story: Given) -> Mapping[str, Step]:
    """What may happen in a story; one of a tenancy taken over, or of the practice, asks for more."""
    if is_practice_story(story):
        happenings = {**story_steps.HAPPENINGS, **practice.HAPPENINGS}
        questions: Mapping[str, Step] = practice_questions(story)
    else:
        happenings = {**(take_overs if is_taken_over(story) else story_steps).HAPPENINGS}
        questions = {}
    return {
        **{name: _of_one_account(happen) for name, happen in happenings.items()},
        **told_steps.STEPS,
        **questions,
    }


def practice_questions(story: Given) -> Mapping[str, Step]:
    """The questions between the steps of a story; what it shares is given to each of them."""
    shared = dict(story.get("given", {}))

    def ask(step: Given, _accounts: Accounts) -> Answer:
        return practice.ANSWERS[step["kind"]]({**shared, **step["given"]})

    def share(step: Given, _accounts: Accounts) -> Answer:
        shared.update(step["given"])
        return {}

    return {ASK: ask, SHARE: share}


def is_taken_over(story: Given) -> bool:
    return any(step["do"] == "takeOver" for step in story["steps"])


def _of_one_account(happen: Callable[[Account, Given], Answer]) -> Step:
    return lambda step, accounts: happen(accounts[step.get("of", "A")], step)


def tell_story(story: Given) -> Iterator[str]:
    """Tell what differs, step by step."""
    reservations = story.get("reservations", {})
    accounts = {name: Account.opened(given) for name, given in reservations.items()}
    steps = steps_of(story)
    for number, step in enumerate(story["steps"], start=1):
        answer = steps[step["do"]](step, accounts)
        for difference in differences(step.get("expect", {}), answer):
            yield f"step {number}, {step['do']}: {difference}"
        no_day_is_billed_twice(accounts.values())
