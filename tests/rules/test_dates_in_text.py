"""Which days a text speaks of."""

from datetime import date

import pytest

from pms.rules.dates_in_text import dates_in_text, plain
from pms.rules.days import FIRST_DAY, LAST_DAY

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
    found = dates_in_text(text, TODAY)
    assert [(day.first_on, day.last_on) for day in found] == [(first_on, last_on)]


@pytest.mark.parametrize(
    "text",
    ["2027年2月30日", "令和9年1月1日", "十二月一日", "on the 15th", "15日から", "99/99"],
)
def test_a_day_that_cannot_be_read_is_found_all_the_same(text: str) -> None:
    found = dates_in_text(text, TODAY)
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
    assert dates_in_text(text, TODAY) == ()


@pytest.mark.parametrize(
    ("text", "first_on", "last_on"),
    [
        ("今週", date(2026, 11, 16), date(2026, 11, 22)),
        ("this week", date(2026, 11, 16), date(2026, 11, 22)),
        ("来週", date(2026, 11, 23), date(2026, 11, 29)),
        ("next week", date(2026, 11, 23), date(2026, 11, 29)),
        ("再来週", date(2026, 11, 30), date(2026, 12, 6)),
        ("今月", date(2026, 11, 1), date(2026, 11, 30)),
        ("this month", date(2026, 11, 1), date(2026, 11, 30)),
        ("来月", date(2026, 12, 1), date(2026, 12, 31)),
        ("next month", date(2026, 12, 1), date(2026, 12, 31)),
        ("再来月", date(2027, 1, 1), date(2027, 1, 31)),
        ("今日", date(2026, 11, 20), date(2026, 11, 20)),
        ("本日", date(2026, 11, 20), date(2026, 11, 20)),
        ("today", date(2026, 11, 20), date(2026, 11, 20)),
        ("明日", date(2026, 11, 21), date(2026, 11, 21)),
        ("tomorrow", date(2026, 11, 21), date(2026, 11, 21)),
        ("明後日", date(2026, 11, 22), date(2026, 11, 22)),
    ],
)
def test_a_day_told_from_today_on_is_read(text: str, first_on: date, last_on: date) -> None:
    [day] = dates_in_text(text, date(2026, 11, 20))
    assert (day.first_on, day.last_on, day.is_relative) == (first_on, last_on, True)


def test_the_leap_day_without_a_year_is_that_of_next_year() -> None:
    [day] = dates_in_text("2月29日", date(2027, 3, 1))
    assert day.first_on == date(2028, 2, 29)


def test_the_first_and_the_last_day_of_the_calendar_are_days() -> None:
    for on in (FIRST_DAY, LAST_DAY):
        [day] = dates_in_text(f"{on.year:04}年{on.month}月{on.day}日", date(2026, 11, 20))
        assert day.first_on == on


def test_each_day_is_found_where_it_stands() -> None:
    text = "from 1 April 2027 to 2027-05-02, or today"
    found = dates_in_text(text, TODAY)
    assert [text[one.start : one.end] for one in found] == ["1 April 2027", "2027-05-02", "today"]


def test_a_month_that_is_a_word_too_is_one_beside_a_figure_or_a_word_before_it() -> None:
    for text in ("may 3", "3 may", "may 2027", "in may", "until march"):
        assert len(dates_in_text(text, TODAY)) == 1
    assert dates_in_text("you may march in", TODAY) == ()


def test_what_nobody_sees_is_left_out() -> None:
    assert plain("a\u202ab\u202ec\u00adＤ") == "abcd"
    assert plain("\u2029\u202f") == "\u2029 "


@pytest.mark.parametrize(
    ("text", "first_on"),
    [
        ("May 2028", date(2028, 5, 1)),
        ("3 May 2028", date(2028, 5, 3)),
        ("May 3, 2028", date(2028, 5, 3)),
        ("May the 3rd 2028", date(2028, 5, 3)),
        ("May 3", date(2027, 5, 3)),
        ("in May", date(2027, 5, 1)),
        ("2028年5月3日", date(2028, 5, 3)),
        ("2028年5月", date(2028, 5, 1)),
        ("5月3日", date(2027, 5, 3)),
    ],
)
def test_a_year_that_is_named_is_the_one_that_is_meant(text: str, first_on: date) -> None:
    [day] = dates_in_text(text, TODAY)
    assert day.first_on == first_on


def test_a_day_0_of_an_english_month_is_none() -> None:
    for text in ("May 0", "0 May 2028", "May 00, 2028"):
        [day] = dates_in_text(text, TODAY)
        assert (day.first_on, day.last_on) == (None, None)


def test_every_letter_that_is_seen_is_kept() -> None:
    assert plain("X\u200bX\u2029\u202a\u202c\u202e\u202f\u2060\ufeff.") == "xx\u2029 ."


def test_a_word_that_is_no_month_hides_no_month_after_it() -> None:
    for text in ("you may come on 3 May 2028", "march on until May 3, 2028"):
        assert [day.first_on for day in dates_in_text(text, TODAY)] == [date(2028, 5, 3)]
