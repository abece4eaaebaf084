"""What a project costs: hours at their price and purchases, each line rounded once."""

import pytest

from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import (
    Bought,
    WorkedTime,
    cost_of_work,
    due_through,
    hours_cost,
    project_number,
    read_project_number,
)


@pytest.mark.parametrize(
    ("minutes", "hourly_yen", "yen"),
    [
        (60, 4_000, 4_000),
        (90, 4_000, 6_000),
        (10, 4_000, 667),  # 666.67
        (20, 3_001, 1_000),  # 1000.33
        (30, 3_001, 1_501),  # 1500.50: a half goes away from zero
        (1, 0, 0),
        (480, None, 0),  # the operator's own people cost nothing
    ],
)
def test_a_log_of_hours_costs_its_minutes_in_whole_yen(
    minutes: int, hourly_yen: int | None, yen: int
) -> None:
    assert hours_cost(minutes, hourly_yen) == yen


def test_every_log_is_rounded_by_itself_so_that_the_sum_is_what_stands_there() -> None:
    cost = cost_of_work([WorkedTime(10, 4_000)] * 3, [])
    assert cost.hours_yen == 3 * 667
    assert cost.minutes == 30
    assert cost.total_yen == 2_001


def test_hours_stand_under_repairs_and_purchases_under_their_own_category() -> None:
    cost = cost_of_work(
        [WorkedTime(60, 4_000)],
        [Bought(FeeCategory.REPAIR, 3_200), Bought(FeeCategory.CLEANING, 800)],
    )
    assert cost.by_category == {FeeCategory.REPAIR: 7_200, FeeCategory.CLEANING: 800}
    assert (cost.hours_yen, cost.purchases_yen, cost.total_yen) == (4_000, 4_000, 8_000)


def test_a_project_without_anything_costs_nothing() -> None:
    cost = cost_of_work([], [])
    assert cost.total_yen == 0
    assert cost.by_category == {}


@pytest.mark.parametrize(
    ("cost_then", "cost_later", "charged", "due"),
    [
        (7_200, 0, 4_000, 3_200),
        (800, 0, 800, 0),
        (0, 0, 50, -50),  # taken back after it was charged
        (3_000, 500, 0, 3_000),  # what came later is left for later
        (3_000, 500, 3_500, 0),  # it was charged early, and stays so
        (3_000, 500, 3_300, 0),
        (3_000, 500, 4_000, -500),
    ],
)
def test_what_is_due_through_a_day_leaves_later_cost_and_gives_back_what_is_too_much(
    cost_then: int, cost_later: int, charged: int, due: int
) -> None:
    assert due_through(cost_then + cost_later - charged, cost_then - charged) == due


@pytest.mark.parametrize(
    ("number", "name"), [(1, "PRJ-0001"), (42, "PRJ-0042"), (12_345, "PRJ-12345")]
)
def test_a_number_has_four_digits_or_more(number: int, name: str) -> None:
    assert project_number(number) == name
    assert read_project_number(name) == number


@pytest.mark.parametrize(
    "typed", ["PRJ-0042", "prj 42", "prj42", "42", " 0042 ", "ＰＲＪ－００４２"]
)
def test_a_number_is_read_as_people_type_it(typed: str) -> None:
    assert read_project_number(typed) == 42


@pytest.mark.parametrize("typed", ["", "PRJ-", "0", "42a", "4.2", "1" * 12, "room 42"])
def test_what_is_no_number_is_none(typed: str) -> None:
    assert read_project_number(typed) is None
