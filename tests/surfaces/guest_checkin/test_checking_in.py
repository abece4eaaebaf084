"""From the link to the door: the register, the photo, the arrival, the codes at their hour."""

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from pms.catalogue.models import HandbookPage
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RegisterField
from pms.stays.models import GuestRegistration
from pms.stays.stays import set_stay_terms
from tests.cast import Cast
from tests.sample_uploads import NO_PHOTOS, PHOTOS, upload
from tests.surfaces.guest_checkin.conftest import (
    ENTRANCE_CODE,
    OFFICE,
    ROOM_CODE,
    Phone,
    Stay,
    link_now,
    made_stay,
)

ABROAD = {
    "livesInJapan": "no",
    "name": "Emma Wilson",
    "nationality": "United Kingdom",
    "passportNumber": "533401372",
    "address": "1 High Street, Leeds",
    "contact": "emma@example.com",
}
AT_HOME = {
    "livesInJapan": "yes",
    "name": "佐藤 花子",
    "address": "東京都",
    "contact": "090-1111-2222",
}
ARRIVAL = {"arrivalTime": "16:30", "acceptsRules": "y"}
AT_CHECK_IN = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
"""15:00 in Japan."""


@pytest.fixture
def database(app: Flask) -> Database:
    found: Database = app.extensions["pms.database"]
    return found


def until(clock: FixedClock, instant: datetime) -> None:
    clock.advance(instant - clock.now())


def entries(database: Database, stay: Stay) -> list[GuestRegistration]:
    with database.reading(stay.workspace_id) as session:
        rows = session.query(GuestRegistration).order_by(GuestRegistration.position).all()
        session.expunge_all()
    return rows


def audit_events(database: Database, stay: Stay) -> list[str]:
    with database.reading(stay.workspace_id) as session:
        return [row.audit_event for row in session.query(AuditRecord).order_by(AuditRecord.id)]


def photo(kind: str = "JPEG", name: str = "passport.jpg") -> tuple[io.BytesIO, str]:
    content = io.BytesIO()
    Image.new("RGB", (1200, 850), "teal").save(content, kind)
    content.seek(0)
    return content, name


def files_of(database: Database) -> list[Path]:
    return [path for path in database.settings.files_dir.rglob("*") if path.is_file()]


def test_a_guest_checks_in_and_gets_the_code_at_its_hour(
    phone: Phone, clock: FixedClock, database: Database
) -> None:
    stay = phone.stay
    assert phone.post("/people/1", ABROAD).headers["Location"].endswith("/arrival")
    assert phone.post("/arrival", ARRIVAL).headers["Location"].endswith("/ready")
    link = link_now(database, clock, stay)
    assert link.registered_at == link.finished_at == clock.now()
    assert link.arrival_time == "16:30"

    until(clock, AT_CHECK_IN - timedelta(seconds=1))
    before = phone.get("/ready?lang=en").text
    assert "Sat 21 Nov 2026, 15:00 JST" in before
    assert 'data-again="2"' in before, "the page looks again at the hour itself"
    assert phone.post(f"/ready/{stay.room_page_id}").status_code == 404

    until(clock, AT_CHECK_IN)
    after = phone.get("/ready").text
    assert "data-again" not in after
    assert ROOM_CODE not in after, "a code waits for a tap"
    shown = phone.post(f"/ready/{stay.room_page_id}").text
    assert ROOM_CODE in shown
    assert ENTRANCE_CODE not in shown, "one tap, one code"
    events = audit_events(database, stay)
    wanted = [AuditEvent.GUEST_REGISTERED, AuditEvent.CHECK_IN_FINISHED, AuditEvent.CODE_REVEALED]
    assert [one for one in events if one in wanted] == wanted


