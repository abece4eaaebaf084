"""The office books a guest by a link, sends it, takes it back, and keeps the register."""

import io
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import OutboxMail
from pms.rules.audit_events import AuditEvent
from pms.stays.stays import stay_terms
from tests.cast import Cast, House
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of
from tests.surfaces.guest_checkin.conftest import Phone, Stay, made_stay

_LINK = re.compile(r"(/check-in/[^<\"\s]+)</code>")
_HIDDEN = re.compile(r'name="newReservationId"[^>]*value="([0-9a-f]{32})"')
NIGHTS = {"checkIn": "2026-12-01", "checkOut": "2026-12-04"}
GUEST = {"guestName": "Tomás Vidal", "guests": "2", "email": "tomas@example.com", "locale": "en"}
ENTRY = {
    "livesInJapan": "no",
    "name": "Tomás Vidal",
    "nationality": "Spain",
    "passportNumber": "XDA123456",
    "address": "Calle Mayor 1, Madrid",
    "contact": "=1+1@example.com",
}


@pytest.fixture
def house(cast: Cast) -> House:
    return cast.sumida


def booked(office: Browser, house: House) -> str:
    """Book two guests and return the address of the link's page."""
    asked = {"building": house.building_id, **NIGHTS}
    offered = office.get("/check-in-links/new", query_string=asked)
    assert house.free_room_id in offered.text
    assert house.residents_room_id not in offered.text, "somebody lives there"
    fields = {
        **asked,
        **GUEST,
        "unitId": house.free_room_id,
        "newReservationId": _HIDDEN.findall(offered.text)[0],
    }
    made = office.post("/check-in-links/new", fields)
    assert made.status_code == 303
    again = office.post("/check-in-links/new", fields)
    assert again.headers["Location"] == made.headers["Location"], "a second press books nothing"
    return made.headers["Location"].partition("/sumida")[2]


def audit_events(database: Database, house: House | Stay) -> list[str]:
    with database.reading(house.workspace_id) as session:
        return [row.audit_event for row in session.query(AuditRecord).order_by(AuditRecord.id)]


def test_a_stay_is_booked_sent_renewed_and_revoked(
    office: Browser, client: FlaskClient, house: House, database: Database
) -> None:
    page = booked(office, house)
    shown = office.get(page)
    link = _LINK.findall(shown.text)[0]
    assert client.get(link).status_code == 200
    assert shown.headers["Cache-Control"] == "no-store"
    assert "Tomás Vidal" in office.get("/check-in-links").text

    sent = office.post(f"{page}/mail", {"email": "tomas@example.com"})
    assert sent.status_code == 303
    with database.reading(house.workspace_id) as session:
        (mail,) = session.query(OutboxMail)
        assert (mail.recipient, mail.sent_at) == ("tomas@example.com", None)
        assert link in mail.text
        assert link in (mail.html or "")
        assert "1 December 2026 from 15:00" in mail.text

    office.post(f"{page}/renewal")
    assert client.get(link).status_code == 404, "an old address is as good as any wrong one"
    renewed = _LINK.findall(office.get(page).text)[0]
    assert renewed != link
    assert client.get(renewed).status_code == 200
    office.post(f"{page}/revocation")
    assert client.get(renewed).status_code == 410
    assert renewed not in office.get(page).text
    events = [
        AuditEvent.CHECK_IN_LINK_CREATED,
        AuditEvent.CHECK_IN_LINK_RENEWED,
        AuditEvent.CHECK_IN_LINK_REVOKED,
    ]
    noted = audit_events(database, house)
    assert [one for one in noted if one in events] == events
    with database.reading(house.workspace_id) as session:
        for row in session.query(AuditRecord):
            assert "nonce" not in str(row.after), "what opens a link is in no audit"


def test_nights_that_are_taken_are_refused_with_the_dates(office: Browser, house: House) -> None:
    booked(office, house)
    fields = {
        **GUEST,
        "building": house.building_id,
        "checkIn": "2026-12-03",
        "checkOut": "2026-12-06",
        "unitId": house.free_room_id,
        "newReservationId": new_id(),
    }
    refused = office.post("/check-in-links/new?lang=en", fields)
    assert refused.status_code == 422
    assert "from 1 December 2026 until 4 December 2026" in refused.text
    assert 'value="Tomás Vidal"' in refused.text
    for wrong in ({"checkOut": "2026-12-03"}, {"guests": "0"}, {"guestName": ""}):
        free = {"checkIn": "2026-12-10", "checkOut": "2026-12-12"}
        assert office.post("/check-in-links/new", {**fields, **free, **wrong}).status_code == 422


