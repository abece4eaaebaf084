"""The worker reads channels' calendars: bounded, out of private networks, again and again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from pms.catalogue.calendar_imports import EVERY, LONGEST_WAIT
from pms.catalogue.calendar_wording import MOST_BYTES
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.catalogue.unit_calendars import (
    LEASE,
    add_calendar_feed,
    lease_calendar_feeds,
    remove_calendar_feed,
)
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.outside_reading import Target, Unreachable, check_url, resolve_target, target_of
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs import readings
from pms.jobs.mail_delivery import FolderPostbox
from pms.jobs.readings import read_calendars
from pms.jobs.runs import Tools
from pms.rules.days import readable
from pms.workspaces.models import Workspace
from tests.cast import Cast
from tests.imports.samples import sample
from tests.jobs.channel import LOOPBACK, Channel, open_channel
from tests.while_writing import watch_writing


@pytest.fixture
def channel() -> Iterator[Channel]:
    with open_channel() as channel:
        yield channel


@dataclass(frozen=True)
class Reading:
    """A worker, and the one calendar of Sumida's free room that it reads."""

    tools: Tools
    workspace_id: str
    unit_id: str

    def read(self, allowed: tuple[str, ...] = LOOPBACK, patience: float = 5.0) -> CalendarFeed:
        read_calendars(self.tools, allowed_networks=allowed, patience_seconds=patience)
        return self.feed()

    def read_again(self, patience: float = 5.0) -> CalendarFeed:
        self.clock.advance(LONGEST_WAIT)
        return self.read(patience=patience)

    @property
    def clock(self) -> FixedClock:
        assert isinstance(self.tools.clock, FixedClock)
        return self.tools.clock

    def feed(self) -> CalendarFeed:
        with self.tools.database.reading(self.workspace_id) as session:
            return session.scalars(
                select(CalendarFeed).where(CalendarFeed.unit_id == self.unit_id)
            ).one()

    def uids(self) -> set[str | None]:
        with self.tools.database.reading(self.workspace_id) as session:
            of_unit = select(ExternalBlock.uid).where(ExternalBlock.unit_id == self.unit_id)
            return set(session.scalars(of_unit))

    def last_day(self) -> date:
        """The last day taken by the calendar."""
        with self.tools.database.reading(self.workspace_id) as session:
            of_unit = select(ExternalBlock).where(ExternalBlock.unit_id == self.unit_id)
            last_days = [readable(block.last_on) for block in session.scalars(of_unit)]
            return max(day for day in last_days if day is not None)

    def version(self) -> int:
        with self.tools.database.reading(self.workspace_id) as session:
            return session.get_one(Workspace, self.workspace_id).occupancy_version


@pytest.fixture
def reading(
    database: Database, settings: Settings, clock: FixedClock, cast: Cast, channel: Channel
) -> Reading:
    tools = Tools(settings, database, clock, FolderPostbox(settings.mail_dir))
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        add_calendar_feed(
            Work(session, clock, "staff"), unit_id=house.free_room_id, name="Airbnb", url=_PUBLIC
        )
        feed = session.scalars(
            select(CalendarFeed).where(CalendarFeed.unit_id == house.free_room_id)
        ).one()
        feed.url = channel.url  # no form would take it
    return Reading(tools, house.workspace_id, house.free_room_id)


_PUBLIC = "https://calendar.example.com/a.ics"


def code_of(feed: CalendarFeed) -> str:
    return str(json.loads(feed.failure or "{}").get("code", ""))


