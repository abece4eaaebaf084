"""The worked cases of balances, settlements, transfers and reporting come out of the database."""

import pytest

from tests.cases.by_use_cases import check_case
from tests.cases.files import kept_cases
from tests.cases.stage import Stage
from tests.deposits.worked_deposits import ANSWERS_ON_DEPOSITS
from tests.rules.worked_cases import Given

pytestmark = pytest.mark.differs("sums and dates in SQL")


@pytest.mark.parametrize(
    "case", kept_cases("rules.json", *ANSWERS_ON_DEPOSITS), ids=lambda case: case["id"]
)
def test_a_case_comes_out_of_the_ledger_as_it_is_written(stage: Stage, case: Given) -> None:
    assert check_case(lambda: stage, case) == []
