"""Days are days of Japan, strictly written, and months have their real lengths."""

from calendar import isleap
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.days import (
    CorruptDay,
    add_months,
    day_of,
    has_whole_month,
    inclusive_days,
    month_days,
    month_first,
    month_last,
    read_day,
    readable,
    strict_day,
    write_day,
)
from tests.rules.facts import any_days, instants, recorded_days


@given(instants, st.integers(-14, 14))
def test_an_instant_is_the_same_day_whatever_offset_it_is_written_with(
    instant: datetime, hours: int
) -> None:
    elsewhere = instant.astimezone(timezone(timedelta(hours=hours)))
    assert day_of(elsewhere) == day_of(instant) == (instant + timedelta(hours=9)).date()


def test_midnight_in_japan_is_fifteen_o_clock_utc() -> None:
    assert day_of(datetime(2026, 6, 9, 14, 59, 59, tzinfo=UTC)) == date(2026, 6, 9)
    assert day_of(datetime(2026, 6, 9, 15, tzinfo=UTC)) == date(2026, 6, 10)


def test_an_instant_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        day_of(datetime(2026, 6, 9, tzinfo=UTC).replace(tzinfo=None))


@given(any_days)
def test_a_written_day_is_read_back(day: date) -> None:
    assert read_day(day.isoformat()) == strict_day(day.isoformat()) == day


def test_the_years_1900_to_2200_are_read_to_their_last_day() -> None:
    assert read_day("1900-01-01") == date(1900, 1, 1)
    assert read_day("2200-12-31") == date(2200, 12, 31)


@given(recorded_days)
def test_whatever_is_recorded_survives_being_stored(recorded: date | CorruptDay | None) -> None:
    again = read_day(write_day(recorded))
    if not (isinstance(recorded, CorruptDay) and not isinstance(again, CorruptDay)):
        assert again == recorded
    else:
        assert again == readable(read_day(recorded.text))


@given(st.text())
def test_no_text_makes_reading_a_day_fail(text: str) -> None:
    assert read_day(text) in (strict_day(text), CorruptDay(text), None)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30",
        "2026-13-01",
        "0000-00-00",
        "1899-12-31",
        "2201-01-01",
        "20260610",
        "2026-W01-1",
        "2026-6-10",
        "２０２６-06-10",
        "2026-06-10T00:00",
        "2026/06/10",
        " 2026-06-10",
        "2026-06-1\u0660",
        "soon",
        "\ud800",
        "\0",
    ],
)
def test_what_is_not_strictly_a_day_is_corrupt(text: str) -> None:
    assert strict_day(text) is None
    assert read_day(text) == CorruptDay(text)
    assert readable(read_day(text)) is None


@pytest.mark.parametrize("text", ["", "  ", "\u3000", None])
def test_empty_text_is_no_day_and_not_a_corrupt_one(text: str | None) -> None:
    assert read_day(text) is None


@given(any_days)
def test_a_month_has_its_real_length(day: date) -> None:
    assert inclusive_days(month_first(day), month_last(day)) == month_days(day)
    assert month_first(day) <= day <= month_last(day)
    assert (month_last(day) + timedelta(days=1)).day == 1


@given(st.integers(1900, 2200))
def test_february_follows_the_leap_year(year: int) -> None:
    assert month_days(date(year, 2, 1)) == (29 if isleap(year) else 28)


@pytest.mark.parametrize(("year", "days"), [(1900, 28), (2000, 29), (2024, 29), (2100, 28)])
def test_centuries_are_leap_years_only_by_four_hundred(year: int, days: int) -> None:
    assert month_days(date(year, 2, 10)) == days


@given(any_days, st.integers(-600, 600))
def test_adding_months_keeps_the_day_or_ends_with_the_month(day: date, months: int) -> None:
    later = add_months(day, months)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == months
    assert later.day == min(day.day, month_days(later))


def test_a_month_after_the_last_of_january_is_the_last_of_february() -> None:
    assert add_months(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_months(date(2026, 12, 15), 1) == date(2027, 1, 15)
    assert add_months(date(2026, 1, 15), -1) == date(2025, 12, 15)


@given(any_days, st.integers(0, 120))
def test_a_whole_month_lies_inside_exactly_when_its_first_and_last_day_do(
    first_on: date, days: int
) -> None:
    last_on = first_on + timedelta(days=days)
    firsts = [add_months(month_first(first_on), count) for count in range(days // 28 + 2)]
    whole = [one for one in firsts if first_on <= one and month_last(one) <= last_on]
    assert has_whole_month(first_on, last_on) == bool(whole)
