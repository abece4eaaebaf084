"""Who waits for an explanation is on Today; one tap records it, and the reader goes on."""

import pytest
from flask import Flask

from pms.foundation.clock import FixedClock
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.test_today import lines_of
from tests.surfaces.reservation_links.conftest import DETAILS, Phone, made_phone


@pytest.fixture
def phone(app: Flask, clock: FixedClock, cast: Cast) -> Phone:
    """The telephone of somebody who was offered Sumida's free room."""
    return made_phone(app.test_client(), clock, cast.sumida)


def waiting_lines(office: Browser) -> list[str]:
    return [line for line in lines_of(office) if "Explain" in line]


def agree(phone: Phone) -> None:
    """Agree to the electronic explanation, and confirm having read it, without any talk."""
    phone.post("/details", DETAILS)
    for _ in range(2):
        document = phone.hidden("/explanation", "documentHash")
        phone.post("/explanation", {"documentHash": document, "agreed": "y"})


@pytest.mark.differs("a union of lists of several kinds")
def test_an_applicant_chooses_a_time_and_staff_record_the_talk_with_one_tap(
    office: Browser, staff: Staff, phone: Phone
) -> None:
    phone.get("?lang=en")
    here = f"/reservation-links/{phone.link_id}/explanation"
    assert "Nothing to explain yet" in office.get(f"{here}?lang=en").text
    assert waiting_lines(office) == []
    agree(phone)
    assert phone.get("/contract").headers["Location"].endswith("/explanation")
    waits = phone.get("/explanation").text
    assert "data-waits" in waits
    assert "I have read the explanation" not in waits
    refused = phone.post("/explanation/time", {"way": "letter", "wishedAt": ""})
    assert refused.status_code == 422
    chosen = phone.post("/explanation/time", {"way": "phone", "wishedAt": ""})
    assert chosen.status_code == 303
    assert "We will contact you as soon as possible." in phone.get("/explanation").text
    [line] = waiting_lines(office)
    assert "田中 一郎" in line
    assert here in line
    shown = office.get(f"{here}?lang=en").text
    for text in ("更新がなく、期間の満了により終了します", "090-1234-5678", "Asked for: By phone"):
        assert text in shown, text
    state = office.get(f"{here}?lang=en", headers={"HX-Request": "true"}).text
    assert 'hx-trigger="poll"' in state and "Asked for: By phone" in state
    assert "Record the explanation" not in state
    half = {"way": "phone", "personId": staff.office_id, "explainedOn": "2026-11-20"}
    refused = office.post(f"{here}?lang=en", half)
    assert (refused.status_code, "Enter the day and the time" in refused.text) == (422, True)
    before = half | {"explainedTime": "11:50", "questions": "更新はありますか"}
    assert office.post(here, before).status_code == 303
    assert waiting_lines(office) == []
    assert "Continue to the contract" in phone.get("/explanation").text
    assert phone.get("/contract").status_code == 200
    told = office.get(f"/reservation-links/{phone.link_id}?lang=en").text
    assert "Explained by 岡田 誠" in told
    again = office.post(f"{here}?lang=en", before)
    assert (again.status_code, "already been explained" in again.text) == (422, True)
