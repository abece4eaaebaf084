"""Leads are stored once, answered, moved on, opened by name, and forgotten with all they sent."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.enquiries.enquiry_answers import answer_lead
from pms.enquiries.lead_lists import LeadSearch, count_leads, lead_record, list_leads
from pms.enquiries.leads import (
    assign_lead,
    forget_declined,
    forget_lead,
    move_lead,
    note_lead,
    open_resume,
)
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import read_resume
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.files import Files, loose_file
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import LeadState, LeafletKind
from pms.site.models import Position
from pms.site.written_content import remove_leaflet
from tests.cast import Cast
from tests.enquiries.made_resumes import sample

PAGE = Paging(1, 50)
SITE = "key/website"
WHO = "応募 花"


def applied(session: WorkspaceSession, clock: FixedClock, **given: Any) -> str:
    """Have somebody apply by the website."""
    also = {
        name: given.pop(name) for name in ("external_id", "resume", "resume_key") if name in given
    }
    usual = {
        "name": WHO,
        "email": "hana@example.jp",
        "phone": "090-0000-1111",
        "message": "働きたい",
    }
    return receive_lead(Work(session, clock, SITE), lead=WrittenLead(**{**usual, **given}), **also)


def with_resume(
    database: Database, session: WorkspaceSession, clock: FixedClock, **given: Any
) -> tuple[str, str]:
    """Have somebody apply with a résumé; return the lead and the key of the file."""
    resume = read_resume("履歴書.pdf", sample("resume.pdf"))
    key = Files(database.settings).put_alone(resume.content, resume.suffix)
    return applied(session, clock, resume=resume, resume_key=key, **given), key


def test_a_lead_that_is_sent_again_collides_and_is_stored_once(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        applied(session, clock, external_id="site-1")
        with pytest.raises(Collision, match="externalId: 'site-1' has already been used"):
            applied(session, clock, external_id="site-1")
    with database.writing(cast.minato.workspace_id) as session:
        applied(session, clock, external_id="site-1")
        assert list_leads(session, LeadSearch(), PAGE).total == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"email": None}, "email"),
        ({"email": "nobody"}, "email"),
        ({"phone": "call me"}, "phone"),
        ({"name": "  "}, "name"),
        ({"locale": "fr"}, "locale"),
        ({"message": "a\x00b"}, "message"),
        ({"message": "あ" * 10_001}, "message"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(
    database: Database, clock: FixedClock, cast: Cast, given: dict[str, Any], field: str
) -> None:
    with (
        pytest.raises(Refused, match=f"^{field}:"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        applied(session, clock, **given)


def test_an_earlier_lead_of_the_address_is_marked_and_both_show_each_other(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        first = applied(session, clock)
        second = applied(session, clock, email=" Hana@Example.jp ", name="別名")
        applied(session, clock, email="other@example.jp")
        marked = {
            one.id for one in list_leads(session, LeadSearch(), PAGE).leads if one.applied_before
        }
        assert marked == {second}
        assert [one.id for one in lead_record(session, second).others] == [first]
        assert [one.id for one in lead_record(session, first).others] == [second]


def test_an_answer_is_mailed_once_with_what_was_asked_and_begins_the_talks(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        position = session.scalars(select(Position)).one()
        lead_id = applied(session, clock, locale="en", position_id=position.id)
        for _ in range(2):
            answer_lead(
                Work(session, clock, "office"), lead_id=lead_id, text="Come on Monday.", key="k"
            )
        (mail,) = session.scalars(select(OutboxMail)).all()
        record = lead_record(session, lead_id)
    assert mail.recipient == "hana@example.jp"
    for words in ("Come on Monday.", "働きたい", position.title_en):
        assert words in mail.text
        assert words in (mail.html or "")
    assert record.lead.state is LeadState.IN_TALKS
    assert [said.text for said in record.answers_and_notes] == ["Come on Monday."]


def test_a_lead_moves_as_the_rule_says_and_every_audit_event_is_noted_without_the_person(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        lead_id, _ = with_resume(database, session, clock)
        move_lead(Work(session, clock, "office"), lead_id=lead_id, into=LeadState.IN_TALKS)
        with pytest.raises(Refused, match=r"^state: this application is in_talks"):
            move_lead(Work(session, clock, "office"), lead_id=lead_id, into=LeadState.NEW)
        move_lead(Work(session, clock, "office"), lead_id=lead_id, into=LeadState.DECLINED)
        answer_lead(Work(session, clock, "office"), lead_id=lead_id, text="残念です。")
        assert lead_record(session, lead_id).lead.state is LeadState.DECLINED
        move_lead(Work(session, clock, "office"), lead_id=lead_id, into=LeadState.IN_TALKS)
        assert lead_record(session, lead_id).forgotten_on is None
        note_lead(Work(session, clock, "office"), lead_id=lead_id, text="感じがよい", key="n")
        note_lead(Work(session, clock, "office"), lead_id=lead_id, text="感じがよい", key="n")
        opened = open_resume(Work(session, clock, "office"), lead_id=lead_id)
        session.flush()
        rows = session.scalars(select(AuditRecord).where(AuditRecord.subject_id == lead_id)).all()
        assert count_leads(session) == ({LeadState.IN_TALKS: 1}, 0)
    assert opened.name == "履歴書.pdf"
    assert Counter(row.audit_event for row in rows) == {
        AuditEvent.LEAD_RECEIVED: 1,
        AuditEvent.LEAD_MOVED: 3,
        AuditEvent.LEAD_ANSWERED: 1,
        AuditEvent.LEAD_NOTED: 1,
        AuditEvent.RESUME_OPENED: 1,
    }
    found = " ".join(f"{row.before} {row.after}" for row in rows)
    for personal in (WHO, "hana", "090", "働きたい", "残念", "感じ", "履歴書"):
        assert personal not in found, (
            "the audit forgets nothing, so it learns nothing of the person"
        )


def test_only_people_of_the_office_look_after_a_lead(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        lead_id = applied(session, clock)
        with pytest.raises(Refused, match=r"^assigneeId"):
            assign_lead(Work(session, clock, "x"), lead_id=lead_id, person_id="0" * 32)
        assign_lead(Work(session, clock, "x"), lead_id=lead_id, person_id=None)


def test_a_forgotten_lead_leaves_nothing_but_that_it_was_forgotten(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    files = Files(database.settings)
    with database.writing(cast.sumida.workspace_id) as session:
        lead_id, key = with_resume(database, session, clock)
        kept_id, kept_key = with_resume(database, session, clock, email="b@example.jp")
        for one in (lead_id, kept_id):
            answer_lead(Work(session, clock, "office"), lead_id=one, text="はい。")
            note_lead(Work(session, clock, "office"), lead_id=one, text="メモ")
        forget_lead(Work(session, clock, "office"), files, lead_id=lead_id)
    assert files.get(key) is None
    assert files.get(kept_key) is not None
    with database.writing(cast.sumida.workspace_id) as session:
        assert session.scalars(select(Lead.id)).all() == [kept_id]
        assert set(session.scalars(select(LeadNote.lead_id))) == {kept_id}
        assert session.scalars(select(OutboxMail.recipient)).all() == ["b@example.jp"]
        audit_events = session.scalars(
            select(AuditRecord.audit_event).where(AuditRecord.subject_id == lead_id)
        )
        assert AuditEvent.LEAD_FORGOTTEN in list(audit_events)
        with pytest.raises(NotFound):
            forget_lead(Work(session, clock, "office"), files, lead_id=lead_id)
        with pytest.raises(NotFound):
            open_resume(Work(session, clock, "office"), lead_id=lead_id)


def test_declined_leads_are_forgotten_after_a_year_and_no_others(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    files = Files(database.settings)
    with database.writing(cast.sumida.workspace_id) as session:
        declined, key = with_resume(database, session, clock)
        reopened, taken = applied(session, clock), applied(session, clock)
        for one in (declined, reopened):
            move_lead(Work(session, clock, "x"), lead_id=one, into=LeadState.DECLINED)
        move_lead(Work(session, clock, "x"), lead_id=reopened, into=LeadState.IN_TALKS)
        move_lead(Work(session, clock, "x"), lead_id=taken, into=LeadState.TAKEN_ON)
        assert str(lead_record(session, declined).forgotten_on) == "2027-11-21"
        clock.advance(timedelta(days=365))
        assert forget_declined(Work(session, clock, "worker"), files) == 0, (
            "the year itself is kept"
        )
        clock.advance(timedelta(days=1))
        assert forget_declined(Work(session, clock, "worker"), files) == 1
        assert forget_declined(Work(session, clock, "worker"), files) == 0
        assert set(session.scalars(select(Lead.id))) == {reopened, taken}
        (events,) = session.scalars(
            select(AuditRecord.after).where(AuditRecord.audit_event == AuditEvent.LEADS_FORGOTTEN)
        )
    assert events == {"leads": 1}
    assert files.get(key) is None


def test_a_file_that_no_row_names_does_not_stay(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    files, content = Files(database.settings), sample("resume.pdf")
    with loose_file(files, content, "pdf") as unnamed:
        assert files.get(unnamed.key) == content
    assert files.get(unnamed.key) is None
    with (
        pytest.raises(Refused),
        loose_file(files, content, "pdf") as refused,
        database.writing(cast.sumida.workspace_id) as session,
    ):
        applied(session, clock, resume_key=refused.name(), email="nobody")
    assert files.get(refused.key) is None
    with (
        loose_file(files, content, "pdf") as kept,
        database.writing(cast.sumida.workspace_id) as session,
    ):
        applied(session, clock, resume_key=kept.name())
    assert files.get(kept.key) == content


def test_a_position_that_somebody_applied_for_is_withdrawn_and_not_removed(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        position_id = session.scalars(select(Position.id)).one()
        lead_id = applied(session, clock, position_id=position_id)
        position: dict[str, Any] = {"kind": LeafletKind.POSITION, "leaflet_id": position_id}
    with (
        pytest.raises(Refused, match="are applications for this position"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        remove_leaflet(Work(session, clock, "office"), **position)
    with database.writing(cast.sumida.workspace_id) as session:
        assert lead_record(session, lead_id).lead.position_id == position_id
        forget_lead(Work(session, clock, "office"), Files(database.settings), lead_id=lead_id)
        remove_leaflet(Work(session, clock, "office"), **position)
        assert session.scalars(select(Position)).all() == []


def test_a_stranger_meets_no_lead(database: Database, clock: FixedClock, cast: Cast) -> None:
    files = Files(database.settings)
    with database.writing(cast.sumida.workspace_id) as session:
        lead_id, key = with_resume(database, session, clock)
        position_id = session.scalars(select(Position.id)).one()
    with database.writing(cast.minato.workspace_id) as session:
        for tried in (
            lambda: lead_record(session, lead_id),
            lambda: open_resume(Work(session, clock, "x"), lead_id=lead_id),
            lambda: forget_lead(Work(session, clock, "x"), files, lead_id=lead_id),
            lambda: note_lead(Work(session, clock, "x"), lead_id=lead_id, text="x"),
            lambda: answer_lead(Work(session, clock, "x"), lead_id=lead_id, text="x"),
            lambda: move_lead(Work(session, clock, "x"), lead_id=lead_id, into=LeadState.DECLINED),
        ):
            with pytest.raises(NotFound):
                tried()
        for named in (position_id, "elsewhere"):
            with pytest.raises(NotFound, match="positionId"):
                applied(session, clock, position_id=named)
        assert session.scalar(select(func.count()).select_from(Lead)) == 0
    assert files.get(key) is not None
