"""Banks work on weekdays that are no holiday, and not around the turn of the year."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.foundation.clock import (
    bank_closure,
    bank_day_of_month,
    first_reminder_day,
    is_transfer_awaited,
    next_bank_day,
    transfer_seen_day,
)
from pms.rules import days
from pms.rules.days import BankClosure


@pytest.mark.parametrize(
    ("day", "closure", "moved_to"),
    [
        (date(2026, 11, 27), None, date(2026, 11, 27)),
        # A Saturday, and a Sunday before a substitute holiday.
        (date(2027, 2, 27), BankClosure.WEEKEND, date(2027, 3, 1)),
        (date(2027, 3, 21), BankClosure.HOLIDAY, date(2027, 3, 23)),
        (date(2027, 3, 22), BankClosure.HOLIDAY, date(2027, 3, 23)),
        # The day between two holidays is one itself.
        (date(2026, 9, 19), BankClosure.WEEKEND, date(2026, 9, 24)),
        (date(2026, 9, 22), BankClosure.HOLIDAY, date(2026, 9, 24)),
        # Children's Day on a Tuesday; the substitute for Sunday's Constitution Day follows it.
        (date(2026, 5, 6), BankClosure.HOLIDAY, date(2026, 5, 7)),
        # A holiday moved by a law of its own for one year.
        (date(2019, 5, 1), BankClosure.HOLIDAY, date(2019, 5, 7)),
        (date(2021, 8, 9), BankClosure.HOLIDAY, date(2021, 8, 10)),
        # 30 December is a business day; the turn of the year and the weekend behind it are none.
        (date(2026, 12, 30), None, date(2026, 12, 30)),
        (date(2026, 12, 31), BankClosure.YEAR_END, date(2027, 1, 4)),
        (date(2027, 12, 31), BankClosure.YEAR_END, date(2028, 1, 4)),
        (date(2025, 1, 1), BankClosure.YEAR_END, date(2025, 1, 6)),
    ],
)
def test_a_closed_day_moves_to_the_next_business_day(
    day: date, closure: BankClosure | None, moved_to: date
) -> None:
    assert bank_closure(day) is closure
    assert next_bank_day(day) == moved_to


@pytest.mark.parametrize(
    ("day", "moved_to"),
    [
        (date(2026, 11, 27), date(2026, 11, 27)),
        (date(2026, 11, 15), date(2026, 11, 16)),
        (date(2026, 12, 31), date(2026, 12, 30)),
        # A Saturday at the end of May, and a Sunday within the month.
        (date(2025, 5, 31), date(2025, 5, 30)),
        (date(2025, 5, 25), date(2025, 5, 26)),
    ],
)
def test_a_payout_day_stays_in_its_month(day: date, moved_to: date) -> None:
    assert bank_day_of_month(day) == moved_to


@given(st.dates(date(2000, 1, 1), date(2100, 12, 31)), st.sets(st.integers(0, 20)))
def test_no_business_day_is_passed_over(day: date, taken: set[int]) -> None:
    holidays = {day + timedelta(days=ahead) for ahead in taken}
    moved = days.next_bank_day(day, holidays)
    assert days.bank_closure(moved, holidays) is None
    for ahead in range((moved - day).days):
        assert days.bank_closure(day + timedelta(days=ahead), holidays) is not None


@pytest.mark.parametrize(
    ("due_on", "seen_on", "reminded_on"),
    [
        # A weekday in an ordinary week: the patience alone counts.
        (date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 3)),
        # A Saturday before a holiday on Tuesday.
        (date(2026, 10, 31), date(2026, 11, 4), date(2026, 11, 4)),
        # The patience ends on a Saturday.
        (date(2026, 9, 30), date(2026, 10, 1), date(2026, 10, 5)),
        # The turn of the year: banks book on 4 January, and list it on the day after.
        (date(2026, 12, 31), date(2027, 1, 5), date(2027, 1, 5)),
        # Golden Week of 2019: closed for ten days.
        (date(2019, 4, 27), date(2019, 5, 8), date(2019, 5, 8)),
    ],
)
def test_nobody_is_reminded_before_a_transfer_of_the_due_day_can_be_seen(
    due_on: date, seen_on: date, reminded_on: date
) -> None:
    assert transfer_seen_day(due_on) == seen_on
    assert first_reminder_day(due_on, 3) == reminded_on
    day = timedelta(days=1)
    assert is_transfer_awaited(due_on, seen_on - day) is (seen_on - day > due_on)
    assert not is_transfer_awaited(due_on, seen_on)
    assert not is_transfer_awaited(due_on, due_on)


@given(st.dates(date(2000, 1, 1), date(2050, 12, 31)))
def test_the_first_reminder_falls_on_a_business_day_and_never_before_the_patience(
    due_on: date,
) -> None:
    reminded_on = first_reminder_day(due_on, 3)
    assert bank_closure(reminded_on) is None
    assert reminded_on >= due_on + timedelta(days=3)
    assert reminded_on >= transfer_seen_day(due_on) > next_bank_day(due_on)
