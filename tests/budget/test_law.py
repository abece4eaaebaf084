"""Every storage answers as the law and as a plain list of instants would."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pms.foundation.budget.rolling_window import BudgetResult
from pms.rules.request_budget import Spent, passes, retry_after_seconds
from tests.budget.conftest import HOUR, SECOND, Bench
from tests.cases.files import kept_cases
from tests.rules.worked_cases import Given

WINDOW_US = HOUR * SECOND
FORWARD_US = (0, 0, 0, 1, SECOND, 600 * SECOND + 7, WINDOW_US - 1, WINDOW_US, WINDOW_US + 1)
BACK_US = (-1, -30 * SECOND, -WINDOW_US, -WINDOW_US - 1, -3 * WINDOW_US)
STEPS_US = st.sampled_from(FORWARD_US + BACK_US)
REQUESTS = st.lists(st.tuples(STEPS_US, st.integers(0, 1), st.integers(0, 4)), max_size=40)


def budget_cases() -> list[Given]:
    return [case for case in kept_cases("rules.json", "door") if "budget" in case["given"]]


def at(instant_us: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant_us)


@dataclass
class PlainList:
    """What a key made, as the sentences of the rule put it and no faster."""

    instants: list[int] = field(default_factory=list)

    def spend(self, budget: int, now_us: int) -> BudgetResult:
        earlier = [instant for instant in self.instants if instant <= now_us + WINDOW_US]
        instant_us = max([now_us, *earlier])
        passed = passes(budget, at(instant_us), [Spent(at(each), 1) for each in earlier])
        counted = [each for each in (*earlier, instant_us) if each > instant_us - WINDOW_US]
        self.instants = counted  # what left the window stays gone, whatever the clock does
        back_us = instant_us - now_us  # a clock behind the newest request waits that much longer
        return BudgetResult(
            passed,
            budget,
            max(0, budget - len(counted)),
            ceil((counted[0] + WINDOW_US - now_us) / SECOND),
            None if passed else self._wait(budget, instant_us, back_us),
        )

    def _wait(self, budget: int, instant_us: int, back_us: int) -> int:
        if budget < 1 or back_us:
            turning = self.instants[-budget] if budget else instant_us - back_us
            return ceil((turning + WINDOW_US - instant_us + back_us) / SECOND)
        earlier = [Spent(at(each), 1) for each in self.instants]
        return retry_after_seconds(budget, at(instant_us), earlier)


@given(requests=REQUESTS)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_run_of_requests_is_answered_as_a_plain_list_answers(
    bench: Bench, new_bucket: Callable[[], str], requests: list[tuple[int, int, int]]
) -> None:
    keys = (new_bucket(), new_bucket())
    lists = (PlainList(), PlainList())
    bench.at(0)
    for step_us, which, budget in requests:
        bench.clock.us += step_us
        expected = lists[which].spend(budget, bench.clock.us)
        assert bench.spend(keys[which], budget) == expected


@pytest.mark.parametrize("case", budget_cases(), ids=lambda case: case["id"])
def test_a_worked_case_of_the_law_passes_as_written(case: Given, bench: Bench, bucket: str) -> None:
    found = case["given"]
    for earlier in found["earlier"]:
        bench.clock.us = microseconds(earlier["at"])
        bench.spend(bucket, found["budget"], times=earlier["requests"])
    bench.clock.us = microseconds(found["now"])
    assert bench.spend(bucket, found["budget"]).passed is case["expect"]["passes"]


def microseconds(instant: str) -> int:
    return int(datetime.fromisoformat(instant).timestamp()) * SECOND


def test_the_law_has_cases_for_the_budget() -> None:
    assert len(budget_cases()) >= 3
