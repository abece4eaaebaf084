"""The inspection on a phone: staff on site record it, offline too, and the settlement begins with it."""

import io
from datetime import date

import pytest
from flask import Flask
from PIL import Image

from pms.arrivals.inspections import move_out_inspection
from pms.departures.notices import file_notice
from pms.foundation.clock import FixedClock
from pms.rules.enumerations import RoomVerdict
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.dashboard.condition_records import sent_report
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of


@pytest.fixture
def leaving(books: Books) -> Books:
    """The resident reported the kitchen on arrival and leaves on 15 November."""
    sent_report(books.database, books.clock, books.house, books.clock.today())
    books.on("2026-10-26")
    books.do(file_notice, reservation_id=books.resident_id, move_out_on=date(2026, 11, 15))
    books.on("2026-11-15")
    return books


@pytest.fixture
def on_site(app: Flask, clock: FixedClock, cast: Cast, staff: Staff) -> Browser:
    return open_browser(app, clock, staff.housekeeping_id, cast.sumida.slug)


def picture() -> io.BytesIO:
    written = io.BytesIO()
    Image.new("RGB", (640, 480), "tan").save(written, "JPEG")
    written.seek(0)
    return written


def test_arrival_photos_are_beside_the_camera_and_no_one_is_named(
    on_site: Browser, leaving: Books
) -> None:
    page = on_site.get(f"/move-outs/{leaving.resident_id}?lang=en")
    assert page.status_code == 200
    assert page.headers["Offline-Copy"]
    assert "天板に傷があります。" in page.text
    assert page.text.count(f"/move-outs/{leaving.resident_id}/pictures/") == 2
    assert 'capture="environment"' in page.text
    assert leaving.house.resident_email not in page.text
    assert "¥" not in page.text


def test_a_tap_of_the_offline_script_is_answered_as_json_and_counts_once(
    on_site: Browser, leaving: Books
) -> None:
    path = f"/move-outs/{leaving.resident_id}/rooms/kitchen"
    tap = {"Accept": "application/json", "Idempotency-Key": "1764400000000-1"}
    for _ in range(2):
        answer = on_site.post(f"{path}/photos", {"photo": (picture(), "kitchen.jpg")}, headers=tap)
        assert answer.status_code == 200, answer.text
        assert answer.is_json
    for verdict in ("worse", "same"):
        fields = {"verdict": verdict, "note": "扉に穴"}
        assert on_site.post(path, fields, headers=tap).status_code == 200
    place = leaving.ask(move_out_inspection, leaving.resident_id).place("kitchen")
    assert (place.verdict, len(place.after)) == (RoomVerdict.WORSE, 1)


def test_what_is_worse_is_a_line_of_the_settlement_form(
    on_site: Browser, office: Browser, leaving: Books
) -> None:
    path = f"/move-outs/{leaving.resident_id}/rooms/kitchen"
    damage = {"item": "sink", "note": "へこみ", "quantity": "1", "fittedOn": "2024-04-01"}
    assert on_site.post(f"{path}/damages", damage).status_code == 303
    form = fields_of(
        office.get(f"/reservations/{leaving.resident_id}/deposit").text, "/settlement/draft"
    )
    assert form["deductions-0-item"] == "sink"
    assert form["deductions-0-label"] == "へこみ"
    assert form["deductions-0-fittedOn"] == "2024-04-01"
    assert form["deductions-0-room"] == "kitchen"


def test_a_verdict_is_asked_for_again_beside_its_place(on_site: Browser, leaving: Books) -> None:
    answer = on_site.post(f"/move-outs/{leaving.resident_id}/rooms/kitchen", {"note": "?"})
    assert answer.status_code == 422
    assert 'id="kitchen-verdict-verdict-error"' in answer.text
    assert answer.text.count('id="kitchen-verdict-note"') == 1
