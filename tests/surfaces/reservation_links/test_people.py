"""The link asks an applicant for what the building demands, and holds the contract until it is there."""

import io
from collections.abc import Mapping

import pytest
from PIL import Image
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.contracts.contract_people import named_people, people_of_reservation
from pms.contracts.models import IdentityPaper
from pms.contracts.people_changes import ask_of_building
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.contract_people import AskedFor, PeopleKind
from tests.cast import Cast
from tests.surfaces.reservation_links.conftest import DETAILS, Phone

GUARANTOR = {
    "name": "田中 正",
    "nameKana": "たなか ただし",
    "address": "千葉県柏市1-2-3",
    "phone": "04-7100-0000",
    "bornOn": "1962-04-01",
    "relationship": "父",
}


def ask(
    database: Database, cast: Cast, clock: FixedClock, asked: Mapping[PeopleKind, AskedFor]
) -> None:
    """Let Sumida's house ask its applicants."""
    with database.writing(cast.sumida.workspace_id) as session:
        ask_of_building(
            Work(session, clock, "staff"),
            building_id=cast.sumida.building_id,
            asked=asked,
            highest_yen=2_064_000,
        )


def send_card(phone: Phone, content: bytes, **fields: str) -> TestResponse:
    """Send a residence card with a file as its photo."""
    data = {"csrf_token": phone.form_token, "kind": "residence_card", **fields}
    return phone.client.post(
        f"{phone.home}/people/identity-paper?lang=en",
        data={**data, "picture": (io.BytesIO(content), "card.png")},
        content_type="multipart/form-data",
    )


@pytest.mark.differs("sealed pictures and people that go over to a booking")
def test_an_applicant_gives_what_the_building_asks_for_and_goes_on(
    phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    asked = {
        PeopleKind.GUARANTOR: AskedFor.REQUIRED,
        PeopleKind.IDENTITY_PAPER: AskedFor.REQUIRED,
        PeopleKind.OCCUPATION: AskedFor.OPTIONAL,
    }
    ask(database, cast, clock, asked)
    assert phone.post("/details", DETAILS).headers["Location"].endswith("/people")
    assert phone.get("/contract").headers["Location"].endswith("/people")
    shown = phone.get("/people?lang=en").text
    assert "Still missing: Guarantor, Identity paper" in shown
    assert phone.get("/people/emergency_contact").headers["Location"].endswith("/people")
    empty = phone.post("/people/guarantor?lang=en", {"name": "田中 正"})
    assert (empty.status_code, empty.text.count("Please fill this in")) == (422, 2 * 4)
    assert "highestYen" not in empty.text, "the office agrees the amount"
    assert "They answer for at most ¥2,064,000" in empty.text
    assert phone.post("/people/guarantor", GUARANTOR).status_code == 303
    picture = io.BytesIO()
    Image.new("RGB", (640, 400), "white").save(picture, "PNG")
    old = send_card(phone, picture.getvalue(), expiresOn="2020-01-01")
    assert (old.status_code, "This paper has expired" in old.text) == (422, True)
    broken = send_card(phone, b"%PDF-1.7", expiresOn="2028-01-01")
    assert broken.status_code == 422
    fields = {"expiresOn": "2028-01-01", "number": "AB12345678CD"}
    assert send_card(phone, picture.getvalue(), **fields).status_code == 303
    ready = phone.get("/people?lang=en").text
    assert "Still missing" not in ready
    assert phone.get("/contract").headers["Location"].endswith("/explanation")
    assert phone.sign().status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        booked = select(Reservation.id).where(Reservation.unit_id == cast.sumida.free_room_id)
        people_id = people_of_reservation(session, session.scalars(booked).one())
        named = named_people(session, people_id)
        [paper] = session.scalars(select(IdentityPaper))
    assert named.guarantor is not None
    assert named.guarantor.highest_yen == 2_064_000, "the amount that the house has set"
    files = Files(database.settings)
    key = paper.file_key or ""
    stored = files.get(key)
    assert stored is not None
    assert stored[8:12] == b"WEBP"
    kept = (database.settings.files_dir / key[:2] / key).read_bytes()
    assert kept.startswith(b"pms-sealed ")
    assert len(list(database.settings.files_dir.glob("*/*.webp"))) == 1, "refused ones are gone"


def test_an_applicant_waits_while_the_office_has_no_guarantee_company(
    phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    ask(database, cast, clock, {PeopleKind.GUARANTEE_COMPANY: AskedFor.REQUIRED})
    phone.post("/details", DETAILS)
    assert phone.get("/people").headers["Location"].endswith("/contract"), "nothing to enter"
    assert phone.get("/contract").headers["Location"].endswith("/screening")
    assert "preparing the guarantee" in phone.get("/screening?lang=en").text
    assert phone.get("/contract.pdf").headers["Location"].endswith("/screening")
