"""The bench measures the same work on both sides: the floor answers what the product answers."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from pms.foundation.clock import FixedClock
from tests.bench.agreement import DisagreementError, check_agreement
from tests.bench.data import TINY, Data, seed
from tests.bench.goals import GOALS
from tests.bench.rounds import Figure, Spread

CLOCK = FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))
# Which pages of the lists are asked for, with every filter in every order.
FEW_PAGES = ({"limit": "500"}, {"page": "2", "locale": "ja"})
# Who was to move in this week and was never confirmed, and who left on the first day.
SELDOM = (
    "SET lifecycle = 'booked', move_in_date = '2026-11-15', starts_on = '2026-11-15'",
    "SET kind = 'guest', move_out_date = move_in_date, ends_on = starts_on",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Data]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tests.bench.data.SystemClock", lambda: CLOCK)
        seeded = seed(tmp_path_factory.mktemp("bench"), TINY)
    with closing(sqlite3.connect(seeded.path)) as connection, connection:
        for place, change in enumerate(SELDOM):
            some = (
                "SELECT id FROM reservation WHERE lifecycle = 'living' AND kind = 'resident'"
                f" AND move_out_date IS NULL ORDER BY id LIMIT 3 OFFSET {place * 3}"
            )
            connection.execute(f"UPDATE reservation {change} WHERE id IN ({some})")
    yield seeded


def test_the_floor_and_the_product_give_the_same_answers(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.agreement._PAGES", FEW_PAGES)
    assert check_agreement(data, CLOCK) > 250


@pytest.mark.thorough("the same for every page that the bench asks for")
def test_they_give_the_same_answers_on_every_page(data: Data) -> None:
    assert check_agreement(data, CLOCK) > 500


def test_a_floor_that_knows_better_is_found_out(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = ("available_now", None, "2026-01-01")
    monkeypatch.setattr("tests.bench.floor.units.availability", lambda *_: free)
    with pytest.raises(DisagreementError, match="/api/agent/properties"):
        check_agreement(data, CLOCK)


def test_every_goal_of_the_reading_half_is_measured() -> None:
    assert {f"S{number}" for number in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 15)} <= GOALS.keys()


@pytest.mark.parametrize(
    ("cost", "verdict", "is_close"),
    [(0.7, "stretch", False), (1.7, "must", False), (1.85, "MISSED", True), (2, "MISSED", False)],
)
def test_a_cost_is_judged_by_its_limits(cost: float, verdict: str, is_close: bool) -> None:
    figure = Figure("S1", "a cost", Spread(cost, cost, cost), 1.8, 0.8)
    assert (figure.verdict, figure.is_close) == (verdict, is_close)


def test_more_of_a_rate_is_better_and_close_by_more() -> None:
    figure = Figure("S3", "a rate", Spread(0.4, 0.4, 0.4), 0.45, 0.65, more_is_better=True)
    assert (figure.verdict, figure.is_close) == ("MISSED", True)
