"""Days in lists: digits in Japanese, the month by its name in English, the year only when another."""

import re
from datetime import date

import pytest
from flask import Flask

from pms.surfaces.labels.formats import axis_day, brief_day, list_days, near_day, year_day

TODAY = date(2026, 11, 20)


def words(shown: object) -> str:
    return re.sub(r"<[^>]+>", "", str(shown))


@pytest.mark.parametrize(
    ("language", "this_year", "next_year", "with_year"),
    [("ja", "12/8", "2027/1/8", "2026/12/8"), ("en", "8 Dec", "8 Jan 2027", "8 Dec 2026")],
)
def test_a_day_names_its_month_in_english_and_its_year_when_another(
    app: Flask, language: str, this_year: str, next_year: str, with_year: str
) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert words(brief_day(date(2026, 12, 8), TODAY)) == this_year
        assert words(brief_day(date(2027, 1, 8), TODAY)) == next_year
        assert words(year_day(date(2026, 12, 8))) == with_year
        assert near_day(date(2026, 12, 8)) == this_year


@pytest.mark.parametrize(
    ("language", "one_month", "two_months", "two_years"),
    [
        ("ja", "2025/12/1 – 12/31", "2025/11/30 – 12/2", "2025/12/30 – 2026/1/2"),
        ("en", "1 – 31 Dec 2025", "30 Nov – 2 Dec 2025", "30 Dec 2025 – 2 Jan 2026"),
    ],
)
def test_days_name_what_they_share_once(
    app: Flask, language: str, one_month: str, two_months: str, two_years: str
) -> None:
    with app.test_request_context("/", headers={"Accept-Language": language}):
        assert words(list_days(date(2025, 12, 1), date(2025, 12, 31))) == one_month
        assert words(list_days(date(2025, 11, 30), date(2025, 12, 2))) == two_months
        assert words(list_days(date(2025, 12, 30), date(2026, 1, 2))) == two_years


@pytest.mark.parametrize(("language", "first"), [("ja", "12/1"), ("en", "Dec")])
def test_a_chart_names_a_month_on_its_first_day(app: Flask, language: str, first: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert [axis_day(date(2026, 12, day)) for day in (1, 2)] == [first, "2"]
