"""The worked cases of availability and of the filters, stored as rows and asked of the API."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy.exc import DBAPIError

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.days import read_day
from pms.rules.enumerations import ReservationKind
from pms.rules.unit_stays import conflicts, read_spans
from pms.workspaces.models import PolicyRow
from tests.cast import LONG_AGO, building, external_block, reservation
from tests.rules.worked_cases import Given, all_cases, kind_of, policy_of, stay
from tests.surfaces.agent_api.asking import Asker, Home, asker, empty_home, next_id

pytestmark = pytest.mark.differs("sums and dates in SQL")

AVAILABILITY = [case for case in all_cases() if kind_of(case) == "availability"]
FILTERS = [case for case in all_cases() if kind_of(case) == "filter"]


@pytest.fixture
def clock() -> FixedClock:
    """10 June 2026, the day of every one of these cases."""
    return FixedClock(datetime(2026, 6, 10, 3, 0, tzinfo=UTC))


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


def shape_of(availability: Any) -> dict[str, Any]:
    return {
        "state": availability["state"],
        "date": availability["on"],
        "label": availability["label"],
        "offeredMoveIn": availability["moveInFrom"],
    }


def cannot_be_stored(given: Given) -> bool:
    """Stays that overlap: the law answers about them, the database never takes them in.

    A forced flag may come upon a successor already booked, so it makes no overlap there.
    """
    stays = [stay(each)._replace(is_forced=False) for each in given["stays"]]
    reading = read_spans(stays, date(2026, 6, 10), policy_of(given))
    return bool(conflicts(reading.spans))


def check(ask: Asker, case: Given, unit: Any) -> None:
    expected, found = case["expect"], shape_of(unit["availability"])
    filters = {"matchesAvailableNow": {"availableNow": "true"}}
    if "moveInBy" in case["given"]:
        filters["matchesMoveInBy"] = {"moveInBy": case["given"]["moveInBy"]}
    for name, query in filters.items():
        found[name] = unit["name"] in ask.names(**query)
    assert {name: found[name] for name in expected} == expected, case["note"]
    assert unit["availability"]["confirmed"] == (found["offeredMoveIn"] is not None)
    assert found["matchesAvailableNow"] == (found["state"] == "available_now")


def test_availability_is_as_in_every_worked_case(
    client: FlaskClient, database: Database, clock: FixedClock
) -> None:
    """One workspace for every policy, one unit for every case."""
    homes: dict[str, Home] = {}
    for case in AVAILABILITY:
        given = case["given"]
        if cannot_be_stored(given):
            continue
        policy = given.get("policy", {})
        slug = "-".join(f"{name}{value}" for name, value in policy.items()) or "usual"
        if slug not in homes:
            homes[slug] = empty_home(database, slug.replace("_", "-"))
            homes[slug].store(PolicyRow(id=homes[slug].workspace_id, **policy))
        unit_id = homes[slug].unit(case["id"])
        homes[slug].store(*(stay_row(unit_id, each) for each in given["stays"]))
        homes[slug].store(*(block_row(unit_id, block) for block in given.get("blocks", ())))
    checked = 0
    for home in homes.values():
        ask = asker(client, database, clock, home.workspace_id)
        units = {unit["name"]: unit for unit in ask.units()}
        for case in AVAILABILITY:
            if case["id"] in units:
                check(ask, case, units[case["id"]])
                unit_id = units[case["id"]]["id"]
                alone = ask.data(f"/properties/{unit_id}")["unit"]
                assert alone["availability"] == units[case["id"]]["availability"]
                checked += 1
    assert checked == len(AVAILABILITY) - 2


def test_stays_that_overlap_cannot_even_be_stored(home: Home) -> None:
    overlapping = [case for case in AVAILABILITY if cannot_be_stored(case["given"])]
    # Twice two people living in one unit.
    assert [case["id"][-2:] for case in overlapping] == ["32", "33"]
    for case in overlapping:
        unit_id = home.unit(case["id"])
        with pytest.raises(DBAPIError, match="reservation_no_overlap"):
            home.store(*(stay_row(unit_id, each) for each in case["given"]["stays"]))


@pytest.mark.parametrize("case", [c for c in FILTERS if "units" in c["given"]], ids=str)
def test_owner_residents_are_left_out_as_the_filter_says(
    home: Home, visitor: Asker, case: Given
) -> None:
    for each in case["given"]["units"]:
        kind = ReservationKind(each["record"])
        home.store(reservation(unit_id=home.unit(each["unit"]), kind=kind))
    assert sorted(visitor.names(**case["given"]["query"])) == case["expect"]["units"]


@pytest.mark.parametrize("case", [c for c in FILTERS if "list" in c["given"]], ids=str)
def test_parameters_are_read_as_in_the_worked_cases(
    home: Home, visitor: Asker, clerk: Asker, case: Given
) -> None:
    for area in ("north", "east", "west"):
        there = next_id()
        home.store(building(id=there, slug=area, name=area, area=area))
        home.unit(area, building_id=there)
    home.store(reservation(unit_id=home.unit("taken")))
    given, expected = case["given"], case["expect"]
    ask = clerk if given["list"] == "residents" else visitor
    answer = ask.get(f"/{given['list']}", **given["query"])
    assert answer.status_code == expected["status"], answer.text
    if expected["status"] != 200:
        return
    data = answer.get_json()["data"]
    names = {unit["name"] for unit in data["units"]}
    if "limit" in expected:
        assert data["pagination"]["limit"] == expected["limit"]
    if "areas" in expected:
        assert names == set(expected["areas"])
    if "availableNow" in expected:
        assert ("taken" not in names) == expected["availableNow"]
