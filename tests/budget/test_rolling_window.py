"""One key over time: what counts, what passes, when to come back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pms.foundation.budget import open_storage
from tests.budget.conftest import HOUR, SECOND, START_US, Bench

STARTED_AT = datetime.fromtimestamp(START_US // SECOND, UTC)


def test_the_budget_passes_and_one_more_does_not(bench: Bench, bucket: str) -> None:
    last = bench.spend(bucket, 300, times=300)
    assert (last.passed, last.limit, last.remaining, last.retry_after_seconds) == (
        True,
        300,
        0,
        None,
    )
    refused = bench.spend(bucket, 300)
    assert (refused.passed, refused.remaining) == (False, 0)


def test_what_remains_and_the_reset_are_told_with_every_answer(bench: Bench, bucket: str) -> None:
    assert bench.spend(bucket, 3)[1:4] == (3, 2, HOUR)
    bench.at(10.5)
    assert bench.spend(bucket, 3)[1:4] == (3, 1, HOUR - 10)
    bench.at(HOUR + 1)
    assert bench.spend(bucket, 3)[1:4] == (3, 1, 10)


def test_a_request_exactly_an_hour_old_no_longer_counts(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 1)
    bench.at(HOUR)
    assert bench.spend(bucket, 1).passed


def test_a_microsecond_before_the_hour_it_still_counts(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 1)
    bench.at(HOUR - 0.000001)
    refused = bench.spend(bucket, 1)
    assert not refused.passed
    assert refused.reset_seconds == 1


def test_requests_of_one_instant_leave_together(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 5, times=5)
    bench.at(HOUR)
    assert bench.spend(bucket, 5).remaining == 4


def test_an_immediate_retry_pushes_the_reset_out(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 2)
    bench.at(60)
    bench.spend(bucket, 2)
    bench.at(100)
    assert bench.spend(bucket, 2).retry_after_seconds == HOUR - 40
    bench.at(101)
    assert bench.spend(bucket, 2).retry_after_seconds == HOUR - 1
    bench.at(HOUR + 60)
    assert not bench.spend(bucket, 2).passed


def test_waiting_as_told_is_enough_and_a_second_less_is_not(
    bench: Bench, new_bucket: Callable[[], str]
) -> None:
    for lag, passes in ((0, True), (-1, False)):
        key = new_bucket()
        bench.at(0)
        bench.spend(key, 2)
        bench.at(600.25)
        bench.spend(key, 2)
        bench.at(700.5)
        found = bench.spend(key, 2).retry_after_seconds
        assert found is not None
        bench.at(700.5 + found + lag)
        assert bench.spend(key, 2).passed is passes


def test_one_key_never_touches_another(bench: Bench, new_bucket: Callable[[], str]) -> None:
    greedy, modest = new_bucket(), new_bucket()
    bench.spend(greedy, 2, times=10)
    assert bench.spend(modest, 2).remaining == 1


def test_a_raised_budget_keeps_what_was_used(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 300, times=450)
    assert bench.spend(bucket, 500).remaining == 49
    assert not bench.spend(bucket, 500, times=50).passed


def test_a_lowered_budget_keeps_what_was_used(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 5, times=3)
    bench.at(60)
    refused = bench.spend(bucket, 2)
    assert (refused.passed, refused.retry_after_seconds) == (False, HOUR - 60)


def test_a_budget_of_nothing_never_passes(bench: Bench, bucket: str) -> None:
    assert bench.spend(bucket, 0)[:] == (False, 0, 0, HOUR, HOUR)


@pytest.mark.parametrize(
    "requests", [2_500, pytest.param(10_000, marks=pytest.mark.thorough("four times as many"))]
)
def test_a_flood_of_refusals_stores_little_more_than_a_thousand_rows(
    requests: int, bench: Bench, bucket: str
) -> None:
    for _ in range(requests):
        bench.clock.us += 1
        refused = bench.spend(bucket, 300)
    assert not refused.passed
    assert refused.retry_after_seconds == HOUR
    assert 1_000 <= len(bench.storage.instants(bucket)) <= 1_100


def test_an_hour_of_silence_leaves_one_row(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 300, times=300)
    bench.at(HOUR)
    bench.spend(bucket, 300)
    assert bench.storage.instants(bucket) == [START_US + HOUR * SECOND]


def test_a_clock_that_steps_back_frees_nothing(bench: Bench, bucket: str) -> None:
    bench.at(1800)
    bench.spend(bucket, 2, times=2)
    bench.at(1700)
    assert not bench.spend(bucket, 2).passed
    instants = bench.storage.instants(bucket)
    assert instants == sorted(instants) == [START_US + 1800 * SECOND] * 3


def test_a_clock_set_right_by_more_than_the_window_does_not_lock_the_key_out(
    bench: Bench, bucket: str
) -> None:
    bench.spend(bucket, 2)
    bench.at(48 * HOUR)
    bench.spend(bucket, 2, times=5)
    bench.at(60)
    assert bench.spend(bucket, 2).passed


def test_the_last_use_of_many_keys_is_told_at_once(
    bench: Bench, new_bucket: Callable[[], str]
) -> None:
    early, late, never = new_bucket(), new_bucket(), new_bucket()
    bench.spend(early, 1)
    bench.at(5 * HOUR)
    bench.spend(late, 1, times=3)
    assert bench.storage.last_uses([early, late, never]) == {
        early: STARTED_AT,
        late: STARTED_AT + timedelta(hours=5),
    }
    assert bench.storage.last_use(never) is None


def test_what_was_spent_survives_a_restart(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 3, times=3)
    bench.storage.close()
    reopened = open_storage(bench.settings)
    reopened.now_us = bench.clock
    assert not reopened.spend(bucket, 3, HOUR).passed
    reopened.close()


def test_clearing_one_key_leaves_the_others(bench: Bench, new_bucket: Callable[[], str]) -> None:
    cleared, kept = new_bucket(), new_bucket()
    bench.spend(cleared, 1)
    bench.spend(kept, 1)
    bench.storage.clear(cleared)
    assert bench.spend(cleared, 1).passed
    assert not bench.spend(kept, 1).passed


def test_resetting_forgets_everybody(bench: Bench, new_bucket: Callable[[], str]) -> None:
    keys = [new_bucket() for _ in range(3)]
    for key in keys:
        bench.spend(key, 1)
    bench.storage.reset()
    assert bench.storage.last_uses(keys) == {}


def test_a_working_storage_says_so(bench: Bench) -> None:
    assert bench.storage.check()


def test_the_limits_library_may_ask_in_its_own_words(bench: Bench, bucket: str) -> None:
    assert bench.storage.get_moving_window(bucket, 2, HOUR) == (START_US / SECOND, 0)
    assert bench.storage.acquire_entry(bucket, 2, HOUR, amount=2)
    assert not bench.storage.acquire_entry(bucket, 2, HOUR)
    bench.at(1)
    assert bench.storage.get_moving_window(bucket, 2, HOUR) == (START_US / SECOND, 2)


def test_fixed_windows_are_not_kept(bench: Bench, bucket: str) -> None:
    for ask in (
        lambda: bench.storage.incr(bucket, HOUR),
        lambda: bench.storage.get(bucket),
        lambda: bench.storage.get_expiry(bucket),
    ):
        with pytest.raises(NotImplementedError, match="rolling windows"):
            ask()


def test_a_clock_set_right_leaves_no_trace_of_what_had_expired(bench: Bench, bucket: str) -> None:
    for second in (0, 1, HOUR):
        bench.at(second)
        bench.spend(bucket, 3)
    bench.at(-30)
    assert bench.spend(bucket, 3)[1:4] == (3, 1, HOUR + 31)
