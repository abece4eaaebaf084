"""Hypothesis tries any history of a house, on both databases.

PMS_HISTORIES=400 for as many as a release is tried with.
"""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from pms.foundation.database import Database
from tests.stories.history_money import HistoryOfMoney
from tests.stories.history_stays import HistoryOfStays
from tests.tiers import examples

pytestmark = pytest.mark.differs("sums and dates in SQL")

EXAMPLES = {"sqlite": examples(2, 20), "postgresql": examples(1, 5)}


class AnyHistory(HistoryOfStays, HistoryOfMoney):
    """Stays and money together."""


def test_whatever_is_tried_the_books_stay_in_order(
    database: Database, request: pytest.FixtureRequest
) -> None:
    kind = request.getfixturevalue("database_kind")

    class InThisDatabase(AnyHistory):
        def __init__(self) -> None:
            super().__init__(database)

    run_state_machine_as_test(
        InThisDatabase,
        settings=settings(
            max_examples=int(os.environ.get("PMS_HISTORIES", EXAMPLES[kind])),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
