"""Every worked case of the law that our chapters cover is answered as it is written."""

import os

import pytest

from tests.rules.worked_cases import (
    ANSWERS_BESIDES_MONEY,
    Given,
    all_cases,
    differences,
    is_asked_of_the_api,
    kind_of,
)
from tests.rules.worked_money import ANSWERS_ON_MONEY

ANSWERS = {**ANSWERS_BESIDES_MONEY, **ANSWERS_ON_MONEY}


def answered_cases() -> list[Given]:
    return [case for case in all_cases() if not is_asked_of_the_api(case)]


@pytest.mark.parametrize("case", answered_cases(), ids=lambda case: case["id"])
def test_the_law_answers_a_worked_case(case: Given) -> None:
    answer = ANSWERS[kind_of(case)](case["given"])
    assert not list(differences(case["expect"], answer)), case["note"]


def test_no_kind_of_case_is_without_an_answer_or_answered_twice() -> None:
    assert {kind_of(case) for case in all_cases()} == ANSWERS.keys()
    assert not ANSWERS_BESIDES_MONEY.keys() & ANSWERS_ON_MONEY.keys()


def test_only_the_parameters_of_a_list_are_left_to_the_api() -> None:
    left = [case for case in all_cases() if is_asked_of_the_api(case)]
    assert {case["given"]["list"] for case in left} == {"properties", "residents"}


def test_the_machine_s_time_zone_changes_no_answer(zone: str) -> None:
    assert os.environ["TZ"] == zone
    for case in answered_cases():
        answer = ANSWERS[kind_of(case)](case["given"])
        assert not list(differences(case["expect"], answer)), case["id"]


def test_a_comparison_sees_what_differs() -> None:
    assert list(differences({"a": [1, 2]}, {"a": [1, 3], "b": 0})) == [
        "expect.a[1]: expected 2, found 3"
    ]
    assert list(differences({"a": 1}, {})) == ["expect.a is not answered"]
    assert list(differences([1], [1, 2]))
    assert list(differences(1, True))
