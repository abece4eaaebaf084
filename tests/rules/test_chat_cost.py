"""What an answer of a model costs, to the thousandth of a yen."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.chat_cost import (
    MOST_TOKENS_OUT,
    Prices,
    Tokens,
    cost_thousandths,
    most_tokens,
    seconds_to_midnight,
    used_tokens,
)

PRICES = Prices(Decimal("0.45"), Decimal("1.8"))


def test_the_cost_is_exact_and_a_begun_thousandth_is_whole() -> None:
    assert cost_thousandths(Tokens(1_000, 100), PRICES) == 450 + 180
    assert cost_thousandths(Tokens(1, 0), PRICES) == 1
    assert cost_thousandths(Tokens(0, 0), PRICES) == 0


@given(st.text(max_size=200))
def test_no_text_has_more_tokens_than_octets(text: str) -> None:
    most = most_tokens([text])
    assert most.read >= len(text.encode())
    assert most.written == MOST_TOKENS_OUT


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": "1", "completion_tokens": 1},
        {"prompt_tokens": -1, "completion_tokens": 1},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": 1.5, "completion_tokens": 1},
    ],
)
def test_usage_that_cannot_be_read_counts_as_the_most(usage: object) -> None:
    assert used_tokens(usage, Tokens(9, 9)) == Tokens(9, 9)


def test_usage_is_taken_as_it_is_told() -> None:
    facts = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    assert used_tokens(facts, Tokens(9, 9)) == Tokens(12, 3)


def test_the_day_ends_at_midnight_in_japan() -> None:
    assert seconds_to_midnight(datetime(2026, 11, 20, 14, 59, 59, tzinfo=UTC)) == 1
    assert seconds_to_midnight(datetime(2026, 11, 20, 15, 0, tzinfo=UTC)) == 24 * 60 * 60


def test_every_message_and_the_answer_take_eight_tokens_more() -> None:
    assert most_tokens([]) == Tokens(8, MOST_TOKENS_OUT)
    assert most_tokens(["a", "é", ""]) == Tokens(3 + 4 * 8, MOST_TOKENS_OUT)