def test_no_code_is_told_from_the_check_out_on(phone: Phone, clock: FixedClock) -> None:
    phone.post("/people/1", ABROAD)
    phone.post("/arrival", ARRIVAL)
    leaves_at = datetime(2026, 11, 24, 1, tzinfo=UTC)  # ten o'clock in Japan
    until(clock, leaves_at - timedelta(seconds=1))
    assert ROOM_CODE in phone.post(f"/ready/{phone.stay.room_page_id}").text
    until(clock, leaves_at)
    after = phone.get("/ready")
    assert after.status_code == 200
    assert "data-again" not in after.text, "there is nothing to wait for"
    assert phone.post(f"/ready/{phone.stay.room_page_id}").status_code == 404


def test_codes_wait_for_the_last_guest_unless_the_workspace_says_otherwise(
    app: Flask, clock: FixedClock, cast: Cast, database: Database
) -> None:
    stay = made_stay(app, clock, cast.sumida, guests=2)
    phone = Phone(app.test_client(), stay)
    assert phone.post("/people/1", ABROAD).headers["Location"].endswith("/people/2")
    phone.post("/arrival", ARRIVAL)
    until(clock, AT_CHECK_IN)
    assert "/people/2" in phone.get("/ready").text
    assert phone.post(f"/ready/{stay.room_page_id}").status_code == 404
    assert phone.post("/people/2", AT_HOME).status_code == 303, "who is missing may still follow"
    assert ROOM_CODE in phone.post(f"/ready/{stay.room_page_id}").text

    late = made_stay(app, clock, cast.minato, guests=2)
    with database.writing(late.workspace_id) as session:
        set_stay_terms(Work(session, clock, OFFICE), codes_need_register=False, release_minutes=60)
    until(clock, AT_CHECK_IN - timedelta(hours=1))
    assert ROOM_CODE in Phone(app.test_client(), late).post(f"/ready/{late.room_page_id}").text


@pytest.mark.parametrize(
    ("entry", "missing"),
    [
        (ABROAD, ("name", "nationality", "passportNumber", "address", "contact")),
        (AT_HOME, ("name", "address", "contact")),
    ],
)
def test_the_register_names_what_it_lacks_and_keeps_what_was_typed(
    phone: Phone, database: Database, entry: dict[str, str], missing: tuple[str, ...]
) -> None:
    refused = phone.post("/people/1?lang=en", {"livesInJapan": entry["livesInJapan"]})
    assert refused.status_code == 422
    assert "<title>Error:" in refused.text
    for name in ("name", "nationality", "passportNumber", "address", "contact"):
        assert (f'id="{name}-error"' in refused.text) == (name in missing), name
    partly = phone.post("/people/1", {**entry, "address": ""})
    assert partly.status_code == 422
    assert f'value="{entry["name"]}"' in partly.text
    assert entries(database, phone.stay) == []


def test_a_japanese_address_means_no_passport(phone: Phone, database: Database) -> None:
    phone.post("/people/1", {**ABROAD, "passport": photo()})
    assert len(files_of(database)) == 1
    phone.post("/people/1", {**AT_HOME, "nationality": "UK", "passportNumber": "1"})
    (entry,) = entries(database, phone.stay)
    assert entry.lives_in_japan
    assert (entry.nationality, entry.passport_number, entry.passport_file_key) == (None,) * 3
    assert files_of(database) == [], "the copy is really gone"
    back = {"livesInJapan": "no", "address": "Leeds", "contact": "a@example.com"}
    assert phone.post("/people/1", {**back, "passport": photo()}).status_code == 303
    assert not entries(database, phone.stay)[0].lives_in_japan


def test_a_photo_stands_for_three_entries_and_is_kept_when_another_is_missing(
    phone: Phone, database: Database, clock: FixedClock
) -> None:
    facts = {"livesInJapan": "no", "address": "", "contact": "a@example.com", "passport": photo()}
    refused = phone.post("/people/1", facts)
    assert refused.status_code == 422
    assert 'id="address-error"' in refused.text
    assert 'id="nationality-error"' not in refused.text
    (kept,) = entries(database, phone.stay)
    assert kept.passport_file_key
    assert link_now(database, clock, phone.stay).registered_at is None
    again = {"livesInJapan": "no", "address": "1 High Street", "contact": "a@example.com"}
    assert phone.post("/people/1", again).status_code == 303
    assert link_now(database, clock, phone.stay).registered_at
    content = Files(database.settings).get(kept.passport_file_key) or b""
    with Image.open(io.BytesIO(content)) as picture:
        assert (picture.format, picture.width, len(picture.getexif())) == ("WEBP", 1200, 0)


