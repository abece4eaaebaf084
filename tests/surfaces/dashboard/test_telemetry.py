"""The office sees what the website saw, in pictures, tables and files."""

import csv
import re
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO

import pytest
from sqlalchemy import event

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.jobs.daily_jobs import daily_job, do_daily
from pms.rules.enumerations import TelemetryType
from pms.rules.telemetry import SeenEvent
from pms.site.received_visits import take_telemetry
from tests.cast import Cast, House
from tests.staff import Browser

PAGE = "/website/visits"


def took(database: Database, clock: FixedClock, house: House, *events: SeenEvent) -> None:
    with database.writing(house.workspace_id) as session:
        take_telemetry(session, clock, events=events)


def view(path: str, visitor: str = "", campaign: str = "") -> SeenEvent:
    return SeenEvent(TelemetryType.PAGE_VIEW, path, visitor_id=visitor, campaign=campaign)


def counted(database: Database, clock: FixedClock, house: House) -> None:
    do_daily(daily_job("count-telemetry"), database, clock, house.workspace_id)


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(StringIO(text.lstrip("\ufeff"))))


@pytest.fixture
def visited(database: Database, clock: FixedClock, cast: Cast) -> None:
    """Two days of visits to Sumida's website, yesterday's counted; one to Minato's."""
    took(
        database,
        clock,
        cast.sumida,
        view("/units/kawasemi-101", "hanako", "autumn"),
        view("/units/kawasemi-101", "emma"),
        SeenEvent(TelemetryType.EVENT, "/contact", "問い合わせ", visitor_id="emma"),
    )
    took(database, clock, cast.minato, view("/theirs"))
    clock.advance(timedelta(days=1))
    counted(database, clock, cast.sumida)
    took(database, clock, cast.sumida, view("/about", "hanako"))


@pytest.mark.usefixtures("visited")
def test_the_office_sees_yesterday_and_today(office: Browser) -> None:
    shown = office.get(f"{PAGE}?lang=en")
    assert shown.status_code == 200
    for text in ("/units/kawasemi-101", "/about", "autumn", "問い合わせ", "Page views", "Nov"):
        assert text in shown.text
    assert "/theirs" not in shown.text
    only = office.get(f"{PAGE}?fromOn=2026-11-21&throughOn=2026-11-21").text
    assert "/about" in only
    assert "kawasemi-101" not in only


def test_what_is_counted_together_is_named_in_words_beside_what_is_called_like_it(
    database: Database, clock: FixedClock, cast: Cast, office: Browser
) -> None:
    named = [SeenEvent(TelemetryType.EVENT, "/", "(other)") for _ in range(3)]
    many = [SeenEvent(TelemetryType.EVENT, "/", f"event {n}") for n in range(202)]
    for some in (named, many[:100], many[100:200], many[200:]):
        took(database, clock, cast.sumida, *some)
    shown = office.get(f"{PAGE}?lang=en").text
    assert re.findall(r">\s*(\(others?\))\s*<", shown) == ["(others)", "(other)"]
    rows = lines(office.get(f"{PAGE}.csv?of=event&lang=en").text)
    assert sorted(row for row in rows if row[0].startswith("(other")) == [
        ["(other)", "/", "3", "0"],
        ["(others)", "", "3", "0"],
    ]


@pytest.mark.usefixtures("visited")
def test_days_and_values_are_files_too(office: Browser) -> None:
    days = office.get(f"{PAGE}.csv?fromOn=2026-11-19&throughOn=2026-11-21&lang=en")
    assert days.mimetype == "text/csv"
    assert lines(days.text) == [
        ["Day", "Page views", "Visitors"],
        ["2026-11-19", "0", "0"],
        ["2026-11-20", "2", "2"],
        ["2026-11-21", "1", "1"],
    ]
    for axis, row in (
        ("page", ["/units/kawasemi-101", "2", "2"]),
        ("event", ["問い合わせ", "/contact", "1", "1"]),
        ("campaign", ["autumn", "1", "1"]),
    ):
        assert lines(office.get(f"{PAGE}.csv?of={axis}").text)[1] == row
    assert len(lines(office.get(f"{PAGE}.csv?of=referrer").text)) == 1


@pytest.mark.parametrize(
    "query",
    [
        "fromOn=soon",
        "throughOn=2026-13-01",
        "fromOn=2026-11-20&throughOn=2026-11-19",
        "fromOn=2020-01-01",
        "of=weather",
    ],
)
def test_a_filter_that_cannot_be_read_is_told(office: Browser, query: str) -> None:
    for path in (PAGE, f"{PAGE}.csv"):
        answer = office.get(f"{path}?{query}")
        assert answer.status_code == 422
        assert answer.mimetype == "text/html"


def test_before_the_first_report_the_way_to_it_is_shown(office: Browser, operator: Browser) -> None:
    assert "No visits reported yet" in office.get(f"{PAGE}?lang=en").text
    assert 'href="/dashboard/sumida/keys"' in operator.get(f"{PAGE}?lang=en").text


def test_any_span_has_bars_that_can_be_told_apart(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    took(database, clock, cast.sumida, view("/"))
    for first, bars in (
        ("2026-11-20", 1),
        ("2026-10-21", 31),
        ("2026-08-10", 15),
        ("2024-10-20", 26),
    ):
        shown = office.get(f"{PAGE}?fromOn={first}&throughOn=2026-11-20").text
        assert shown.count('class="plot-1"') == bars, first


def test_who_works_on_site_has_no_visits(housekeeper: Browser, maintainer: Browser) -> None:
    for each in (housekeeper, maintainer):
        assert each.get(PAGE).status_code == 403
        assert each.get(f"{PAGE}.csv").status_code == 403


def test_many_days_and_pages_take_no_question_more(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked: list[int] = []
    took(database, clock, cast.sumida, view("/"))
    for _ in range(2):
        seen: list[str] = []

        def note(*values: Sequence[object], seen: list[str] = seen) -> None:
            seen.append(str(values[2]))

        engine = office.client.application.extensions["pms.database"].engine
        office.get(PAGE)
        event.listen(engine, "before_cursor_execute", note)
        office.get(PAGE)
        event.remove(engine, "before_cursor_execute", note)
        asked.append(len(seen))
        for _ in range(4):
            clock.advance(timedelta(days=1))
            counted(database, clock, cast.sumida)
            took(database, clock, cast.sumida, *(view(f"/{n}", f"v{n}") for n in range(40)))
    assert asked[0] == asked[1]


def test_a_language_is_no_filter(office: Browser) -> None:
    for page in (PAGE, "/chart", "/availability"):
        assert "Clear filters" not in office.get(f"{page}?lang=en").text
    assert "Clear filters" in office.get(f"{PAGE}?lang=en&fromOn=2026-11-01").text
