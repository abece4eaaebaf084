"""Which days a text speaks of."""

from datetime import date

import pytest

from pms.rules.told_days import told_days

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first_on", "last_on"),
    [
        ("2026-12-01から", date(2026, 12, 1), date(2026, 12, 1)),
        ("2026/12/1", date(2026, 12, 1), date(2026, 12, 1)),
        ("２０２６年１２月１日", date(2026, 12, 1), date(2026, 12, 1)),
        ("12月1日", date(2026, 12, 1), date(2026, 12, 1)),
        ("3月1日", date(2027, 3, 1), date(2027, 3, 1)),
        ("4月から", date(2027, 4, 1), date(2027, 4, 30)),
        ("12/1まで", date(2026, 12, 1), date(2026, 12, 1)),
        ("from April 1", date(2027, 4, 1), date(2027, 4, 1)),
        ("1 April 2027", date(2027, 4, 1), date(2027, 4, 1)),
        ("Dec. 3rd, 2026", date(2026, 12, 3), date(2026, 12, 3)),
        ("the 3rd of December", date(2026, 12, 3), date(2026, 12, 3)),
        ("in December 2026", date(2026, 12, 1), date(2026, 12, 31)),
        ("in May", date(2027, 5, 1), date(2027, 5, 31)),
        ("tomorrow", date(2026, 11, 21), date(2026, 11, 21)),
        ("来月", date(2026, 12, 1), date(2026, 12, 31)),
        ("next week", date(2026, 11, 23), date(2026, 11, 29)),
        ("1\u200b2月1日", date(2026, 12, 1), date(2026, 12, 1)),
    ],
)
def test_a_day_is_read_in_every_way_it_is_written(text: str, first_on: date, last_on: date) -> None:
    found = told_days(text, TODAY)
    assert [(day.first_on, day.last_on) for day in found] == [(first_on, last_on)]


@pytest.mark.parametrize(
    "text",
    ["2027年2月30日", "令和9年1月1日", "十二月一日", "on the 15th", "15日から", "99/99"],
)
def test_a_day_that_cannot_be_read_is_found_all_the_same(text: str) -> None:
    found = told_days(text, TODAY)
    assert found
    assert all(day.first_on is None for day in found)


@pytest.mark.parametrize(
    "text",
    [
        "You may call us",
        "30日前までに",
        "3か月以上",
        "徒歩5分",
        "on the 2nd floor",
        "80,000円",
        "march to the beat",
        "102号室",
    ],
)
def test_what_is_no_day_is_left_alone(text: str) -> None:
    assert told_days(text, TODAY) == ()
