"""Deleting leads, with their files."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.enquiries.models import Lead, LeadNote
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.prepared import one_of
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_start
from pms.rules.enquiry_steps import declined_kept_from


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
