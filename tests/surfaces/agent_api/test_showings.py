"""Scheduled viewings by day, place and status."""

from datetime import UTC, datetime
from typing import Any

import pytest

from pms.rules.enumerations import ViewingStatus
from tests.cast import viewing
from tests.surfaces.agent_api.asking import Asker, Home

pytestmark = pytest.mark.differs("time")


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


@pytest.fixture
def showings(home: Home) -> dict[str, str]:
    """Viewings around midnight in Japan, which is 15:00 UTC."""
    units = {name: home.unit(name) for name in ("101", "102")}
    late, early = at(23, 14, 59), at(23, 15)
    for name, starts_at, status, unit in (
        ("before", late, ViewingStatus.DONE, "101"),
        ("first", early, ViewingStatus.SCHEDULED, "101"),
        ("last", at(24, 14, 59), ViewingStatus.CANCELLED, "102"),
        ("after", at(24, 15), ViewingStatus.NO_SHOW, "102"),
    ):
        home.store(
            viewing(visitor_name=name, starts_at=starts_at, status=status, unit_id=units[unit])
        )
    return units


def names(asker: Asker, **query: Any) -> str:
    data = asker.data("/showings", **query)
    assert data["pagination"]["total"] == len(data["showings"])
    return " ".join(showing["visitor"]["name"] for showing in data["showings"])


def test_days_are_japanese_and_both_included(visitor: Asker, showings: dict[str, str]) -> None:
    assert names(visitor) == "before first last after"
    assert names(visitor, **{"from": "2026-11-24", "to": "2026-11-24"}) == "first last"
    assert names(visitor, **{"from": "2026-11-24"}) == "first last after"
    assert names(visitor, to="2026-11-23") == "before"
    assert names(visitor, **{"from": "1900-01-01", "to": "2200-12-31"}) == names(visitor)


def test_places_and_statuses_narrow(visitor: Asker, home: Home, showings: dict[str, str]) -> None:
    assert names(visitor, unit="101") == "before first"
    assert names(visitor, unit=showings["102"]) == "last after"
    assert names(visitor, building="カワセミ荘") == names(visitor)
    assert names(visitor, building=home.building_id, status="done") == "before"
    assert names(visitor, building="別館") == ""
    for status in ViewingStatus:
        assert len(names(visitor, status=status).split()) == 1


def test_a_showing_tells_when_it_ends(visitor: Asker, showings: dict[str, str]) -> None:
    body = visitor.data("/showings")["showings"][0]
    assert (body["startsAt"], body["endsAt"]) == ("2026-11-23T14:59:00Z", "2026-11-23T15:29:00Z")


@pytest.mark.parametrize(
    "asked",
    [
        {"from": "24-11-2026"},
        {"to": "tomorrow"},
        {"status": "finished"},
        {"from": "2026-11-25", "to": "2026-11-24"},
        {"unit": "x" * 201},
    ],
)
def test_what_is_wrong_is_named(visitor: Asker, asked: dict[str, str]) -> None:
    assert visitor.refused("/showings", **asked).startswith(f"{list(asked)[-1]}: '")
