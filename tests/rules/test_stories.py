"""Whole tenancies, told step by step: what our chapters know after each step is as it is told."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.rules.worked_cases import (
    STORIES_FILE,
    Answer,
    Given,
    answer_availability,
    answer_booking,
    answer_contract,
    answer_filter,
    answer_notice,
    answer_state,
    certain_day,
    differences,
    forced_flag,
    term,
    written,
)

Told = dict[str, Any]


def all_stories() -> list[Given]:
    stories: list[Given] = json.loads(STORIES_FILE.read_text("utf-8"))["stories"]
    return stories


def file_notice(told: Told, step: Given) -> None:
    filed_on = answer_notice({**told, **step})["filedOn"]
    told.update(filedOn=filed_on, moveOut=step["moveOut"], expectedDeparture=None)


def edit_notice(told: Told, step: Given) -> None:
    if step["moveOut"] < told["moveOut"]:
        told["filedOn"] = step["on"]
    told["moveOut"] = step["moveOut"]


HAPPENINGS: Mapping[str, Callable[[Told, Given], None]] = {
    "fileNotice": file_notice,
    "editNotice": edit_notice,
    "withdrawNotice": lambda told, step: told.update(filedOn=None, moveOut=None),
    "amend": lambda told, step: told.update(filedOn=step["on"], moveOut=step["lastDay"]),
    "force": lambda told, step: told.update(forcedOn=step["on"], forcedClearedOn=None),
    "clearForce": lambda told, step: told.update(forcedClearedOn=step["on"]),
    "successor": lambda told, step: told.update(successorStart=step["start"]),
    "cancel": lambda told, step: told.update(cancelled=True),
    "expectedDeparture": lambda told, step: told.update(expectedDeparture=step["date"]),
    "overrideMoveIn": lambda told, step: told.update(overrideMoveIn=step["to"]),
}


def stays_of(step: Given, reservations: Mapping[str, Told]) -> list[Told]:
    stays = []
    for name in step["unit"]:
        told = reservations[name]
        found, flag = term(told), forced_flag(told)
        is_forced = flag is not None and flag.is_set_on(certain_day(step, "today"))
        dates = {"start": written(found.start_on), "contractEnd": written(found.end_on)}
        stays.append({**told, **dates, "id": name, "forced": is_forced})
    if "corruptMoveOut" in step:
        stays[0]["moveOut"] = step["corruptMoveOut"]
    return stays


def answer_availability_step(step: Given, reservations: Mapping[str, Told]) -> Answer:
    return answer_availability({"today": step["today"], "stays": stays_of(step, reservations)})


def answer_booking_check(step: Given, reservations: Mapping[str, Told]) -> Answer:
    new = {"id": "new", "start": step["start"]}
    stays = [*stays_of(step, reservations), new]
    return answer_booking({"today": step["today"], "stays": stays, "new": "new"})


def answer_view(step: Given, reservations: Mapping[str, Told]) -> Answer:
    name = step.get("of", "A")
    unit = {"unit": name, "record": reservations[name].get("record", "resident")}
    return {"shown": answer_filter({"units": [unit], "query": step["query"]})["units"] == [name]}


UNIT_ANSWERS: Mapping[str, Callable[[Given, Mapping[str, Told]], Answer]] = {
    "availability": answer_availability_step,
    "bookingCheck": answer_booking_check,
    "view": answer_view,
}


def answer_of(step: Given, reservations: Mapping[str, Told]) -> Answer:
    """What our chapters know after a step; the steps of money belong to later chapters."""
    if step["do"] in UNIT_ANSWERS:
        return UNIT_ANSWERS[step["do"]](step, reservations)
    told = reservations[step.get("of", "A")]
    if step["do"] == "terms":
        return answer_contract(told)
    if step["do"] in {"fileNotice", "editNotice"}:
        return answer_notice(told)
    if step["do"] in {"state", "force", "clearForce", "successor", "withdrawNotice"}:
        return answer_state({**told, "on": step["on"]})
    return {}


@pytest.mark.parametrize("story", all_stories(), ids=lambda story: story["id"])
def test_a_story_goes_as_it_is_told(story: Given) -> None:
    reservations = {name: dict(told) for name, told in story["reservations"].items()}
    for number, step in enumerate(story["steps"], start=1):
        happens = HAPPENINGS.get(step["do"])
        if happens is not None:
            happens(reservations[step.get("of", "A")], step)
        answer = answer_of(step, reservations)
        expected = {name: step["expect"][name] for name in answer if name in step.get("expect", {})}
        assert not list(differences(expected, answer)), f"step {number}: {step['do']}"


def test_the_stories_ask_our_chapters_everything_they_can_answer() -> None:
    asked = {step["do"] for story in all_stories() for step in story["steps"]}
    assert asked >= {*UNIT_ANSWERS, "terms", "force", "successor", "fileNotice", "editNotice"}
