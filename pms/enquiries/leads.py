"""Leads from the website: counting and assigning them, their states, deleting them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.access.members import refuse_unseen
from pms.access.models import Member, Person
from pms.catalogue.checks import (
    LONGEST_TEXT,
    needed_text,
)
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.notes import add_note, note_columns
from pms.foundation.audit import Facts, note_audit_event, of_workspace, subject_of
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import any_of
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_start
from pms.rules.enquiry_steps import declined_kept_from, may_move_lead, next_lead_states
from pms.rules.enumerations import StaffRole
from pms.rules.message_words import LeadState


def count_lead(
    work: Work, audit_event: AuditEvent, row: Lead, *, before: Facts, after: Facts
) -> None:
    """Increment the lead's version, with time and actor; write the event without personal data."""
    note_audit_event(work, audit_event, subject_of(row), before=before, after=after)
    row.version += 1
    row.changed_at, row.changed_by = work.clock.now(), work.actor
    work.session.flush()


_OFFICE: Final = (StaffRole.OPERATOR, StaffRole.OFFICE)
_PEOPLE = (
    select(Member.person_id, Person.name)
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None), Member.role.in_(_OFFICE))
)


class OfficePerson(NamedTuple):
    """A member of the office staff as a choice."""

    person_id: str
    name: str


def office_people(session: Session) -> Sequence[OfficePerson]:
    """Return the office staff by name."""
    rows = session.execute(_PEOPLE.order_by(Person.name, Person.id))
    return [OfficePerson(*row) for row in rows]


def known_office_person(
    session: Session, field: str, person_id: str | None, model: type[OfWorkspace], id_: str
) -> str | None:
    """Return the person's id, or None for None.

    Raises `Refused` if they are not office staff, or would not see the row that they are named for.
    """
    if not person_id:
        return None
    is_it = _PEOPLE.where(Member.person_id == person_id)
    if not is_id(person_id) or session.execute(is_it).first() is None:
        raise Refused("{field}: no member of the team has this id.", field=field)
    refuse_unseen(session, field, person_id, model, id_)
    return person_id


def assign_lead(work: Work, *, lead_id: str, person_id: str | None) -> None:
    """Set the assignee, or clear it with None; raise `Refused` for one who is not office staff."""
    row = locked(work.session, Lead, lead_id)
    assignee = known_office_person(work.session, "assigneeId", person_id, Lead, row.id)
    if assignee == row.assignee_id:
        return
    was, now = {"assignee_id": row.assignee_id}, {"assignee_id": assignee}
    row.assignee_id = assignee
    count_lead(work, AuditEvent.LEAD_ASSIGNED, row, before=was, after=now)


def move_lead(work: Work, *, lead_id: str, into: LeadState) -> None:
    """Set the state; raise `Refused` if it cannot follow the present one."""
    row = locked(work.session, Lead, lead_id)
    if not may_move_lead(row.state, into):
        raise Refused(
            "state: this application is {state}. It can be changed to {allowed}.",
            state=row.state,
            allowed=any_of(next_lead_states(row.state)),
        )
    step_lead(work, row=row, into=into)


def step_lead(work: Work, *, row: Lead, into: LeadState) -> None:
    """Set the state of a locked lead; declining it starts its retention period."""
    before, row.state = row.state, into
    row.declined_at = work.clock.now() if into is LeadState.DECLINED else None
    was, now = {"state": before}, {"state": into}
    count_lead(work, AuditEvent.LEAD_MOVED, row, before=was, after=now)


def note_lead(work: Work, *, lead_id: str, text: str | None, key: str | None = None) -> None:
    """Store a note with time and actor; a `key` that was used before changes nothing."""
    row = locked(work.session, Lead, lead_id)
    note = LeadNote(lead_id=row.id, **note_columns(work, needed_text("note", text, LONGEST_TEXT)))
    add_note(work, row, note, key, AuditEvent.LEAD_NOTED)


class KeptResume(NamedTuple):
    """Where a résumé is stored, with the name and type to send it with."""

    key: str
    name: str
    media_type: str


def open_resume(work: Work, *, lead_id: str) -> KeptResume:
    """Return the résumé of the lead; raise `NotFound` if it has none."""
    row = None
    if is_id(lead_id):
        wanted = select(Lead.resume_key, Lead.resume_name, Lead.resume_type)
        row = work.session.execute(wanted.where(Lead.id == lead_id)).first()
    if row is None or row.resume_key is None:
        raise NotFound("There is no résumé for '{lead_id}'.", lead_id=lead_id[:60])
    note_audit_event(work, AuditEvent.RESUME_OPENED, ("lead", lead_id))
    return KeptResume(row.resume_key, row.resume_name or "resume", row.resume_type or "")


def forget_lead(work: Work, files: Files, *, lead_id: str) -> None:
    """Delete a lead with its notes, mails and file; the audit keeps that it was deleted.

    The file is deleted before the rows: if the transaction fails, the lead can be deleted again.
    """
    row = locked(work.session, Lead, lead_id)
    _delete_leads(work.session, files, [(row.id, row.resume_key)])
    note_audit_event(work, AuditEvent.LEAD_FORGOTTEN, ("lead", lead_id))
    work.session.flush()


def forget_declined(work: Work, files: Files, *, most: int = 200) -> int:
    """Delete declined leads after their retention period; return how many."""
    kept_from = day_start(declined_kept_from(work.clock.today()))
    due = work.session.execute(
        select(Lead.id, Lead.resume_key)
        .where(Lead.declined_at < kept_from)
        .order_by(Lead.declined_at, Lead.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    ).all()
    if not due:
        return 0
    _delete_leads(work.session, files, [(row.id, row.resume_key) for row in due])
    facts = {"leads": len(due)}
    note_audit_event(work, AuditEvent.LEADS_FORGOTTEN, of_workspace(work.session), after=facts)
    work.session.flush()
    return len(due)


def _delete_leads(session: Session, files: Files, leads: Sequence[tuple[str, str | None]]) -> None:
    for _, key in leads:
        if key is not None:
            files.delete(key)
    ids = [id_ for id_, _ in leads]
    # A mail quotes the applicant's text, so it is deleted too, sent or not.
    mails = session.scalars(
        select(LeadNote.mail_id).where(one_of(LeadNote.lead_id, ids), LeadNote.mail_id.is_not(None))
    ).all()
    known = [mail_id for mail_id in mails if mail_id is not None]
    for table, column, wanted in (
        (OutboxMail, OutboxMail.id, known),
        (LeadNote, LeadNote.lead_id, ids),
        (Lead, Lead.id, ids),
    ):
        if wanted:
            session.execute(
                delete(table)
                .where(one_of(column, wanted))
                .execution_options(synchronize_session=False)
            )
    session.expire_all()
