"""Whole tenancies, told step by step: after each step the law knows every figure that is told."""

import json
from collections.abc import Callable, Mapping

import pytest

from tests.rules.story_account import Account, no_day_is_billed_twice
from tests.rules.story_steps import HAPPENINGS, transfer_deposit
from tests.rules.worked_cases import (
    STORIES_FILE,
    Answer,
    Given,
    answer_availability,
    answer_booking,
    answer_contract,
    answer_filter,
    certain_day,
    differences,
    forced_flag,
    term,
    written,
)

Accounts = Mapping[str, Account]


def all_stories() -> list[Given]:
    stories: list[Given] = json.loads(STORIES_FILE.read_text("utf-8"))["stories"]
    return stories


def stays_of(step: Given, accounts: Accounts) -> list[Answer]:
    stays = []
    for name in step["unit"]:
        result = accounts[name].given
        found, flag = term(result), forced_flag(result)
        is_forced = flag is not None and flag.is_set_on(certain_day(step, "today"))
        dates = {"start": written(found.start_on), "contractEnd": written(found.end_on)}
        stays.append({**result, **dates, "id": name, "forced": is_forced})
    if "corruptMoveOut" in step:
        stays[0]["moveOut"] = step["corruptMoveOut"]
    return stays


def answer_availability_step(step: Given, accounts: Accounts) -> Answer:
    return answer_availability({"today": step["today"], "stays": stays_of(step, accounts)})


def answer_booking_check(step: Given, accounts: Accounts) -> Answer:
    new = {"id": "new", "start": step["start"]}
    stays = [*stays_of(step, accounts), new]
    return answer_booking({"today": step["today"], "stays": stays, "new": "new"})


def answer_view(step: Given, accounts: Accounts) -> Answer:
    name = step.get("of", "A")
    unit = {"unit": name, "record": accounts[name].given.get("record", "resident")}
    return {"shown": answer_filter({"units": [unit], "query": step["query"]})["units"] == [name]}


def answer_terms(step: Given, accounts: Accounts) -> Answer:
    return answer_contract(accounts[step.get("of", "A")].given)


def answer_transfer_step(step: Given, accounts: Accounts) -> Answer:
    return transfer_deposit(accounts[step.get("of", "A")], accounts[step["to"]], step)


ANSWERS: Mapping[str, Callable[[Given, Accounts], Answer]] = {
    "availability": answer_availability_step,
    "bookingCheck": answer_booking_check,
    "view": answer_view,
    "terms": answer_terms,
    "transferDeposit": answer_transfer_step,
}


def answer_of(step: Given, accounts: Accounts) -> Answer:
    if step["do"] in ANSWERS:
        return ANSWERS[step["do"]](step, accounts)
    return HAPPENINGS[step["do"]](accounts[step.get("of", "A")], step)


def retell(story: Given) -> None:
    accounts = {name: Account.opened(given) for name, given in story["reservations"].items()}
    for number, step in enumerate(story["steps"], start=1):
        answer = answer_of(step, accounts)
        found = list(differences(step.get("expect", {}), answer))
        assert not found, f"{story['id']}, step {number}: {step['do']}"
        no_day_is_billed_twice(accounts.values())


@pytest.mark.parametrize("story", all_stories(), ids=lambda story: story["id"])
def test_a_story_goes_as_it_is_told(story: Given) -> None:
    retell(story)


def test_the_machine_s_time_zone_changes_no_story(zone: str) -> None:
    assert zone
    for story in all_stories():
        retell(story)


def test_no_step_of_a_story_is_without_an_answer() -> None:
    asked = {step["do"] for story in all_stories() for step in story["steps"]}
    assert asked == ANSWERS.keys() | HAPPENINGS.keys() - {"state"}
