"""How long what is known about a person is kept."""

from datetime import date

import pytest

from pms.rules.retention import (
    RetentionYears,
    fiscal_year_end,
    kept_through,
    ledger_kept_through,
)


@pytest.mark.parametrize(
    ("day", "last_month", "end"),
    [
        (date(2026, 3, 31), 3, date(2026, 3, 31)),
        (date(2026, 4, 1), 3, date(2027, 3, 31)),
        (date(2026, 12, 31), 12, date(2026, 12, 31)),
        (date(2026, 1, 1), 12, date(2026, 12, 31)),
        (date(2027, 3, 1), 2, date(2028, 2, 29)),
    ],
)
def test_a_fiscal_year_ends_on_the_last_day_of_its_month(
    day: date, last_month: int, end: date
) -> None:
    assert fiscal_year_end(day, last_month) == end


@pytest.mark.parametrize(
    ("day", "years", "last"),
    [
        (date(2026, 3, 31), RetentionYears(), date(2033, 5, 31)),
        (date(2026, 4, 1), RetentionYears(), date(2034, 5, 31)),
        (date(2026, 6, 30), RetentionYears(fiscal_year_ends_in=12), date(2034, 2, 28)),
        (date(2026, 6, 30), RetentionYears(ledger_years=10), date(2037, 5, 31)),
    ],
)
def test_books_are_kept_for_years_from_two_months_after_the_fiscal_year(
    day: date, years: RetentionYears, last: date
) -> None:
    assert ledger_kept_through(day, years) == last


def test_years_from_a_leap_day_end_on_the_last_of_february() -> None:
    assert kept_through(date(2028, 2, 29), 3) == date(2031, 2, 28)
