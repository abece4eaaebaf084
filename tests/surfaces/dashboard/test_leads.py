"""Leads at the desk: found, answered, moved on, their résumé saved and never shown, deleted."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import read_resume
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.site.models import Position
from tests.cast import Cast
from tests.enquiries.made_resumes import sample
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements


@pytest.fixture
def path(database: Database, clock: FixedClock, cast: Cast) -> str:
    """The path of a lead with a résumé."""
    return f"/leads/{applied(database, clock, cast)}"


def applied(database: Database, clock: FixedClock, cast: Cast, **given: Any) -> str:
    resume = read_resume('履歴"書\r\n.pdf', sample("resume.pdf"))
    key = Files(database.settings).put_alone(resume.content, resume.suffix)
    usual = {"name": "応募 花", "email": "hana@example.jp", "locale": "en", "message": "Hello"}
    with database.writing(cast.sumida.workspace_id) as session:
        lead = WrittenLead(**{**usual, **given})
        return receive_lead(Work(session, clock, "key/1"), lead=lead, resume=resume, resume_key=key)


def test_the_list_shows_open_ones_narrowed_by_words_state_and_position(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        position_id = session.scalars(select(Position.id)).one()
    first = applied(database, clock, cast)
    second = applied(database, clock, cast, name="二度目", position_id=position_id)
    text = office.get("/leads?lang=en").text
    assert "2 applications" in text
    assert text.count("Applied before") == 1
    assert first not in office.get(f"/leads?positionId={position_id}").text
    assert second in office.block("/leads?search=二度").text
    assert office.post(f"/leads/{first}/state", {"state": "declined"}).status_code == 303
    assert first not in office.get("/leads").text
    assert first in office.get("/leads?state=declined").text
    assert "Hana" not in office.get("/leads?lang=en&state=taken_on").text
    assert office.get("/leads?state=lost").status_code == 422


def test_the_list_asks_the_same_few_questions_however_many_there_are(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    applied(database, clock, cast)
    office.get("/leads")
    with statements() as few:
        office.get("/leads")
    for number in range(12):
        applied(database, clock, cast, email=f"{number}@example.jp")
    with statements() as many:
        office.get("/leads")
    assert len(few) == len(many) <= 10


def test_an_answer_is_mailed_once_and_the_talks_have_begun(
    office: Browser, database: Database, cast: Cast, path: str
) -> None:
    answered = {"text": "Please come on Monday.", "key": "one-tap"}
    assert office.post(f"{path}/answers", answered).status_code == 303
    assert office.post(f"{path}/answers", answered).status_code == 303
    noted = {"note": "感じがよい", "key": "one-tap-note"}
    assert office.post(f"{path}/notes", noted).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        (mail,) = session.scalars(select(OutboxMail)).all()
        assert len(session.scalars(select(LeadNote)).all()) == 2
    assert mail.recipient == "hana@example.jp"
    assert "Please come on Monday." in mail.text
    text = office.get(f"{path}?lang=en").text
    assert ">In talks<" in text
    assert "感じがよい" in text
    refused = office.post(f"{path}/answers?lang=en", {"text": " "})
    assert refused.status_code == 422


def test_it_moves_on_as_the_rule_says_and_is_undone_where_there_is_a_way_back(
    office: Browser, staff: Staff, path: str
) -> None:
    assert office.post(f"{path}/assignee", {"assigneeId": staff.office_id}).status_code == 303
    assert office.post(f"{path}/state", {"state": "in_talks"}).status_code == 303
    assert office.post(f"{path}/state", {"state": "declined"}).status_code == 303
    text = office.get(f"{path}?lang=en").text
    assert "Reopen" in text
    assert "It is deleted automatically on" in text
    assert office.post(f"{path}/state", {"state": "new"}).status_code == 422
    assert office.post(f"{path}/state", {"state": "hired"}).status_code == 422
    assert office.post(f"{path}/state", {"state": "in_talks"}).status_code == 303


def test_a_resume_is_saved_under_a_safe_name_and_each_opening_is_written_down(
    office: Browser, database: Database, cast: Cast, path: str
) -> None:
    answer = office.post(f"{path}/resume")
    assert answer.status_code == 200
    assert answer.data == sample("resume.pdf")
    assert answer.mimetype == "application/pdf"
    found = answer.headers
    assert re.fullmatch(
        r"attachment; filename\*=UTF-8''[%0-9A-F]+\.pdf", found["Content-Disposition"]
    )
    assert found["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in found["Cache-Control"]
    assert "default-src 'none'" in found["Content-Security-Policy"]
    assert office.get(f"{path}/resume").status_code == 405, "no picture and no link opens it"
    with database.reading(cast.sumida.workspace_id) as session:
        wanted = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.RESUME_OPENED)
        (row,) = session.scalars(wanted).all()
    assert row.actor.startswith("person/")


def test_deleting_shows_what_goes_and_leaves_nothing(
    office: Browser, database: Database, cast: Cast, path: str
) -> None:
    office.post(f"{path}/answers", {"text": "はい。", "key": "1"})
    check = office.get(f"{path}/forgetting?lang=en").text
    assert "履歴" in check
    assert "cannot be undone" in check
    with database.reading(cast.sumida.workspace_id) as session:
        key = session.scalars(select(Lead.resume_key)).one()
    assert office.post(f"{path}/forgetting").status_code == 303
    assert office.get(path).status_code == 404
    assert office.post(f"{path}/resume").status_code == 404
    assert Files(database.settings).get(key or "") is None
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(Lead)).all() == []
        assert session.scalars(select(OutboxMail)).all() == []


def test_a_file_that_is_gone_is_not_found_and_no_error(
    office: Browser, database: Database, cast: Cast, path: str
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        key = session.scalars(select(Lead.resume_key)).one()
    Files(database.settings).delete(key or "")
    assert office.post(f"{path}/resume").status_code == 404


def test_who_works_on_site_and_strangers_meet_no_lead(
    housekeeper: Browser, maintainer: Browser, stranger: Browser, path: str
) -> None:
    for browser in (housekeeper, maintainer):
        assert browser.get("/leads").status_code in (403, 404)
        assert browser.post(f"{path}/resume").status_code in (403, 404)
    assert stranger.get(path).status_code == 404
    assert stranger.post(f"{path}/resume").status_code == 404
    assert stranger.post(f"{path}/forgetting").status_code == 404


def test_an_answer_that_could_not_be_sent_says_why_and_is_sent_again(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, path: str
) -> None:
    assert office.post(f"{path}/answers", {"text": "Come.", "key": "k"}).status_code == 303
    with database.writing(cast.sumida.workspace_id) as session:
        mail = session.scalars(select(OutboxMail)).one()
        mail.due_at, mail.given_up_at, mail.failure = None, clock.now(), "no such address"
    text = office.get(f"{path}?lang=en").text
    assert "no such address" in text
    (again,) = re.findall(r'action="[^"]*(/leads/\w+/answers/\w+/retry)"', text)
    listed = office.get("/leads?lang=en&state=to_answer").text
    assert "To answer (1)" in listed
    assert "Not delivered" in listed
    assert office.post(again, {}).status_code == 303
    assert office.post(again, {}).status_code == 422
    assert "Everyone has been answered" in office.get("/leads?lang=en&state=to_answer").text
