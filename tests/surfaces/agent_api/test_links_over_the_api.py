"""Check-in links and reservation links over the API: they open, they hold what they say."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.contracts.templates import write_template
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.enumerations import LeaseKind, Lifecycle, ReservationKind
from pms.stays.models import CheckInLink
from pms.workspaces.settings import set_policy
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, error_of
from tests.surfaces.agent_api.bodies import check_in, offer, rows

UNTIL = date(2027, 1, 31)


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def refused(website: Asker, path: str, body: Any, database: Database, status: int = 400) -> str:
    """Return why; nothing was written."""
    before = rows(database)
    answer = website.post(path, body)
    assert answer.status_code == status, answer.text
    assert rows(database) == before
    return error_of(answer)


def test_a_check_in_link_books_the_nights_and_opens_them(
    website: Asker, database: Database, cast: Cast
) -> None:
    body = check_in(cast.sumida, guests=2, email="emma@example.com", locale="en", externalId="b-1")
    answer = website.created("/check-in-links", body)
    assert set(answer) == {"id", "url", "reservationId", "expiresAt"}
    assert (
        answer["expiresAt"] == "2027-02-05T15:00:00Z"
    )  # the day of the check-out is over in Japan
    with database.reading(cast.sumida.workspace_id) as session:
        stay = session.get_one(Reservation, (cast.sumida.workspace_id, answer["reservationId"]))
        link = session.get_one(CheckInLink, (cast.sumida.workspace_id, answer["id"]))
        assert session.scalars(select(OutboxMail)).all() == []
    assert (stay.kind, stay.lifecycle) == (ReservationKind.GUEST, Lifecycle.BOOKED)
    assert (stay.name, stay.email, stay.locale) == ("Emma Wilson", "emma@example.com", "en")
    assert (str(stay.move_in_date), str(stay.contract_end_date)) == ("2027-02-01", "2027-02-05")
    assert (link.guests, link.external_id, link.sent_at) == (2, "b-1", None)
    assert link.created_by.startswith("key/")
    page = website.client.get(path_of(answer["url"]))
    assert page.status_code == 200
    assert "Emma Wilson" in page.text or "202" in page.text


def test_a_guest_stays_no_longer_than_the_workspace_lets_one(
    website: Asker, database: Database, cast: Cast, clock: FixedClock
) -> None:
    too_long = check_in(cast.sumida, checkOut="2027-08-01")
    refusal = refused(website, "/check-in-links", too_long, database)
    assert refusal == (
        "checkOut: 2027-08-01 is 181 nights after 2027-02-01; a guest can stay at most 180 "
        "nights. A longer stay needs a resident's contract."
    )
    website.created("/check-in-links", check_in(cast.sumida, checkOut="2027-07-31"))
    with database.writing(cast.sumida.workspace_id) as session:
        set_policy(Work(session, clock, "person/test"), longest_guest_stay=3)
    nights = {"checkIn": "2027-09-01", "checkOut": "2027-09-05"}
    refusal = refused(website, "/check-in-links", check_in(cast.sumida, **nights), database)
    assert "at most 3 nights" in refusal


def test_no_link_books_a_unit_in_which_somebody_lives_without_a_notice(
    website: Asker, database: Database, cast: Cast
) -> None:
    """The contract of room 101 ended in October, so nobody holds the nights of February."""
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.contract_end_date = date(2026, 10, 31)
    room = {"unitId": cast.sumida.residents_room_id}
    refusal = refused(website, "/check-in-links", check_in(cast.sumida, **room), database)
    assert refusal.startswith("unitId: the unit is not free from 2027-02-01")
    assert "佐藤" not in refusal
    refusal = refused(website, "/reservation-links", offer(cast.sumida, **room), database)
    assert refusal.startswith("unitId: the unit is occupied")


def test_nights_somebody_holds_are_refused_with_the_days_and_not_the_person(
    website: Asker, database: Database, cast: Cast
) -> None:
    website.created("/check-in-links", check_in(cast.sumida))
    taken = check_in(cast.sumida, checkIn="2027-02-04", checkOut="2027-02-08", guestName="A")
    why = refused(website, "/check-in-links", taken, database)
    assert why.startswith("checkIn: ")
    assert "2027-02-01" in why
    assert "2027-02-05" in why
    assert "Emma" not in why
    # The night of a check-out is free for the next guest.
    website.created(
        "/check-in-links", check_in(cast.sumida, checkIn="2027-02-05", checkOut="2027-02-06")
    )


def test_a_repeat_with_an_external_id_hears_of_the_first_and_not_of_the_nights(
    website: Asker, database: Database, cast: Cast
) -> None:
    body = check_in(cast.sumida, externalId="b-1")
    website.created("/check-in-links", body)
    assert "b-1" in refused(website, "/check-in-links", body, database, 409)
    # Kinds count apart: a link of the other kind may be called the same.
    website.created("/reservation-links", offer(cast.sumida, externalId="b-1"))
    assert "b-1" in refused(
        website, "/reservation-links", offer(cast.sumida, externalId="b-1"), database, 409
    )


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"checkOut": "2027-02-01"}, "checkOut"),
        ({"checkOut": "2027-01-31"}, "checkOut"),
        ({"checkIn": "2026-11-01", "checkOut": "2026-11-10"}, "checkOut"),
        ({"checkIn": None}, "checkIn"),
        ({"guests": 0}, "guests"),
        ({"guests": 21}, "guests"),
        ({"guests": "2"}, "guests"),
        ({"guestName": " "}, "guestName"),
        ({"guestName": "A\nB"}, "guestName"),
        ({"email": "emma"}, "email"),
        ({"locale": "de"}, "locale"),
        ({"unitId": None}, "unitId"),
    ],
)
def test_a_stay_that_is_none_is_refused_by_the_name_of_its_field(
    website: Asker, database: Database, cast: Cast, given: dict[str, Any], named: str
) -> None:
    why = refused(website, "/check-in-links", check_in(cast.sumida, **given), database)
    assert why.startswith(f"{named}: ")


def test_a_reservation_link_freezes_the_terms_and_opens_them(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    body = offer(cast.sumida, name="Emma Wilson", email="emma@example.com", locale="en")
    answer = website.created("/reservation-links", body)
    assert set(answer) == {"id", "url", "expiresAt"}
    ends_at = clock.now() + timedelta(days=7)
    assert answer["expiresAt"] == f"{ends_at:%Y-%m-%dT%H:%M:%SZ}"
    with database.reading(cast.sumida.workspace_id) as session:
        link = session.get_one(ReservationLink, (cast.sumida.workspace_id, answer["id"]))
        assert session.scalars(select(OutboxMail)).all() == []
    assert (link.name, link.email, link.locale) == ("Emma Wilson", "emma@example.com", "en")
    assert (str(link.move_in_on), str(link.contract_end_on)) == ("2026-12-01", "2027-11-30")
    assert link.terms
    assert website.client.get(path_of(answer["url"])).status_code == 200


def test_an_offer_of_a_fixed_term_needs_its_last_day(
    website: Asker, database: Database, cast: Cast
) -> None:
    endless = offer(cast.sumida, contractEndDate=None)
    why = refused(website, "/reservation-links", endless, database)
    assert why.startswith("contractEndDate: a fixed-term lease needs an end date")


def test_an_offer_without_a_name_or_an_end_is_made_where_the_usual_lease_is_ordinary(
    website: Asker, clock: FixedClock, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        write_template(
            Work(session, clock, "staff"),
            template_id=None,
            name="普通借家",
            body_ja="# 契約書\n\n{{term}}",
            body_en="",
            lease_kind=LeaseKind.ORDINARY,
        )
    website.created("/reservation-links", offer(cast.sumida, contractEndDate=None))


def test_an_offer_ends_with_its_move_in_day_in_japan(website: Asker, cast: Cast) -> None:
    body = website.created("/reservation-links", offer(cast.sumida, moveInDate="2026-11-22"))
    assert body["expiresAt"] == "2026-11-22T15:00:00Z"


def test_a_unit_that_cannot_be_offered_is_refused(
    website: Asker, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    for unit_id in (house.residents_room_id, house.owners_room_id):
        why = refused(website, "/reservation-links", offer(house, unitId=unit_id), database)
        assert why.startswith("unitId: ")
        assert "confirmed free" in why
    past = offer(house, moveInDate="2026-11-19")
    assert refused(website, "/reservation-links", past, database).startswith("moveInDate: ")


def test_a_possibly_available_unit_is_never_offered_whatever_the_day(
    website: Asker, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.expected_departure_date = UNTIL
    for day in ("2027-02-01", "2027-12-01", "2030-01-01"):
        body = offer(house, unitId=house.residents_room_id, moveInDate=day, contractEndDate=None)
        assert "possibly_available" in refused(website, "/reservation-links", body, database)


def test_a_contract_that_ends_before_it_begins_is_refused(
    website: Asker, database: Database, cast: Cast
) -> None:
    body = offer(cast.sumida, contractEndDate="2026-11-30")
    why = refused(website, "/reservation-links", body, database)
    assert why.startswith("contractEndDate: ")


@pytest.mark.parametrize("path", ["/check-in-links", "/reservation-links"])
def test_links_stand_at_the_address_of_the_service(website: Asker, cast: Cast, path: str) -> None:
    body = check_in(cast.sumida) if path == "/check-in-links" else offer(cast.sumida)
    url = website.created(path, body)["url"]
    assert url.startswith("http")
    assert url.isascii()
