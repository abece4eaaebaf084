"""The rules of an operator's practice answer their worked cases."""

import pytest

from tests.cases.files import group_of, kept_cases
from tests.cases.practice import ANSWERS, NOT_YET
from tests.rules.worked_cases import Given, differences


@pytest.mark.parametrize("case", kept_cases("practice.json", *ANSWERS), ids=lambda case: case["id"])
def test_a_case_of_the_practice_comes_out_as_it_is_written(case: Given) -> None:
    answer = ANSWERS[group_of(case)](case["given"])
    assert list(differences(case["expect"], answer)) == []


def test_each_group_of_the_practice_is_answered_or_named_as_not_yet() -> None:
    assert {group_of(case) for case in kept_cases("practice.json")} == ANSWERS.keys() | NOT_YET
    assert not ANSWERS.keys() & NOT_YET
