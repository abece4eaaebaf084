"""The office offers a unit by a link, sends it, renews it, takes it back, and sees it accepted."""

import re

from flask.testing import FlaskClient
from sqlalchemy import select

from pms.enquiries.waitlist import WaitlistWish, add_to_waitlist
from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.reservation_links.conftest import DETAILS, Phone, made_phone

_LINK = re.compile(r"https?://[^/]+(/reserve/[^<\"\s]+)</code>")
_ID = re.compile(r"/reservation-links/([0-9a-f]{32})")


def fields(cast: Cast, **given: str) -> dict[str, str]:
    usual = {
        "unitId": cast.sumida.free_room_id,
        "moveInDate": "2026-12-20",
        "contractEndDate": "2027-05-31",
        "name": "田中",
        "email": "tanaka@example.jp",
        "locale": "ja",
        "validDays": "7",
    }
    return {**usual, **given}


def test_an_offer_is_made_copied_sent_and_revoked(
    office: Browser, client: FlaskClient, cast: Cast, database: Database
) -> None:
    given = f"unitId={cast.sumida.free_room_id}&moveInDate=2026-12-20&name=田中&email=t@example.jp"
    form = office.get(f"/reservation-links/new?{given}&lang=en").text
    for text in ('value="2026-12-20"', 'value="2027-12-19"', 'value="田中"', "¥98,000"):
        assert text in form, text
    made = office.post("/reservation-links/new", fields(cast, discountPercent="10"))
    assert made.status_code == 303
    (link_id,) = _ID.findall(made.headers["Location"])
    page = office.get(f"/reservation-links/{link_id}")
    assert page.headers["Cache-Control"] == "no-store"
    assert "copies.js" in page.text
    (address,) = _LINK.findall(page.text)
    assert client.get(address).status_code == 200
    assert "tanaka@example.jp" in office.get(f"/reservation-links/{link_id}/sending").text
    assert office.post(f"/reservation-links/{link_id}/sending", {}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        (mail,) = session.scalars(select(OutboxMail)).all()
    assert address in mail.text
    assert office.post(f"/reservation-links/{link_id}/revocation", {}).status_code == 303
    assert client.get(address).status_code == 410
    assert office.post(f"/reservation-links/{link_id}/sending", {}).status_code == 422
    assert office.post(f"/reservation-links/{link_id}/renewal", {}).status_code == 303
    (again,) = _LINK.findall(office.get(f"/reservation-links/{link_id}").text)
    assert again != address
    assert client.get(again).status_code == 200


def test_what_cannot_be_offered_is_refused_with_the_form_as_typed(
    office: Browser, cast: Cast
) -> None:
    office.get("/?lang=en")
    for given, words in (
        ({"moveInDate": "2026-11-01"}, "is in the past"),
        ({"moveInDate": ""}, "Please fill this in."),
        ({"contractEndDate": "2026-12-01"}, "is before the move-in"),
        ({"unitId": cast.sumida.owners_room_id}, "Only a unit that is confirmed free"),
        ({"unitId": cast.sumida.residents_room_id}, "Only a unit that is confirmed free"),
        ({"email": "nobody"}, "Enter an email address such as name@example.com"),
        ({"validDays": "61"}, "Enter a whole number from 1 to 60"),
        ({"discountPercent": "10", "discountYen": "5000"}, "not both"),
        ({"discountPercent": "10", "minimumStayDays": "365"}, "both ends counted"),
    ):
        answer = office.post("/reservation-links/new", fields(cast, name="Ōtani", **given))
        assert answer.status_code == 422, given
        assert words in answer.text, given
        assert "Ōtani" in answer.text
    assert office.post("/reservation-links/new", fields(cast, unitId="0" * 32)).status_code == 404


def test_without_a_unit_a_room_is_looked_for(office: Browser) -> None:
    answer = office.get("/reservation-links/new?name=田中&moveInDate=2026-12-20&lang=en")
    assert answer.headers["Location"].endswith("/rooms?moveInDate=2026-12-20")


def test_an_accepted_offer_leads_to_its_reservation_and_frees_the_waitlist(
    office: Browser, client: FlaskClient, cast: Cast, clock: FixedClock, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        wanted = WaitlistWish(name="田中", email="t@example.jp", wanted_from_on=clock.today())
        place_id = add_to_waitlist(Work(session, clock, "staff"), wanted=wanted)
    made = office.post("/reservation-links/new", fields(cast, placeId=place_id, locale="en"))
    (link_id,) = _ID.findall(made.headers["Location"])
    (address,) = _LINK.findall(office.get(f"/reservation-links/{link_id}").text)
    phone = Phone(client, address.removeprefix("/reserve/"), link_id, clock)
    phone.post("/details", DETAILS)
    assert phone.sign().status_code == 303
    page = office.get(f"/reservation-links/{link_id}?lang=en").text
    assert "Open the reservation" in page
    assert "田中 一郎" in page
    assert not _LINK.findall(page), "what was accepted needs no link"
    assert "田中" not in office.get("/waitlist").text
    with database.reading(cast.sumida.workspace_id) as session:
        (accepted,) = audit_events(
            session, audit_event=AuditEvent.RESERVATION_LINK_ACCEPTED
        ).audit_events
    assert accepted.actor == f"applicant/{link_id}"


def test_the_list_asks_as_many_questions_for_many_offers_as_for_one(
    office: Browser, client: FlaskClient, cast: Cast, clock: FixedClock, database: Database
) -> None:
    made_phone(client, clock, cast.sumida)
    office.get("/reservation-links")  # what a first visit asks besides
    with statements() as few:
        assert office.get("/reservation-links").status_code == 200
    for _ in range(20):
        made_phone(client, clock, cast.sumida)
    with statements() as many:
        assert office.get("/reservation-links").status_code == 200
    assert len(many) == len(few)
    assert office.get("/reservation-links?state=live").status_code == 200
    assert office.get("/reservation-links?state=nonsense").status_code == 200
