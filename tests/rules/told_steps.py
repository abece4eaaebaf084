"""Steps of a story that concern more than one reservation, or none of their ledgers."""

from collections.abc import Callable, Mapping

from tests.rules.story_account import Account
from tests.rules.story_steps import transfer_deposit
from tests.rules.worked_cases import (
    Answer,
    Given,
    answer_availability,
    answer_booking,
    answer_contract,
    certain_day,
    forced_flag,
    shown_units,
    term,
    written,
)

Accounts = Mapping[str, Account]


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
    return {"shown": shown_units({"units": [unit], "query": step["query"]}) == [name]}


def answer_terms(step: Given, accounts: Accounts) -> Answer:
    return answer_contract(accounts[step.get("of", "A")].given)


def answer_transfer_step(step: Given, accounts: Accounts) -> Answer:
    return transfer_deposit(accounts[step.get("of", "A")], accounts[step["to"]], step)


STEPS: Mapping[str, Callable[[Given, Accounts], Answer]] = {
    "availability": answer_availability_step,
    "bookingCheck": answer_booking_check,
    "view": answer_view,
    "terms": answer_terms,
    "transferDeposit": answer_transfer_step,
}