def test_a_guest_of_181_nights_is_refused_beside_the_day_also_when_the_stay_is_extended(
    office: Browser, house: House
) -> None:
    stay = {"building": house.building_id, "unitId": house.free_room_id}
    long = {**GUEST, **stay, "newReservationId": new_id(), "checkIn": "2026-12-10"}
    refused = office.post("/check-in-links/new?lang=en", {**long, "checkOut": "2027-06-09"})
    assert refused.status_code == 422
    assert "9 June 2027 is 181 nights after 10 December 2026" in refused.text
    page = f"/reservations/{house.guest_id}/dates?lang=en"
    typed = fields_of(office.get(page).text, "/dates")
    refused = office.post(page, {**typed, "overrideContractEndDate": "2027-05-18"})
    assert refused.status_code == 422
    assert "18 May 2027 is 181 nights after 18 November 2026" in refused.text


def test_a_booking_that_stands_gets_its_link_once(office: Browser, house: House) -> None:
    assert "Emma Wilson" in office.get("/check-in-links").text
    made = office.post(f"/reservations/{house.guest_id}/check-in-link")
    assert made.status_code == 303
    assert office.post(f"/reservations/{house.guest_id}/check-in-link").status_code == 422
    assert office.post(f"/reservations/{house.resident_id}/check-in-link").status_code == 422


def registered(app: Flask, clock: FixedClock, house: House) -> Stay:
    """A stay whose one guest is written, with the copy of a passport."""
    stay = made_stay(app, clock, house)
    phone = Phone(app.test_client(), stay)
    content = io.BytesIO()
    Image.new("RGB", (900, 640), "teal").save(content, "JPEG")
    content.seek(0)
    assert phone.post("/people/1", {**ENTRY, "passport": (content, "p.jpg")}).status_code == 303
    return stay


@pytest.fixture
def stay(app: Flask, clock: FixedClock, house: House) -> Stay:
    """A stay whose one guest is written, with the copy of a passport."""
    return registered(app, clock, house)


def test_passports_open_for_operators_alone_and_each_opening_is_written_down(
    operator: Browser, office: Browser, stranger: Browser, stay: Stay, database: Database
) -> None:
    page = f"/check-in-links/{stay.link_id}"
    path = re.findall(r"/guests/[0-9a-f]{32}/passport", operator.get(page).text)[0]
    assert "/passport" not in office.get(page).text
    assert office.post(page + path).status_code == 403
    assert stranger.post(page + path).status_code == 404
    assert AuditEvent.PASSPORT_OPENED not in audit_events(database, stay)
    for count in (1, 2):
        opened = operator.post(page + path)
        assert (opened.status_code, opened.mimetype) == (200, "image/webp")
        assert opened.headers["Cache-Control"] == "no-store"
        assert audit_events(database, stay).count(AuditEvent.PASSPORT_OPENED) == count


@pytest.mark.usefixtures("stay")
def test_the_register_leaves_as_a_page_and_a_file_and_both_are_written_down(
    office: Browser, house: House, database: Database
) -> None:
    span = {"since": "2026-11-24", "through": "2026-11-30"}
    printed = office.post("/check-in-links/register?lang=en", span)
    assert printed.status_code == 200
    assert "XDA123456" in printed.text
    file = office.post("/check-in-links/register.csv?lang=en", span)
    assert file.mimetype == "text/csv"
    assert file.headers["Cache-Control"] == "no-store"
    assert "Calle Mayor 1, Madrid" in file.text
    assert "'=1+1@example.com" in file.text, "no spreadsheet runs what a guest typed"
    before = {"since": "2026-11-01", "through": "2026-11-20"}
    assert "XDA123456" not in office.post("/check-in-links/register", before).text
    assert audit_events(database, house).count(AuditEvent.REGISTER_EXPORTED) == 3
    backwards = {"since": "2026-11-20", "through": "2026-11-01"}
    assert office.post("/check-in-links/register.csv", backwards).status_code == 422


def test_an_operator_sets_how_guests_are_taken_in(
    operator: Browser, office: Browser, house: House, database: Database
) -> None:
    fields = {
        "checkInTime": "16:30",
        "checkOutTime": "11:00",
        "releaseMinutes": "90",
        "registerFields": ["occupation", "age"],
        "registerKeptYears": "4",
        "rulesJa": "禁煙です。",
        "rulesEn": "No smoking.",
        "version": "1",
    }
    assert office.get("/settings/stays").status_code == 403
    assert operator.post("/settings/stays", fields).status_code == 303
    with database.reading(house.workspace_id) as session:
        terms = stay_terms(session)
    assert (terms.check_in_time, terms.release_minutes) == ("16:30", 90)
    assert [one.value for one in terms.register_fields] == ["occupation", "age"]
    assert not terms.codes_need_register
    for name, wrong in (("checkInTime", "25:00"), ("registerKeptYears", "2")):
        refused = operator.post("/settings/stays", {**fields, "version": "2", name: wrong})
        assert refused.status_code == 422, name
        assert f'value="{wrong}"' in refused.text, "what was typed stays"