def test_a_photo_follows_later_once_and_what_was_written_stays_once_the_stay_has_begun(
    phone: Phone, database: Database, clock: FixedClock
) -> None:
    phone.post("/people/1", ABROAD)
    assert phone.post("/people/1", {**ABROAD, "name": "Emma M. Wilson"}).status_code == 303
    until(clock, AT_CHECK_IN)
    assert 'name="name"' not in phone.get("/people/1").text
    assert phone.post("/people/1", ABROAD).status_code == 422
    assert phone.post("/people/1/passport", {"passport": photo()}).status_code == 303
    (entry,) = entries(database, phone.stay)
    assert (entry.name, entry.passport_sent_at) == ("Emma M. Wilson", AT_CHECK_IN)
    assert phone.post("/people/1/passport", {"passport": photo()}).status_code == 422
    assert len(files_of(database)) == 1


@pytest.mark.parametrize("name", NO_PHOTOS)
def test_what_is_no_picture_is_refused_by_name_and_nothing_of_it_is_kept(
    phone: Phone, database: Database, name: str
) -> None:
    refused = phone.post("/people/1?lang=en", {**ABROAD, "passport": upload(name)})
    assert refused.status_code == 422
    assert name in refused.text
    assert ABROAD["address"] in refused.text
    assert files_of(database) == []


@pytest.mark.parametrize("name", PHOTOS)
def test_a_picture_of_a_telephone_is_kept_without_what_it_tells_of_its_maker(
    phone: Phone, database: Database, name: str
) -> None:
    assert phone.post("/people/1", {**ABROAD, "passport": upload(name)}).status_code == 303
    (path,) = files_of(database)
    content = Files(database.settings).get(path.name) or b""
    with Image.open(io.BytesIO(content)) as kept:
        assert (kept.format, dict(kept.getexif()), set(kept.info) & {"exif", "xmp", "comment"}) == (
            *("WEBP", {}),
            set(),
        )
        assert (kept.width < kept.height) == (name == "room_rotated_gps.jpg")


def test_the_workspace_asks_for_more_and_is_told(
    phone: Phone, database: Database, clock: FixedClock
) -> None:
    with database.writing(phone.stay.workspace_id) as session:
        fields = [RegisterField.OCCUPATION, RegisterField.NEXT_PLACE]
        set_stay_terms(Work(session, clock, OFFICE), register_fields=fields)
    refused = phone.post("/people/1", ABROAD)
    assert refused.status_code == 422
    assert 'id="occupation-error"' in refused.text
    more = {"occupation": "Nurse", "next_place": "Kyoto"}
    assert phone.post("/people/1", {**ABROAD, **more}).status_code == 303
    assert entries(database, phone.stay)[0].extras == more


def test_the_arrival_needs_a_time_and_the_rules(phone: Phone) -> None:
    for fields in ({}, {"arrivalTime": "16:30"}, {"arrivalTime": "99:99", "acceptsRules": "y"}):
        assert phone.post("/arrival", fields).status_code == 422, fields
    assert "Quiet after 22:00." in phone.get("/arrival").text


def test_nothing_of_a_passport_stands_in_the_audit(phone: Phone, database: Database) -> None:
    phone.post("/people/1", {**ABROAD, "passport": photo()})
    with database.reading(phone.stay.workspace_id) as session:
        events = str([(row.before, row.after) for row in session.query(AuditRecord)])
        pages = session.query(HandbookPage).count()
    assert pages
    for secret in (ABROAD["passportNumber"], ABROAD["address"], ".webp"):
        assert secret not in events
