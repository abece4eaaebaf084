"""Every worked case of the law that our chapters cover is answered as it is written."""

import os

import pytest

from tests.cases.by_rules import ANSWERS, check_case
from tests.cases.files import group_of, kept_cases
from tests.rules.worked_cases import ANSWERS_BESIDES_MONEY, Given, differences
from tests.rules.worked_money import ANSWERS_ON_MONEY


def answered_cases() -> list[Given]:
    return [case for case in kept_cases("rules.json") if "list" not in case["given"]]


@pytest.mark.parametrize("case", answered_cases(), ids=lambda case: case["id"])
def test_the_law_answers_a_worked_case(case: Given) -> None:
    assert check_case(case) == [], case["note"]


def test_no_kind_of_case_is_without_an_answer_or_answered_twice() -> None:
    asked = {
        group_of(case) for name in ("rules", "takeover") for case in kept_cases(f"{name}.json")
    }
    assert asked == ANSWERS.keys()
    assert not ANSWERS_BESIDES_MONEY.keys() & ANSWERS_ON_MONEY.keys()


def test_only_the_parameters_of_a_list_are_left_to_the_api() -> None:
    left = [case for case in kept_cases("rules.json") if check_case(case) is None]
    assert {case["given"]["list"] for case in left} == {"properties", "residents"}


def test_the_machine_s_time_zone_changes_no_answer(zone: str) -> None:
    assert os.environ["TZ"] == zone
    for case in answered_cases():
        assert check_case(case) == [], case["id"]


def test_a_comparison_sees_what_differs() -> None:
    assert list(differences({"a": [1, 2]}, {"a": [1, 3], "b": 0})) == [
        "expect.a[1]: expected 2, found 3"
    ]
    assert list(differences({"a": 1}, {})) == ["expect.a is not answered"]
    assert list(differences([1], [1, 2]))
    assert list(differences(1, True))
