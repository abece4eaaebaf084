"""The office decides about applicants; on their link they see the outcome and never the reason."""

import re

import pytest
from flask import Flask
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.workspaces.settings import set_policy
from tests.cast import Cast
from tests.staff import Browser
from tests.statements.papers import text_of
from tests.surfaces.dashboard.test_today import lines_of
from tests.surfaces.reservation_links.conftest import DETAILS, Phone, made_phone


@pytest.fixture
def phone(app: Flask, clock: FixedClock, cast: Cast) -> Phone:
    """The telephone of somebody who was offered Sumida's free room."""
    return made_phone(app.test_client(), clock, cast.sumida)


def screening_in(office: Browser) -> str:
    """Return the path of the only applicant who waits for a decision."""
    [found] = set(re.findall(r"/screenings/\w{32}", office.get("/screenings?lang=en").text))
    return str(found)


@pytest.mark.differs("a union of lists of several kinds")
def test_an_applicant_waits_for_the_approval_and_then_goes_on(
    office: Browser, phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        set_policy(Work(session, clock, "staff"), screening_before_contract=True)
    phone.get("?lang=en")
    assert "No one waits for a decision" in office.get("/screenings?lang=en").text
    assert phone.get("/screening").headers["Location"].endswith("/details")
    phone.post("/details", DETAILS)
    assert phone.get("/contract").headers["Location"].endswith("/screening")
    assert "We are looking at your application" in phone.get("/screening").text
    waiting = screening_in(office)
    rows = office.post(f"{waiting}/application.csv").data.decode("utf-8-sig")
    assert "申込者,名前,Name,田中 一郎,田中 一郎" in rows
    assert text_of(office.post(f"{waiting}/application.pdf").data).count("田中 一郎") == 1
    [line] = [line for line in lines_of(office) if "Screening" in line]
    assert "田中 一郎" in line
    here = screening_in(office)
    assert "090-1234-5678" in office.get(f"{here}?lang=en").text
    refused = office.post(f"{here}?lang=en", {"state": "approved"})
    assert (refused.status_code, "is not one of the choices" in refused.text) == (422, True)
    for state in ("in_review", "approved"):
        assert office.post(here, {"state": state, "reason": "勤務先を確認"}).status_code == 303
    [mail] = mails_to_applicant(database, cast)
    assert "入居審査を承認いたしました" in mail.text
    assert phone.home in mail.text, "the same link leads on to the contract"
    shown = office.get(f"{here}?lang=en").text
    assert "岡田 誠" in shown
    assert not [line for line in lines_of(office) if "Screening" in line]
    assert "You can go on to the contract" in phone.get("/screening").text
    assert phone.get("/contract").headers["Location"].endswith("/explanation")
    assert phone.sign().status_code == 303
    reservation = re.search(r"/reservations/\w{32}", office.get(f"{here}?lang=en").text)
    assert reservation, "the screening went on to the booking"
    assert here in office.get(f"{reservation[0]}/contracts?lang=en").text


def mails_to_applicant(database: Database, cast: Cast) -> list[OutboxMail]:
    with database.reading(cast.sumida.workspace_id) as session:
        asked = select(OutboxMail).where(OutboxMail.recipient == DETAILS["email"])
        return list(session.scalars(asked))


def test_a_declined_applicant_never_reads_why(
    office: Browser, phone: Phone, database: Database, cast: Cast
) -> None:
    phone.post("/details", {**DETAILS, "locale": "en"})
    here = screening_in(office)
    office.post(here, {"state": "in_review"})
    refused = office.post(f"{here}?lang=en", {"state": "declined"})
    assert (refused.status_code, "Only the office sees it" in refused.text) == (422, True)
    office.post(here, {"state": "declined", "reason": "家賃の滞納歴"})
    [mail] = mails_to_applicant(database, cast)
    assert "we cannot offer you this home" in mail.text
    assert "家賃の滞納歴" not in f"{mail.subject}{mail.text}{mail.html}"
    for path in ("?lang=en", "/contract", "/screening", "/details"):
        closed = phone.get(path)
        assert closed.status_code == 410
        assert "we cannot offer you this home" in closed.text
        assert "滞納" not in closed.text
    assert "家賃の滞納歴" in office.get(f"{here}?lang=en").text


def test_an_applicant_withdraws_and_the_link_closes(office: Browser, phone: Phone) -> None:
    phone.get("?lang=en")
    phone.post("/details", DETAILS)
    assert phone.get("/contract").headers["Location"].endswith("/explanation"), "nothing waits"
    here = screening_in(office)
    token = phone.hidden("/screening", "csrf_token")
    assert phone.post("/screening", {"csrf_token": token}).status_code == 303
    closed = phone.get("")
    assert (closed.status_code, "Your application is withdrawn" in closed.text) == (410, True)
    shown = office.get(f"{here}?lang=en").text
    assert "This application is closed" in shown
    assert "Withdrawn" in office.get("/screenings?state=withdrawn&lang=en").text