def test_a_calendar_is_read_before_anything_is_written(
    reading: Reading, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_writing = watch_writing(monkeypatch, (readings, "read_calendar"))
    channel.content = sample("calendars/airbnb.ics")
    reading.read()
    assert reading.uids()
    assert while_writing == [False]


def test_a_calendar_takes_its_days_and_gives_back_what_vanished(
    reading: Reading, channel: Channel
) -> None:
    channel.content, channel.etag = sample("calendars/airbnb.ics"), '"one"'
    feed = reading.read()
    first = reading.uids()
    assert len(first) == 10
    assert (feed.failure, feed.etag, feed.last_read_at) == (None, '"one"', reading.clock.now())
    assert feed.due_at == reading.clock.now() + EVERY
    reading.read()
    assert len(channel.asked) == 1, "nobody asks again before its time"

    before = reading.version()
    again = reading.read_again()
    assert channel.asked[-1]["If-None-Match"] == '"one"'
    assert again.last_read_at == reading.clock.now()
    assert (reading.uids(), reading.version()) == (first, before), "304 changes nothing"

    channel.content, channel.etag = sample("calendars/airbnb_next_poll.ics"), '"two"'
    reading.read_again()
    released = first - reading.uids()
    assert released
    assert reading.version() > before


def test_a_repetition_without_end_is_read_whole_again_and_holds_later_days(
    reading: Reading, channel: Channel
) -> None:
    channel.etag, channel.headers = '"same"', {"Last-Modified": "Fri, 20 Nov 2026 03:00:00 GMT"}
    channel.content = (
        b"BEGIN:VCALENDAR\r\nPRODID:-//Somebody//EN\r\nBEGIN:VEVENT\r\nUID:r\r\n"
        b"DTSTART:20261123\r\nRRULE:FREQ=WEEKLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    reading.read()
    last_on = reading.last_day()
    reading.clock.advance(timedelta(days=28))
    reading.read()
    assert len(channel.asked) == 2
    assert not {"If-None-Match", "If-Modified-Since"} & set(channel.asked[-1])
    assert reading.last_day() == last_on + timedelta(days=28)


def test_broken_events_cost_only_themselves_and_are_listed(
    reading: Reading, channel: Channel
) -> None:
    channel.content = sample("calendars/odd.ics")
    feed = reading.read()
    assert feed.failure is None
    assert len(feed.broken) == 3
    assert len(reading.uids()) >= 14


@pytest.mark.parametrize("name", ["booking_com.ics", "vrbo.ics"])
def test_other_channels_are_read_as_well(reading: Reading, channel: Channel, name: str) -> None:
    channel.content = sample(f"calendars/{name}")
    assert reading.read().failure is None
    assert reading.uids()


def test_a_failure_keeps_the_days_and_is_tried_ever_more_rarely(
    reading: Reading, channel: Channel
) -> None:
    channel.content = sample("calendars/airbnb.ics")
    reading.read()
    days = reading.uids()
    channel.status, waits = 500, []
    for _ in range(8):
        feed = reading.read_again()
        assert feed.due_at is not None
        waits.append(feed.due_at - reading.clock.now())
    assert (code_of(feed), feed.failures, reading.uids()) == ("status", 8, days)
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (2 * EVERY, LONGEST_WAIT)
    channel.status = 200
    healed = reading.read_again()
    assert (healed.failures, healed.failure) == (0, None)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<html>Sign in</html>", "not_a_calendar"),
        (b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", "cut_off"),
        (b"BEGIN:VCALENDAR\r\n" + b"X" * MOST_BYTES + b"\r\nEND:VCALENDAR", "too_large"),
        (
            b"BEGIN:VCALENDAR\r\n" + b"BEGIN:VEVENT\r\nEND:VEVENT\r\n" * 2_001 + b"END:VCALENDAR",
            "too_many_events",
        ),
    ],
)
def test_what_is_no_calendar_changes_no_day(
    reading: Reading, channel: Channel, content: bytes, code: str
) -> None:
    channel.content = sample("calendars/airbnb.ics")
    reading.read()
    days = reading.uids()
    channel.content = content
    assert code_of(reading.read_again()) == code
    assert reading.uids() == days


def test_a_server_that_trickles_is_left(reading: Reading, channel: Channel) -> None:
    channel.is_slow = True
    assert code_of(reading.read(patience=0.3)) == "too_slow"
    channel.headers = {"Content-Length": "100000"}
    assert code_of(reading.read_again(patience=0.3)) == "too_slow"


def test_fewer_bytes_than_announced_are_no_calendar(reading: Reading, channel: Channel) -> None:
    channel.content, channel.headers = b"BEGIN:VCALENDAR", {"Content-Length": "5000"}
    channel.trickle.set()
    assert code_of(reading.read()) == "bad_answer"


def test_a_private_address_is_not_gone_to(reading: Reading, channel: Channel) -> None:
    assert code_of(reading.read(allowed=())) == "inside"
    assert channel.asked == []


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.9.9.9:{port}/", "inside"),
        ("http://169.254.169.254/latest/meta-data/", "inside"),
        ("http://[::1]:{port}/", "inside"),
        ("file:///etc/passwd", "not_an_address"),
        ("gopher://127.0.0.1/", "not_an_address"),
        ("", "bad_answer"),
        ("http://[", "bad_answer"),
        ("/calendar/again.ics", "too_many_redirects"),
    ],
)
def test_every_redirect_is_checked_anew(
    reading: Reading, channel: Channel, location: str, code: str
) -> None:
    channel.status, channel.headers = 302, {"Location": location.format(port=channel.port)}
    assert code_of(reading.read(allowed=("127.0.0.1/32",))) == code
    assert len(channel.asked) == (4 if code == "too_many_redirects" else 1)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/a.ics",
        "http://localhost:5432/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://10.1.2.3/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://169.254.169.254/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
        "http://[::]/",
    ],
)
def test_no_way_of_writing_it_leads_inside(url: str) -> None:
    with pytest.raises(Unreachable, match=r"inside|unknown_host"):
        resolve_target(target_of(url))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "calendar.ics",
        "ftp://example.com/a.ics",
        "file:///etc/passwd",
        "https://",
        "https://exa mple.com/",
        "https://example.com:99999/",
        "https://example.com/\r\nHost: inside",
        "https://user:word@example.com/",
        "https://例え.jp/",
        "https://example.com/" + "a" * 1_000,
        "http://127.0.0.1/",
        "https://db.internal/",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_when_it_is_typed(
    database: Database, clock: FixedClock, cast: Cast, url: str
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        with pytest.raises(Refused) as refused:
            add_calendar_feed(
                Work(session, clock, "staff"), unit_id=cast.sumida.free_room_id, name="A", url=url
            )
        assert refused.value.field == "url"


def test_a_good_address_is_taken_apart_as_it_is_sent() -> None:
    check_url("https://www.airbnb.jp/calendar/ical/1.ics?s=2")
    target = target_of("https://www.airbnb.jp/calendar/ical/1.ics?s=2")
    assert target == Target("https", "www.airbnb.jp", 443, "/calendar/ical/1.ics?s=2")
    assert target.host_header == "www.airbnb.jp"
    assert target_of("http://[2001:db8::1]:8080").host_header == "[2001:db8::1]:8080"


@pytest.mark.differs("leases")
def test_two_workers_never_read_the_same_calendar(reading: Reading) -> None:
    database, clock = reading.tools.database, reading.clock

    def leased() -> int:
        with database.across_workspaces_writing() as session:
            return len(lease_calendar_feeds(session, clock, 10))

    assert (leased(), leased()) == (1, 0)
    clock.advance(LEASE + timedelta(seconds=1))
    assert leased() == 1, "its worker died"


def test_a_removed_calendar_gives_back_its_days_alone(reading: Reading, channel: Channel) -> None:
    channel.content = sample("calendars/airbnb.ics")
    feed, before = reading.read(), reading.version()
    with reading.tools.database.writing(reading.workspace_id) as session:
        hand_made = ExternalBlock(
            unit_id=reading.unit_id,
            source="owner_use",
            first_on=reading.clock.today(),
            last_on=None,
            created_at=reading.clock.now(),
            updated_at=reading.clock.now(),
        )
        session.add(hand_made)
    with reading.tools.database.writing(reading.workspace_id) as session:
        remove_calendar_feed(Work(session, reading.clock, "staff"), feed_id=feed.id)
    assert reading.uids() == {None}
    assert reading.version() > before + 1
