"""Channels read on which days a unit is taken, at an address that is its own credential."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from flask.testing import FlaskClient
from icalendar import Calendar
from sqlalchemy import delete, select

from pms.catalogue.calendar_feeds import OWN_UID_ENDING, read_calendar
from pms.catalogue.models import ExternalBlock
from pms.catalogue.unit_calendars import end_unit_calendar, given_calendar, make_unit_calendar
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import BlockSource, Lifecycle, ReservationKind
from pms.rules.request_budget import TRIES_OF_CLIENT
from tests.cast import Cast, external_block, reservation

pytestmark = pytest.mark.differs("one journey through each surface")

Link = Callable[[str], str]
HORIZON = date(2028, 11, 20)


@pytest.fixture
def link(database: Database, clock: FixedClock, settings: Settings, cast: Cast) -> Link:
    """Makes the address of a unit of Sumida, anew each time."""

    def made(unit_id: str) -> str:
        house = cast.sumida
        with database.writing(house.workspace_id) as session:
            make_unit_calendar(Work(session, clock, "staff"), unit_id=unit_id)
        with database.reading(house.workspace_id) as session:
            given = given_calendar(session, unit_id)
        assert given is not None
        return f"/calendar/{given.token(Signer(settings.secret_key))}.ics"

    return made


def runs(client: FlaskClient, link: str) -> list[tuple[date, date]]:
    events = Calendar.from_ical(client.get(link).data).walk("VEVENT")
    return sorted((event.decoded("dtstart"), event.decoded("dtend")) for event in events)


def test_a_unit_tells_its_own_days_and_nobodys_name(
    client: FlaskClient, database: Database, cast: Cast, link: Link
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        usual = {"unit_id": house.guests_room_id, "source": BlockSource.OWNER_USE}
        session.add_all(
            [
                external_block(
                    **usual,
                    first_on=date(2026, 12, 1),
                    last_on=date(2026, 12, 3),
                    summary="山本様ご利用",
                ),
                external_block(**usual, first_on=date(2026, 11, 1), last_on=date(2026, 11, 19)),
            ]
        )
    address = link(house.guests_room_id)
    assert runs(client, address) == [
        (date(2026, 11, 18), date(2026, 11, 25)),
        (date(2026, 12, 1), date(2026, 12, 4)),
    ], (
        "the check-out and the day after a block's last are free, the channel's own event is left out"
    )
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    for word in ("Emma", "Wilson", "山本", house.guest_id + "@example", "1@example"):
        assert word not in answer.text
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_what_is_known_already_is_not_sent_again(
    client: FlaskClient, database: Database, cast: Cast, link: Link
) -> None:
    address = link(cast.sumida.guests_room_id)
    first = client.get(address)
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "private, max-age=300"
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    uids = [event["UID"] for event in Calendar.from_ical(first.data).walk("VEVENT")]
    with database.writing(cast.sumida.workspace_id) as session:
        guest = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.guest_id))
        guest.contract_end_date = date(2026, 11, 27)
    moved = client.get(address, headers={"If-None-Match": tag})
    assert moved.status_code == 200
    assert [event["UID"] for event in Calendar.from_ical(moved.data).walk("VEVENT")] == uids


@pytest.mark.parametrize(
    "expected",
    [
        # Nobody filed, so nobody may move in, whatever the contract says.
        ({"contract_end_date": date(2027, 3, 31)}, HORIZON),
        (
            {"contract_end_date": date(2027, 3, 31), "move_out_date": date(2027, 1, 9)},
            date(2027, 1, 9),
        ),
        ({"contract_end_date": None}, HORIZON),
        ({"contract_end_date": date(2026, 12, 5)}, HORIZON),
        ({"contract_end_date": date(2026, 10, 31)}, HORIZON),
        ({"contract_end_date": date(2027, 3, 31), "forced_on": date(2026, 11, 1)}, HORIZON),
    ],
)
def test_a_stay_holds_its_unit_until_a_notice_sets_its_end(
    client: FlaskClient,
    database: Database,
    cast: Cast,
    link: Link,
    expected: tuple[dict[str, date | None], date],
) -> None:
    house, (days, free_from_on) = cast.sumida, expected
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        for name, value in days.items():
            setattr(stay, name, value)
    assert runs(client, link(house.residents_room_id)) == [(date(2026, 4, 1), free_from_on)]


def test_every_kind_of_stay_holds_the_unit_and_a_cancelled_one_does_not(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast, link: Link
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        for number, kind in enumerate(ReservationKind):
            first_on = date(2027, 2 + 2 * number, 1)
            session.add(
                reservation(
                    unit_id=house.free_room_id,
                    kind=kind,
                    lifecycle=Lifecycle.BOOKED,
                    move_in_date=first_on,
                    contract_end_date=first_on + timedelta(days=20),
                    email=None,
                )
            )
        session.add(
            reservation(
                unit_id=house.free_room_id,
                lifecycle=Lifecycle.CANCELLED,
                cancelled_at=clock.now(),
                move_in_date=date(2026, 12, 1),
                contract_end_date=date(2026, 12, 20),
            )
        )
    firsts = [first_on for first_on, _ in runs(client, link(house.free_room_id))]
    assert firsts == [date(2027, 2, 1), date(2027, 4, 1), date(2027, 6, 1)]


def test_our_own_reader_takes_nothing_of_it_back(
    client: FlaskClient, clock: FixedClock, cast: Cast, link: Link
) -> None:
    reading = read_calendar(client.get(link(cast.sumida.guests_room_id)).data, clock.today())
    assert [event.code for event in reading.events] == ["own"]
    assert reading.nights == ()


def test_a_unit_without_days_is_still_a_calendar(
    client: FlaskClient, database: Database, cast: Cast, link: Link
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(delete(ExternalBlock))
    assert runs(client, link(cast.sumida.free_room_id)) == []


def test_an_address_that_is_renewed_or_ended_opens_nothing_and_says_nothing(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast, link: Link
) -> None:
    house = cast.sumida
    old = link(house.free_room_id)
    new = link(house.free_room_id)
    assert client.get(new).status_code == 200
    with database.writing(house.workspace_id) as session:
        end_unit_calendar(Work(session, clock, "staff"), unit_id=house.free_room_id)
    unknown = client.get("/calendar/anything.ics")
    for address in (old, new, old[:-6] + "x.ics"):
        answer = client.get(address)
        assert (answer.status_code, answer.data) == (404, unknown.data)


def test_who_guesses_is_slowed(client: FlaskClient, cast: Cast) -> None:
    statuses = [
        client.get(f"/calendar/{number}.ics").status_code
        for number in range(TRIES_OF_CLIENT.free_tries + 1)
    ]
    assert (statuses[0], statuses[-1]) == (404, 429)


def test_neither_log_nor_audit_tells_the_address(
    client: FlaskClient,
    database: Database,
    cast: Cast,
    link: Link,
    capsys: pytest.CaptureFixture[str],
) -> None:
    address = link(cast.sumida.free_room_id)
    token = address.removeprefix("/calendar/").removesuffix(".ics")
    assert client.get(address).status_code == 200
    client.get(f"/calendar/{token}")
    output = capsys.readouterr()
    assert "/calendar/<token>.ics" in output.out
    assert token not in output.out + output.err
    with database.reading(cast.sumida.workspace_id) as session:
        given = given_calendar(session, cast.sumida.free_room_id)
        assert given is not None
        assert given.last_read_at is not None
        kept = [str((row.before, row.after)) for row in session.scalars(select(AuditRecord))]
    assert kept
    assert not [facts for facts in kept if given.nonce in facts]


def test_an_arrival_on_another_day_than_the_start_is_told_and_takes_no_night(
    client: FlaskClient, database: Database, cast: Cast, link: Link
) -> None:
    house, arrives_on = cast.sumida, date(2026, 12, 4)
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.move_in_date, stay.arrival_date = date(2026, 12, 1), arrives_on
        stay.lifecycle = Lifecycle.CONFIRMED
    events = Calendar.from_ical(client.get(link(house.residents_room_id)).data).walk("VEVENT")
    nights, arrival = sorted(events, key=lambda event: event.decoded("dtstart"))
    assert nights.decoded("dtstart") == date(2026, 12, 1)
    assert arrival.decoded("dtstart") == arrives_on
    assert str(arrival["SUMMARY"]) == "Arrives (contract from 2026-12-01)"
    assert str(arrival["TRANSP"]) == "TRANSPARENT"
    assert str(arrival["UID"]).endswith(OWN_UID_ENDING)
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.arrival_date = stay.move_in_date
    again = Calendar.from_ical(client.get(link(house.residents_room_id)).data).walk("VEVENT")
    assert len(again) == 1
