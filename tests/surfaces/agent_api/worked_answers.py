"""How the JSON API answers the worked cases of availability, filters and checks of a request."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from pms.foundation.tokens import new_key
from pms.rules.days import read_day
from pms.rules.enumerations import ReservationKind, Scope
from pms.rules.request_budget import Checks
from pms.rules.unit_stays import conflicts, read_spans
from pms.workspaces.models import PolicyRow
from tests.cases.stage import Stage
from tests.cast import LONG_AGO, Cast, building, external_block, introduce, reservation
from tests.rules.worked_cases import Answer, Given, certain_day, instant, policy_of, stay
from tests.surfaces.agent_api.asking import (
    EVERYTHING_ELSE,
    PEOPLE,
    PLENTY,
    Asker,
    Home,
    asker,
    empty_home,
    error_of,
    next_id,
)

CHECKS = {
    "keyValid": "is_key_valid",
    "budgetLeft": "is_budget_left",
    "scope": "has_scope",
    "valid": "is_valid",
    "found": "is_found",
}


def stay_row(unit_id: str, given: Given) -> Any:
    """The stay of a case as a row that the constraint against overlaps leaves alone."""
    columns = {
        "move_in_date": "start",
        "contract_end_date": "contractEnd",
        "move_out_date": "moveOut",
        "expected_departure_date": "expectedDeparture",
    }
    return reservation(
        unit_id=unit_id,
        kind=ReservationKind(given.get("record", "resident")),
        forced_on=read_day("2026-05-01") if given.get("forced") else None,
        cancelled_at=LONG_AGO if given.get("cancelled") else None,
        **{column: read_day(given.get(name)) for column, name in columns.items()},
    )


def block_row(unit_id: str, given: Given) -> Any:
    return external_block(
        unit_id=unit_id, first_on=read_day(given.get("first")), last_on=read_day(given.get("last"))
    )


def cannot_be_stored(given: Given) -> bool:
    """Stays that overlap: the law answers about them, the database never takes them in.

    A forced flag may come upon a successor already booked, so it makes no overlap there.
    """
    stays = [stay(member)._replace(is_forced=False) for member in given["stays"]]
    reading = read_spans(stays, certain_day(given, "today"), policy_of(given))
    return bool(conflicts(reading.spans))


def answer_availability(stage: Stage, given: Given) -> Answer | None:
    """What the list and the unit's own address say, and which filters let the unit through."""
    if cannot_be_stored(given):
        return None
    stage.go_to(certain_day(given, "today"))
    home = empty_home(stage.database)
    home.store(PolicyRow(id=home.workspace_id, **given.get("policy", {})))
    unit_id = home.unit("asked")
    home.store(*(stay_row(unit_id, member) for member in given["stays"]))
    home.store(*(block_row(unit_id, block) for block in given.get("blocks", ())))
    ask = asker(stage.open_client(), stage.database, stage.clock, home.workspace_id)
    (unit,) = ask.units()
    availability = unit["availability"]
    assert ask.data(f"/properties/{unit_id}")["unit"]["availability"] == availability
    answer = {
        "state": availability["state"],
        "date": availability["on"],
        "label": availability["label"],
        "offeredMoveIn": availability["moveInFrom"],
        "matchesAvailableNow": bool(ask.names(availableNow="true")),
    }
    assert availability["confirmed"] == (answer["offeredMoveIn"] is not None)
    assert answer["matchesAvailableNow"] == (answer["state"] == "available_now")
    if "moveInBy" in given:
        answer["matchesMoveInBy"] = bool(ask.names(moveInBy=given["moveInBy"]))
    return answer


def answer_filter(stage: Stage, given: Given) -> Answer:
    """Which units a list shows, or how it reads its parameters."""
    stage.go_to(date(2026, 6, 10))
    home = empty_home(stage.database)
    scopes = PEOPLE if given.get("list") == "residents" else EVERYTHING_ELSE
    ask = asker(stage.open_client(), stage.database, stage.clock, home.workspace_id, scopes)
    if "units" in given:
        for member in given["units"]:
            kind = ReservationKind(member["record"])
            home.store(reservation(unit_id=home.unit(member["unit"]), kind=kind))
        return {"units": sorted(ask.names(**given["query"]))}
    return _answer_list(home, ask, given)


def _answer_list(home: Home, ask: Asker, given: Given) -> Answer:
    for area in ("north", "east", "west"):
        there = next_id()
        home.store(building(id=there, slug=area, name=area, area=area))
        home.unit(area, building_id=there)
    home.store(reservation(unit_id=home.unit("taken")))
    answer = ask.get(f"/{given['list']}", **given["query"])
    if answer.status_code != 200:
        return {"status": answer.status_code}
    data = answer.get_json()["data"]
    names = {unit["name"] for unit in data["units"]}
    return {
        "status": answer.status_code,
        "limit": data["pagination"]["limit"],
        "areas": sorted(names - {"taken"}),
        "availableNow": "taken" not in names,
        "hasCampaign": not names,  # No unit here has one.
    }


def answer_door(stage: Stage, given: Given) -> Answer | None:
    """Whether a request passes, or with which status the first check that fails speaks."""
    if "usedAt" in given:
        return None  # A sign-in code is no key of the API.
    cast, client = introduce(stage.database), stage.open_client()

    def issue(*scopes: Scope, budget: int = PLENTY) -> Asker:
        facts = stage.database, stage.clock, cast.sumida.workspace_id
        return asker(client, *facts, frozenset(scopes), budget=budget)

    if "budget" not in given:
        checks = Checks(**{CHECKS[name]: value for name, value in given.items()})
        return {"status": status_for(cast, issue, checks)}
    ask = issue(Scope.CONTENT_READ, budget=given["budget"])
    for earlier in given["earlier"]:
        stage.clock.advance(instant(earlier, "at") - stage.clock.now())
        for _ in range(earlier["requests"]):
            ask.get("/site/config")
    stage.clock.advance(instant(given, "now") - stage.clock.now())
    return {"passes": {200: True, 429: False}[ask.get("/site/config").status_code]}


def status_for(cast: Cast, issue: Callable[..., Asker], checks: Checks) -> int:
    """Ask for one post, with everything wrong that the checks say."""
    ask = issue(
        Scope.CONTENT_READ if checks.has_scope else Scope.CHAT_INVOKE,
        budget=PLENTY if checks.is_budget_left else 1,
    )
    if not checks.is_budget_left:
        ask.get("/site/config")
    if not checks.is_key_valid:
        ask = Asker(ask.client, new_key())
    slug = cast.sumida.post_slug if checks.is_found else "nothing"
    answer = ask.get(f"/site/posts/{slug}", locale="en" if checks.is_valid else "fr")
    if answer.status_code != 200:
        error_of(answer)
    return answer.status_code


ANSWERS_OF_THE_API: Mapping[str, Callable[[Stage, Given], Answer | None]] = {
    "availability": answer_availability,
    "filter": answer_filter,
    "door": answer_door,
}
