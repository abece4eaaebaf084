"""Calendars of channels become external blocks of one unit, event by event."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.catalogue.calendar_feeds import (
    OWN_PRODUCT,
    OWN_UID_ENDING,
    CalendarReading,
    read_calendar,
)
from pms.catalogue.calendar_files import (
    HORIZON_DAYS,
    MOST_LINES_OF_AN_EVENT,
    MOST_OCCURRENCES,
    MOST_OF_AN_EVENT,
    Nights,
)
from pms.catalogue.calendar_imports import CalendarReport, import_calendar
from pms.catalogue.calendar_wording import say
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.catalogue.units import named_unit_id
from pms.foundation.errors import NotFound, Refused
from pms.foundation.work import Work
from pms.rules.enumerations import BlockSource
from tests.cast import Cast
from tests.imports.conftest import Importing
from tests.imports.samples import SAMPLES, sample

pytestmark = pytest.mark.differs("bulk writing")

TODAY = date(2026, 11, 20)
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "calendars/expected.json").read_text("utf-8"))
FEEDS = ["airbnb.ics", "airbnb_next_poll.ics", "booking_com.ics", "vrbo.ics"]


def read(name: str) -> CalendarReading:
    return read_calendar(sample(f"calendars/{name}"), TODAY)


def calendar(*events: str, product: str = "-//Somebody//EN") -> bytes:
    body = "".join(f"BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n" for event in events)
    return f"BEGIN:VCALENDAR\r\nPRODID:{product}\r\n{body}END:VCALENDAR\r\n".encode()


def days(run: Nights) -> tuple[str, str]:
    return run.first_on.isoformat(), run.to_on.isoformat()


@pytest.mark.parametrize("name", FEEDS)
def test_every_block_of_a_channels_feed_is_read_as_expected(name: str) -> None:
    blocks = [(b["uid"], b["from"], b["to"], b["summary"]) for b in EXPECTED[name]["blocks"]]
    assert sorted((r.uid, *days(r), r.summary) for r in read(name).nights) == sorted(blocks)


def test_every_odd_event_gets_the_expected_verdict() -> None:
    reading = read("odd.ics")
    assert reading.name == EXPECTED["odd.ics"]["calendarName"]
    for row, event in zip(EXPECTED["odd.ics"]["events"], reading.events, strict=True):
        assert event.uid == row["uid"]
        assert event.is_problem is bool(row.get("problem", False)), row
        if row["becomes"] == "block":
            assert [days(run) for run in event.nights] == [(row["from"], row["to"])]
        elif row["becomes"] == "nothing":
            assert event.nights == ()


def test_the_feed_with_everything_wrong_holds_fourteen_events_and_one_bounded_rule() -> None:
    events = read("odd.ics").events
    assert sum(event.code == "block" for event in events) == 14
    assert sum(event.is_problem for event in events) == 3
    endless = next(event for event in events if event.code == "bounded")
    assert len(endless.nights) == MOST_OCCURRENCES


def test_what_becomes_of_an_event_has_words_in_both_languages() -> None:
    for event in read("odd.ics").events:
        assert say(event.code, "ja", **dict(event.facts)) != say(
            event.code, "en", **dict(event.facts)
        )


@dataclass(frozen=True)
class Polling:
    """Reads a feed into the free room of our workspace."""

    importing: Importing
    unit_id: str

    def poll(self, data: bytes, *, commit: bool = True, feed: str | None = None) -> CalendarReport:
        reading = read_calendar(data, self.importing.clock.today())
        with self.importing.database.writing(self.importing.workspace_id) as session:
            return import_calendar(
                Work(session, self.importing.clock, "staff"),
                reading,
                unit_id=self.unit_id,
                commit=commit,
                feed_name=feed,
            )

    def blocks(self) -> list[ExternalBlock]:
        return [
            block for block in self.importing.all_of(ExternalBlock) if block.unit_id == self.unit_id
        ]


@pytest.fixture
def room(database: Any, clock: Any, cast: Cast) -> Iterator[Polling]:
    house = cast.sumida
    yield Polling(Importing(database, clock, house.workspace_id), house.free_room_id)


def test_a_block_holds_its_nights_and_its_last_day_is_the_one_before_the_end(
    room: Polling,
) -> None:
    report = room.poll(calendar("UID:a\r\nDTSTART:20261203\r\nDTEND:20261206\r\nSUMMARY:予約"))
    assert len(report.new) == 1
    (block,) = room.blocks()
    assert (block.first_on, block.last_on) == (date(2026, 12, 3), date(2026, 12, 5))
    assert block.source == BlockSource.CHANNEL_CALENDAR


def test_the_next_poll_releases_moves_adds_and_leaves_the_rest_untouched(room: Polling) -> None:
    assert len(room.poll(sample("calendars/airbnb.ics")).new) == 10
    before = {block.uid: block.updated_at for block in room.blocks()}
    room.importing.clock.advance(timedelta(hours=4))
    report = room.poll(sample("calendars/airbnb_next_poll.ics"))
    after = EXPECTED["airbnb_next_poll.ics"]["afterFirstPoll"]
    assert [change.uid for change in report.released] == [b["uid"] for b in after["released"]]
    assert [change.uid for change in report.new] == [b["uid"] for b in after["new"]]
    (moved,) = report.moved
    assert moved.uid == after["moved"][0]["uid"]
    assert moved.was_first_on == date.fromisoformat(after["moved"][0]["wasFrom"])
    assert report.unchanged == after["unchanged"]
    untouched = [b for b in room.blocks() if b.updated_at == before.get(b.uid)]
    assert len(untouched) == after["unchanged"]
    assert len(room.blocks()) == 10


@pytest.mark.parametrize("name", [*FEEDS, "odd.ics"])
def test_the_same_feed_read_twice_changes_nothing(room: Polling, name: str) -> None:
    first = room.poll(sample(f"calendars/{name}"))
    again = room.poll(sample(f"calendars/{name}"))
    assert (again.new, again.moved, again.released) == ((), (), ())
    assert again.unchanged == len(first.new)


def test_a_dry_run_tells_everything_and_writes_nothing(room: Polling) -> None:
    report = room.poll(sample("calendars/airbnb.ics"), commit=False)
    assert len(report.new) == 10
    assert not report.is_committed
    assert room.blocks() == []


def test_feeds_of_one_unit_do_not_touch_each_other(room: Polling) -> None:
    room.poll(sample("calendars/airbnb.ics"))
    room.poll(sample("calendars/booking_com.ics"))
    assert len(room.blocks()) == 18
    names = {
        feed.name for feed in room.importing.all_of(CalendarFeed) if feed.unit_id == room.unit_id
    }
    assert names == {"Airbnb Inc", "Booking.com"}


def test_two_listings_of_one_channel_are_told_apart_by_the_name_given(room: Polling) -> None:
    room.poll(sample("calendars/airbnb.ics"), feed="Airbnb, whole house")
    report = room.poll(sample("calendars/airbnb_next_poll.ics"), feed="Airbnb, room")
    assert report.released == ()


def test_a_feed_that_is_empty_now_releases_every_coming_night(room: Polling) -> None:
    room.poll(sample("calendars/vrbo.ics"))
    report = room.poll(calendar(product="-//HomeAway.com, Inc.//EN"))
    assert len(report.released) == 5
    (over,) = room.blocks()
    assert over.last_on == date(2026, 11, 4)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no calendar"),
        (b"<html>Please sign in</html>", "no calendar"),
        (sample("calendars/airbnb.ics")[:1500], "cut off"),
        (b"BEGIN:VCALENDAR\r\n" + b"X" * (2 * 1024 * 1024), "larger than"),
        (calendar(*["UID:a"] * 2_001), "more than 2000 events"),
    ],
)
def test_what_is_no_whole_calendar_is_refused_and_releases_nothing(
    room: Polling, data: bytes, why: str
) -> None:
    room.poll(sample("calendars/airbnb.ics"))
    with pytest.raises(Refused, match=why):
        room.poll(data)
    assert len(room.blocks()) == 10


def test_our_own_events_never_come_back() -> None:
    own = f"UID:1{OWN_UID_ENDING}\r\nDTSTART:20261203\r\nDTEND:20261206"
    assert read_calendar(calendar(own), TODAY).events[0].code == "own"
    plain = "UID:1\r\nDTSTART:20261203"
    assert read_calendar(calendar(plain, product=OWN_PRODUCT), TODAY).nights == ()


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=DAILY;COUNT=99999999999999999999999",
        "FREQ=DAILY;INTERVAL=99999999999999999999999",
        "FREQ=DAILY;COUNT=-5",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYYEARDAY=366;BYMONTH=1",
        "FREQ=WEEKLY;BYDAY=MO;INTERVAL=0",
        "FREQ=MONTHLY;BYDAY=-1SU;BYSETPOS=3",
        "FREQ=HOURLY;UNTIL=99991231",
        "FREQ=NEVER",
    ],
)
def test_a_hundred_bombs_are_read_in_little_time(rule: str) -> None:
    events = [f"UID:{n}\r\nDTSTART:20000101\r\nRRULE:{rule}" for n in range(150)]
    began = time.process_time()
    reading = read_calendar(calendar(*events), TODAY)
    assert time.process_time() - began < 5
    assert len(reading.nights) <= 150 * MOST_OCCURRENCES


@pytest.mark.parametrize(
    ("rule", "starts"),
    [
        ("FREQ=DAILY;COUNT=3", ["2026-12-01", "2026-12-02", "2026-12-03"]),
        ("FREQ=DAILY;INTERVAL=10;UNTIL=20261221", ["2026-12-01", "2026-12-11", "2026-12-21"]),
        ("FREQ=WEEKLY;COUNT=2", ["2026-12-01", "2026-12-08"]),
        ("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3", ["2026-12-01", "2026-12-03", "2026-12-08"]),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=2", ["2026-12-01", "2026-12-15"]),
        ("FREQ=MONTHLY;COUNT=2", ["2026-12-01", "2027-01-01"]),
        ("FREQ=MONTHLY;BYMONTHDAY=1;COUNT=2", ["2026-12-01", "2027-01-01"]),
        ("FREQ=YEARLY;UNTIL=20271231", ["2026-12-01", "2027-12-01"]),
    ],
)
def test_a_repetition_that_is_read_holds_each_occurrence(rule: str, starts: list[str]) -> None:
    event = f"UID:r\r\nDTSTART;VALUE=DATE:20261201\r\nRRULE:{rule}"
    reading = read_calendar(calendar(event), TODAY)
    assert [run.first_on.isoformat() for run in reading.nights] == starts
    assert reading.events[0].code == "block"


@pytest.mark.parametrize(
    ("start", "rule", "starts"),
    [
        # Monday 16:00 in UTC is Tuesday in Japan; the rule speaks of the event's own days.
        ("20261207T160000Z", "FREQ=WEEKLY;BYDAY=MO;COUNT=2", ["2026-12-08", "2026-12-15"]),
        (
            "20261206T160000Z",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU;COUNT=3",
            ["2026-12-07", "2026-12-08", "2026-12-21"],
        ),
        (
            "20261207T160000Z",
            "FREQ=WEEKLY;BYDAY=MO;UNTIL=20261214T160000Z",
            ["2026-12-08", "2026-12-15"],
        ),
        ("20261130T160000Z", "FREQ=MONTHLY;BYMONTHDAY=30;COUNT=2", ["2026-12-01", "2026-12-31"]),
        ("20261207T100000Z", "FREQ=WEEKLY;BYDAY=MO;COUNT=2", ["2026-12-07", "2026-12-14"]),
    ],
)
def test_a_repetition_is_told_in_the_days_of_its_own_zone(
    start: str, rule: str, starts: list[str]
) -> None:
    event = f"UID:r\r\nDTSTART:{start}\r\nRRULE:{rule}"
    reading = read_calendar(calendar(event), TODAY)
    assert [run.first_on.isoformat() for run in reading.nights] == starts
    assert reading.events[0].code == "block"


def test_a_repetition_leaves_out_its_exceptions_and_what_has_an_event_of_its_own() -> None:
    master = "UID:r\r\nDTSTART:20261201\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE:20261202"
    moved = "UID:r\r\nRECURRENCE-ID:20261203\r\nDTSTART:20261210\r\nDTEND:20261212"
    nights = read_calendar(calendar(master, moved), TODAY).nights
    assert [run.first_on.day for run in nights] == [1, 4, 10]


def test_an_event_too_long_to_be_read_is_listed_and_the_others_are_read() -> None:
    long = f"UID:long\r\nDTSTART:20261201\r\nSUMMARY:{'x' * MOST_OF_AN_EVENT}"
    lines = "UID:lines\r\nDTSTART:20261201" + "\r\nSUMMARY:x" * MOST_LINES_OF_AN_EVENT
    reading = read_calendar(calendar(long, lines, "UID:other\r\nDTSTART:20261201"), TODAY)
    assert [(event.uid, event.code, event.is_problem) for event in reading.events] == [
        ("long", "unreadable", True),
        ("lines", "unreadable", True),
        ("other", "block", False),
    ]


def test_a_property_that_nobody_reads_may_have_any_length() -> None:
    event = f"UID:a\r\nDTSTART:20261201\r\nATTACH:{'x' * MOST_OF_AN_EVENT}" + "\r\nX-A:1" * 1_000
    (verdict,) = read_calendar(calendar(event), TODAY).events
    assert (verdict.code, len(verdict.nights)) == ("block", 1)


def test_rules_with_more_occurrences_than_are_read_hold_their_first_one() -> None:
    events = [
        f"UID:{day}\r\nDTSTART:200001{day:02}\r\nRRULE:FREQ=DAILY;COUNT={90_000 + day}"
        for day in range(1, 29)
    ]
    codes = [event.code for event in read_calendar(calendar(*events), TODAY).events]
    expanded = codes.count("bounded")
    assert 10 <= expanded < 15
    assert codes[expanded:] == ["first_only"] * (28 - expanded)


def test_a_repetition_nobody_here_reads_holds_its_first_occurrence_and_is_listed() -> None:
    event = "UID:r\r\nDTSTART:20261201\r\nRRULE:FREQ=DAILY;BYYEARDAY=335"
    (verdict,) = read_calendar(calendar(event), TODAY).events
    assert (verdict.code, verdict.is_problem, len(verdict.nights)) == ("first_only", True, 1)


def starts(*events: str) -> list[str]:
    return [run.first_on.isoformat() for run in read_calendar(calendar(*events), TODAY).nights]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", ["2026-11-30", "2026-12-31", "2027-01-31"]),
        ("RRULE:FREQ=MONTHLY;BYDAY=-1MO;COUNT=3", ["2026-11-30", "2026-12-28", "2027-01-25"]),
        (
            "RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2\r\nEXDATE:20270104",
            ["2026-11-30", "2026-12-07"],
        ),
        ("RRULE:FREQ=YEARLY;BYDAY=-1MO;BYMONTH=11;COUNT=2", ["2026-11-30", "2027-11-29"]),
        (
            "RDATE;VALUE=DATE:20261205,20261210\r\nRDATE;VALUE=DATE:20270101",
            ["2026-11-30", "2026-12-05", "2026-12-10", "2027-01-01"],
        ),
        (
            "RRULE:FREQ=DAILY;COUNT=2\r\nRDATE;VALUE=PERIOD:20261214T150000Z/P3D",
            ["2026-11-30", "2026-12-01", "2026-12-15"],
        ),
    ],
)
def test_last_days_nth_weekdays_and_added_dates_are_read(lines: str, expected: list[str]) -> None:
    event = f"UID:r\r\nDTSTART;VALUE=DATE:20261130\r\n{lines}"
    reading = read_calendar(calendar(event), TODAY)
    assert [run.first_on.isoformat() for run in reading.nights] == expected
    assert not reading.events[0].is_problem


def test_an_added_period_has_its_own_length() -> None:
    event = "UID:r\r\nDTSTART:20261201\r\nRDATE;VALUE=PERIOD:20261214T150000Z/P3D"
    reading = read_calendar(calendar(event), TODAY)
    assert [days(run) for run in reading.nights][1] == ("2026-12-15", "2026-12-18")


def test_stays_that_share_a_uid_are_all_held() -> None:
    one, two = "DTSTART:20261201\r\nDTEND:20261205", "DTSTART:20261210\r\nDTEND:20261212"
    shared = [f"UID:room-101\r\n{nights}" for nights in (one, two, "DTSTART:20261220")]
    assert starts(*shared) == ["2026-12-01", "2026-12-10", "2026-12-20"]
    stamped = [f"{event}\r\nDTSTAMP:2026112{place}T000000Z" for place, event in enumerate(shared)]
    assert starts(*stamped) == ["2026-12-01", "2026-12-10", "2026-12-20"]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("DTEND:20261207\r\nSEQUENCE:1", "DTEND:20261205\r\nSEQUENCE:2"),
        (
            "DTEND:20261207\r\nDTSTAMP:20261101T000000Z",
            "DTEND:20261205\r\nDTSTAMP:20261102T000000Z",
        ),
        (
            "DTEND:20261207\r\nLAST-MODIFIED:20261101T000000Z\r\nDTSTAMP:20261120T000000Z",
            "DTEND:20261205\r\nLAST-MODIFIED:20261102T000000Z\r\nDTSTAMP:20261119T000000Z",
        ),
    ],
)
@pytest.mark.parametrize("is_older_last", [False, True])
def test_a_newer_version_of_one_stay_supersedes_the_older(
    older: str, newer: str, *, is_older_last: bool
) -> None:
    events = [f"UID:a\r\nDTSTART:20261201\r\n{lines}" for lines in (older, newer)]
    reading = read_calendar(calendar(*(reversed(events) if is_older_last else events)), TODAY)
    assert [days(run) for run in reading.nights] == [("2026-12-01", "2026-12-05")]
    assert sorted(event.code for event in reading.events) == ["block", "superseded"]


def test_a_stay_cancelled_by_a_newer_version_holds_nothing_and_an_older_one_nothing_back() -> None:
    stay = "UID:a\r\nDTSTART:20261201\r\nDTEND:20261205\r\nSEQUENCE:1"
    assert starts(stay, stay.replace("SEQUENCE:1", "STATUS:CANCELLED\r\nSEQUENCE:2")) == []
    again = stay.replace("SEQUENCE:1", "STATUS:CANCELLED\r\nSEQUENCE:0")
    assert starts(again, stay) == ["2026-12-01"]


def test_what_cannot_be_read_supersedes_nothing() -> None:
    stay = "UID:a\r\nDTSTART:20261201\r\nSEQUENCE:1"
    assert starts(stay, "UID:a\r\nDTSTART:20261399\r\nSEQUENCE:2") == ["2026-12-01"]


def test_a_stay_that_moved_between_two_polls_moves_its_block(room: Polling) -> None:
    stay = "SUMMARY:Reserved\r\nUID:a@x\r\nDTSTAMP:2026112{n}T010029Z\r\nDTSTART:202612{n}3"
    room.poll(calendar(stay.format(n=0) + "\r\nDTEND:20261207"))
    report = room.poll(calendar(stay.format(n=2) + "\r\nDTEND:20261227"))
    assert len(report.moved) == 1
    assert [block.first_on for block in room.blocks()] == [date(2026, 12, 23)]


@pytest.mark.parametrize(
    "broken",
    [
        "UID:a\r\nDTSTART:20269999\r\nDTEND:20261206",
        "UID:a\r\nDTSTART:20261203\r\nDTEND:20269999",
        "UID:a\r\nDTSTART:20261206\r\nDTEND:20261203",
        "UID:a\r\nDTEND:20261206",
        "DTSTART:20269999",
    ],
)
def test_an_event_that_cannot_be_read_any_more_keeps_its_nights_and_is_told(
    room: Polling, broken: str
) -> None:
    other = "UID:b\r\nDTSTART:20261224"
    room.poll(calendar("UID:a\r\nDTSTART:20261203\r\nDTEND:20261206", other))
    report = room.poll(calendar(broken, other))
    assert (report.released, len(report.problems)) == ((), 1)
    held = {block.uid: (block.first_on, block.last_on) for block in room.blocks()}
    assert held["a"] == (date(2026, 12, 3), date(2026, 12, 5))
    assert len(room.poll(calendar(other)).released) == 1


def test_an_unreadable_end_holds_the_first_night() -> None:
    reading = read_calendar(calendar("UID:a\r\nDTSTART:20261203\r\nDTEND:20269999"), TODAY)
    assert [days(run) for run in reading.nights] == [("2026-12-03", "2026-12-04")]
    assert reading.events[0].is_problem


def test_busy_periods_are_held_and_free_ones_are_not() -> None:
    busy = (
        "BEGIN:VFREEBUSY\r\nUID:f\r\nDTSTART:20261201T000000Z\r\nDTEND:20270101T000000Z\r\n"
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261202T150000Z/PT48H,20261209T150000Z/20261211T150000Z\r\n"
        "FREEBUSY:20261219T150000Z/P1D\r\n"
        "FREEBUSY;FBTYPE=FREE:20261221T150000Z/P1D\r\n"
        "FREEBUSY:soon\r\nEND:VFREEBUSY"
    )
    data = f"BEGIN:VCALENDAR\r\nPRODID:x\r\n{busy}\r\nEND:VCALENDAR\r\n".encode()
    reading = read_calendar(data, TODAY)
    assert [days(run) for run in reading.nights] == [
        ("2026-12-03", "2026-12-05"),
        ("2026-12-10", "2026-12-12"),
        ("2026-12-20", "2026-12-21"),
    ]
    assert [event.code for event in reading.events if event.is_problem] == ["unreadable_start"]


@pytest.mark.parametrize(
    ("summary", "is_left_out"),
    [
        ("Airbnb (Not available)", True),
        ("Not available", True),
        ("Reserved", False),
        ("CLOSED - Not available", False),
        ("Blocked", False),
    ],
)
def test_days_that_a_channel_does_not_sell_are_left_out_where_the_calendar_is_set_so(
    summary: str, *, is_left_out: bool
) -> None:
    data = calendar(f"UID:a\r\nDTSTART:20261120\r\nSUMMARY:{summary}")
    assert len(read_calendar(data, TODAY).nights) == 1
    (event,) = read_calendar(data, TODAY).without_window().events
    assert (event.code == "window") is is_left_out
    assert (event.nights == ()) is is_left_out
    assert not event.is_problem


def test_a_change_of_all_later_dates_is_held_with_them_and_told() -> None:
    master = "UID:r\r\nDTSTART:20261201\r\nRRULE:FREQ=DAILY;INTERVAL=7;COUNT=3"
    moved = "UID:r\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261208\r\nDTSTART:20261209"
    reading = read_calendar(calendar(master, moved), TODAY)
    assert [run.first_on.day for run in reading.nights] == [1, 9, 15]
    assert [event.code for event in reading.events if event.is_problem] == ["all_later"]


def test_a_repetition_without_end_is_held_up_to_the_horizon() -> None:
    event = "UID:r\r\nDTSTART:20250106\r\nRRULE:FREQ=WEEKLY"
    (verdict,) = read_calendar(calendar(event), TODAY).events
    assert verdict.code == "bounded"
    assert verdict.nights[0].to_on > TODAY
    assert verdict.nights[-1].first_on <= TODAY + timedelta(days=HORIZON_DAYS)


def test_the_days_of_a_repetition_move_with_time_and_no_occurrence_is_made_twice(
    room: Polling,
) -> None:
    feed = calendar("UID:r\r\nDTSTART:20250106\r\nRRULE:FREQ=WEEKLY")
    room.poll(feed)
    room.importing.clock.advance(timedelta(days=28))
    report = room.poll(feed)
    assert (len(report.new), report.released, report.moved) == (4, (), ())


def test_an_unknown_zone_is_read_as_japan_time_and_said_so() -> None:
    event = "UID:z\r\nDTSTART;TZID=Nowhere/Else:20261203T230000"
    (verdict,) = read_calendar(calendar(event), TODAY).events
    assert days(verdict.nights[0]) == ("2026-12-03", "2026-12-04")
    assert verdict.facts == (("zone", "Nowhere/Else"),)


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "DTSTART:20261203",
                "DTSTART;VALUE=DATE:20261203",
                "DTSTART:20261203T250000",
                "DTSTART:00010101T000000Z",
                "DTSTART;VALUE=PERIOD:20261203T100000Z/P1D",
                "DTEND:99991231T235959Z",
                "DTEND;TZID=:20261203",
                "DURATION:-P3D",
                "DURATION:P99999999999999D",
                "RRULE:FREQ=DAILY",
                "RRULE:COUNT=",
                "EXDATE:x",
                "RDATE:20261205",
                "RECURRENCE-ID:x",
                "RECURRENCE-ID;VALUE=PERIOD:20261203T100000Z/P1D",
                "SEQUENCE:x",
                "UID:",
                "UID:a",
                "STATUS:;",
                "BEGIN:VALARM",
                "END:VALARM",
                "END:VEVENT",
                "BEGIN:VEVENT",
                "BEGIN:VTIMEZONE",
                " folded",
            ]
        ),
        st.text(max_size=30),
    ),
    max_size=8,
).map("\r\n".join)


@given(LINES, LINES)
def test_no_event_whatever_its_lines_makes_the_reading_fail(one: str, other: str) -> None:
    data = calendar(one, "UID:good\r\nDTSTART:20270101", other)
    reading = read_calendar(data, TODAY)
    for run in reading.nights:
        assert run.first_on < run.to_on


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    with suppress(Refused):
        read_calendar(b"BEGIN:VCALENDAR\n" + data + b"\nEND:VCALENDAR", TODAY)


def test_a_unit_is_named_by_its_slug_its_id_or_its_building_and_room(room: Polling) -> None:
    database, workspace_id = room.importing.database, room.importing.workspace_id
    with database.reading(workspace_id) as session:
        assert named_unit_id(session, room.unit_id) == room.unit_id
        assert named_unit_id(session, "kawasemi-house-102-sumida") == room.unit_id
        assert named_unit_id(session, "１０２号室", "ｼｪｱﾊｳｽ ｶﾜｾﾐ荘") == room.unit_id
        with pytest.raises(NotFound):
            named_unit_id(session, "102")
        with pytest.raises(NotFound):
            named_unit_id(session, "999", "シェアハウス カワセミ荘")
