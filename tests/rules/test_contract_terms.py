"""The terms of a tenancy, and the notice that one of them ends."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.contract_dates import ContractTerm
from pms.rules.contract_terms import (
    SignedTerm,
    contract_end_of,
    term_in_force,
    term_of_day,
    terms_counting_on,
)
from pms.rules.days import ONE_DAY
from pms.rules.periods import period_end
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.term_endings import EndingState, end_notice_window, ending_of

_LAST_DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
_FIRST = SignedTerm(date(2026, 4, 1), date(2027, 3, 31), signed_on=date(2026, 3, 10))
_SECOND = SignedTerm(date(2027, 4, 1), date(2028, 3, 31), signed_on=date(2027, 3, 15))


@given(_LAST_DAYS)
def test_the_window_of_the_notice_is_found_by_trying_every_day(last_on: date) -> None:
    """Those of 400 days before the end from which a year reaches it and half a year does not pass it."""
    days = [last_on - timedelta(days=back) for back in range(400, 0, -1)]
    first_on = min(day for day in days if period_end(day + ONE_DAY, 12) >= last_on)
    latest_on = max(day for day in days if period_end(day + ONE_DAY, 6) <= last_on)
    assert end_notice_window(last_on) == (first_on, latest_on)


@given(_LAST_DAYS, st.integers(0, 700))
def test_an_end_that_was_told_never_comes_before_the_day_agreed(last_on: date, back: int) -> None:
    first_on, reached_on = last_on - timedelta(days=800), last_on - timedelta(days=back)
    ending = ending_of(first_on, last_on, reached_on, DEFAULT_POLICY)
    assert (ending.holds_on is None) is (ending.state is EndingState.EARLY)
    if ending.holds_on is not None:
        assert ending.holds_on >= last_on
        assert ending.holds_on >= period_end(reached_on + ONE_DAY, 6)


def test_a_term_counts_from_its_signature_until_it_is_withdrawn() -> None:
    withdrawn = SignedTerm(
        _SECOND.first_on, _SECOND.last_on, _SECOND.kind, _SECOND.signed_on, date(2027, 3, 20)
    )
    ends = [
        contract_end_of(terms_counting_on((withdrawn, _FIRST), date(2027, 3, day)))
        for day in (14, 15, 19, 20)
    ]
    assert ends == [_FIRST.last_on, _SECOND.last_on, _SECOND.last_on, _FIRST.last_on]


def test_what_was_booked_is_the_term_before_anything_is_signed() -> None:
    assert terms_counting_on((_SECOND, _FIRST), date(2026, 1, 1)) == (_FIRST,)


def test_a_term_of_days_begins_with_the_one_in_force_and_ends_with_the_last() -> None:
    later, end_on = [_SECOND.first_on], _SECOND.last_on
    assert term_of_day(_FIRST.first_on, later, end_on, date(2027, 3, 31)) == ContractTerm(
        _FIRST.first_on, end_on
    )
    assert term_of_day(_FIRST.first_on, later, end_on, date(2027, 4, 1)) == ContractTerm(
        _SECOND.first_on, end_on
    )
    assert term_in_force((_FIRST, _SECOND), date(2029, 1, 1)) is _SECOND
