"""The office adds channels' calendars, sees how they were read, and where they meet a tenancy."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, select

from pms.availability.block_conflicts import block_conflicts
from pms.availability.labels import label
from pms.availability.units import availability_of
from pms.catalogue.calendar_feeds import list_broken_events, read_calendar
from pms.catalogue.calendar_imports import import_calendar
from pms.catalogue.feed_records import write_failure
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import BlockSource, Lifecycle
from tests.cast import Cast, external_block, reservation
from tests.imports.samples import sample
from tests.staff import Browser


@contextmanager
def counted_queries(database: Database) -> Iterator[list[str]]:
    """Every statement the database is asked meanwhile."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(database.engine, "before_cursor_execute", note)


URL = "https://www.airbnb.jp/calendar/ical/1.ics?s=9f8a7b"


@pytest.fixture
def here(cast: Cast) -> str:
    return f"/units/{cast.sumida.free_room_id}"


@pytest.fixture
def clash(database: Database, cast: Cast) -> str:
    """A channel takes Hanako's room at Christmas and from the day her contract ends."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        feed = CalendarFeed(unit_id=house.residents_room_id, name="Example Stays")
        session.add(feed)
        session.flush()
        usual = {"unit_id": house.residents_room_id, "feed_id": feed.id}
        session.add_all(
            [
                external_block(**usual, uid="a"),
                external_block(
                    **usual, uid="b", first_on=date(2027, 3, 31), last_on=date(2027, 4, 3)
                ),
                external_block(
                    **usual, uid="c", first_on=date(2026, 11, 1), last_on=date(2026, 11, 19)
                ),
            ]
        )
        return feed.id


def test_a_calendar_is_added_read_now_and_removed_with_its_days(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, here: str
) -> None:
    assert "Calendars" in office.get(f"{here}?lang=en").text
    assert office.post(f"{here}/calendars", {"name": "Airbnb", "url": URL}).status_code == 303
    shown = office.get(f"{here}/calendars?lang=en").text
    assert "Being read" in shown
    assert 'hx-trigger="poll"' in shown
    with database.writing(cast.sumida.workspace_id) as session:
        feed = session.scalars(select(CalendarFeed).where(CalendarFeed.url == URL)).one()
        feed_id, feed.due_at = feed.id, clock.now() + timedelta(minutes=30)
        feed.failures, feed.failure = 3, write_failure("status", {"status": 410})
        feed.broken = list_broken_events(
            read_calendar(sample("calendars/odd.ics"), clock.today()).events
        )
        for number in (1, 2):
            session.add(
                external_block(unit_id=feed.unit_id, feed_id=feed_id, uid=f"{number}@airbnb")
            )
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == "calendar_feed.added")
        ).one()
        assert noted.after == {"feed": "Airbnb", "server": "www.airbnb.jp"}
    shown = office.get(f"{here}/calendars?lang=en").text
    assert "The server answered 410" in shown
    assert "Failed attempts in a row: 3." in shown
    assert "3 events could not be read" in shown
    assert "no start: left out" in shown
    assert "サーバーの応答は 410" in office.get(f"{here}/calendars?lang=ja").text

    assert office.post(f"/calendar-feeds/{feed_id}/reading").status_code == 303
    part = office.block(f"{here}/calendars?part=feeds&lang=en")
    assert "Being read" in part.text
    assert "<html" not in part.text

    asked = office.get(f"/calendar-feeds/{feed_id}/removal?lang=en")
    assert "2 blocks are removed with it" in asked.text
    assert office.post(f"/calendar-feeds/{feed_id}/removal").status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        left = session.scalars(
            select(ExternalBlock).where(ExternalBlock.unit_id == cast.sumida.free_room_id)
        )
        assert left.all() == []
    assert office.post(f"/calendar-feeds/{feed_id}/removal").status_code == 404


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"name": "", "url": URL}, "Please fill this in."),
        ({"name": "Airbnb", "url": "calendar"}, "begins with https://"),
        ({"name": "Airbnb", "url": "http://192.168.0.1/a.ics"}, "private network"),
        ({"name": "Airbnb", "url": "https://me:word@example.com/"}, "password"),
    ],
)
def test_what_is_refused_stands_beside_its_field(
    office: Browser, here: str, typed: dict[str, str], text: str
) -> None:
    answer = office.post(f"{here}/calendars?lang=en", typed)
    assert answer.status_code == 422
    assert text in answer.text
    assert f'value="{typed["url"]}"' in answer.text


def test_a_name_is_taken_once_a_unit(office: Browser, here: str) -> None:
    typed = {"name": "Airbnb", "url": URL}
    assert office.post(f"{here}/calendars", typed).status_code == 303
    again = office.post(f"{here}/calendars?lang=en", typed)
    assert again.status_code == 422
    assert "Airbnb" in again.text


def test_the_units_own_address_is_made_copied_renewed_and_ended(
    office: Browser, client: FlaskClient, here: str
) -> None:
    def address() -> str:
        text = office.get(f"{here}/calendars").text
        return (
            text.split('id="calendar-address">')[1].split("<")[0].removeprefix("http://localhost")
        )

    assert office.post(f"{here}/calendar-address").status_code == 303
    first = address()
    assert client.get(first).status_code == 200
    assert first in office.get(f"{here}/calendars").text, "it can be copied again"
    asked = office.get(f"{here}/calendar-address/renewal?lang=en")
    assert "The current link stops working" in asked.text
    assert office.post(f"{here}/calendar-address").status_code == 303
    second = address()
    assert (client.get(first).status_code, client.get(second).status_code) == (404, 200)
    assert office.get(f"{here}/calendar-address/end").status_code == 200
    assert office.post(f"{here}/calendar-address/end").status_code == 303
    assert client.get(second).status_code == 404
    assert "calendar-address" not in office.get(f"{here}/calendars").text.split("<form")[0]


def test_conflicts_are_told_to_the_office_and_refuse_nothing(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, clash: str
) -> None:
    house = cast.sumida
    with database.reading(house.workspace_id) as session:
        first, second = block_conflicts(session, clock.today())
    assert (first.reservation_id, first.feed) == (house.resident_id, "Example Stays")
    assert (first.first_on, first.free_from_on) == (date(2026, 12, 24), date(2026, 12, 27)), (
        "what is over is no conflict"
    )
    assert (second.first_on, second.free_from_on) == (date(2027, 3, 31), date(2027, 4, 4)), (
        "a contract ends no tenancy: without a notice the resident lives on"
    )
    shown = office.get("/calendar-conflicts?lang=en").text
    assert house.resident_id in shown
    assert "Example Stays" in shown
    assert "佐藤 花子" in office.get(f"/units/{house.residents_room_id}/calendars").text
    assert "1 unit taken twice" in office.get("/?lang=en").text
    with database.writing(house.workspace_id) as session:
        session.add(
            reservation(
                unit_id=house.residents_room_id,
                name="後の住人",
                move_in_date=date(2027, 4, 2),
                contract_end_date=date(2028, 4, 1),
            )
        )
    with database.reading(house.workspace_id) as session:
        nights = [(each.resident, *each[-2:]) for each in block_conflicts(session, clock.today())]
    assert nights[1:] == [
        ("佐藤 花子", date(2027, 3, 31), date(2027, 4, 2)),
        ("後の住人", date(2027, 4, 2), date(2027, 4, 4)),
    ], "each night is told once, of who holds it"
    assert "1 unit taken twice" in office.get("/?lang=en").text
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.lifecycle, stay.move_out_date = Lifecycle.NOTICE_FILED, date(2026, 12, 24)
    with database.reading(house.workspace_id) as session:
        (left,) = block_conflicts(session, clock.today())
    assert left.resident == "後の住人", "what begins on the day another leaves is no conflict"


def test_the_list_asks_the_same_questions_however_long_it_is(
    app: Flask, office: Browser, database: Database, cast: Cast, clash: str
) -> None:
    served: Database = app.extensions["pms.database"]

    def clash_again(numbers: range) -> None:
        with database.writing(cast.sumida.workspace_id) as session:
            for number in numbers:
                first_on = date(2027, 1, 1) + timedelta(days=10 * number)
                unit_id = cast.sumida.free_room_id
                session.add(
                    reservation(
                        unit_id=unit_id,
                        move_in_date=first_on,
                        contract_end_date=first_on + timedelta(days=9),
                        move_out_date=first_on + timedelta(days=9),
                    )
                )
                session.add(
                    external_block(
                        unit_id=unit_id,
                        source=BlockSource.OWNER_USE,
                        first_on=first_on,
                        last_on=first_on,
                    )
                )

    office.get("/calendar-conflicts")  # what a first visit asks besides
    clash_again(range(1))
    with counted_queries(served) as few:
        office.get("/calendar-conflicts")
    clash_again(range(1, 60))
    with counted_queries(served) as many:
        page = office.get("/calendar-conflicts?lang=en").text
    assert "1–50 of 62" in page
    assert len(many) == len(few)
    with counted_queries(served) as again:
        assert "1–50 of 62" in office.get("/calendar-conflicts?lang=en").text
    assert len(again) < len(many), "what nothing has changed is kept"


def test_days_not_on_sale_are_left_out_where_the_calendar_is_set_so(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, here: str
) -> None:
    """They are held by default, leave at once when the setting changes, and come back when read."""
    workspace_id, unit_id = cast.sumida.workspace_id, cast.sumida.free_room_id
    window = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:w\r\nDTSTART:20261120\r\nDTEND:20261122\r\n" \
        b"SUMMARY:Airbnb (Not available)\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:g\r\n" \
        b"DTSTART:20261224\r\nSUMMARY:Reserved\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"  # fmt: skip
    office.post(f"{here}/calendars", {"name": "Airbnb", "url": URL})

    def poll() -> None:
        with database.writing(workspace_id) as session:
            import_calendar(
                Work(session, clock, "worker"),
                read_calendar(window, clock.today()),
                unit_id=unit_id,
                commit=True,
                feed_name="Airbnb",
            )

    def held() -> set[str | None]:
        with database.reading(workspace_id) as session:
            blocks = select(ExternalBlock).where(ExternalBlock.unit_id == unit_id)
            return {block.uid for block in session.scalars(blocks)}

    poll()
    assert held() == {"w", "g"}
    with database.reading(workspace_id) as session:
        feed_id = session.scalars(select(CalendarFeed.id).where(CalendarFeed.url == URL)).one()
        assert label(availability_of(session, unit_id, clock.today())) == "Reserved"
    assert "Leave out days not on sale" in office.get(f"{here}/calendars?lang=en").text
    office.post(f"/calendar-feeds/{feed_id}/window", {"leavesOutWindow": "y"})
    assert held() == {"g"}
    poll()
    assert held() == {"g"}
    with database.reading(workspace_id) as session:
        found = availability_of(session, unit_id, clock.today())
        assert label(found) == "Reserved from 2026-12-24"
    shown = office.get(f"{here}/calendars?lang=en").text
    assert "Hold days not on sale" in shown
    office.post(f"/calendar-feeds/{feed_id}/window", {})
    poll()
    assert held() == {"w", "g"}


def test_our_own_nights_told_back_by_a_channel_change_nothing(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house, leaves_on = cast.sumida, date(2026, 12, 16)
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.lifecycle, stay.move_out_date = Lifecycle.NOTICE_FILED, leaves_on
        feed = CalendarFeed(unit_id=house.residents_room_id, name="Airbnb")
        session.add(feed)
        session.flush()
        usual = {"unit_id": house.residents_room_id, "feed_id": feed.id}
        echo = {"uid": "e", "first_on": date(2026, 11, 21), "last_on": date(2026, 12, 15)}
        session.add(external_block(**usual, **echo, summary="Airbnb (Not available)"))
    with database.reading(house.workspace_id) as session:
        found = availability_of(session, house.residents_room_id, clock.today())
        assert label(found) == "Available from 2026-12-16"
        assert block_conflicts(session, clock.today()) == []
    with database.writing(house.workspace_id) as session:
        guest = {"uid": "g", "first_on": date(2026, 12, 1), "last_on": date(2026, 12, 4)}
        session.add(external_block(**usual, **guest, summary="Reserved"))
        named = {"uid": "n", "first_on": date(2026, 11, 21), "last_on": date(2026, 12, 15)}
        session.add(external_block(**usual, **named, booking_reference="HMABCDEF12"))
    with database.reading(house.workspace_id) as session:
        assert len(block_conflicts(session, clock.today())) == 2, "guests of the channel are told"
    shown = office.get("/calendar-conflicts?lang=en").text
    assert "Blocks that only repeat our own nights are not listed." in shown
