"""Forgets leads: everything they sent, what was answered and noted, and their files."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.enquiries.lead_in_hand import lead_in_hand
from pms.enquiries.models import Lead, LeadNote
from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.prepared import one_of
from pms.rules.days import day_start
from pms.rules.deeds import Deed
from pms.rules.lead_steps import declined_kept_from


def forget_lead(session: Session, clock: Clock, actor: str, files: Files, *, lead_id: str) -> None:
    """Delete a lead with its notes, its mails and its file; that it was done stays in the audit.

    The file goes before the rows: should the transaction fail, the lead is there to be forgotten
    again.
    """
    row = lead_in_hand(session, lead_id)
    _delete(session, files, [(row.id, row.resume_key)])
    note_deed(session, clock, actor, Deed.LEAD_FORGOTTEN, ("lead", lead_id))
    session.flush()


def forget_declined(
    session: Session, clock: Clock, actor: str, files: Files, *, most: int = 200
) -> int:
    """Delete leads that were declined longer ago than they are kept; return how many."""
    kept_from = day_start(declined_kept_from(clock.today()))
    due = session.execute(
        select(Lead.id, Lead.resume_key)
        .where(Lead.declined_at < kept_from)
        .order_by(Lead.declined_at, Lead.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    ).all()
    if not due:
        return 0
    _delete(session, files, [(row.id, row.resume_key) for row in due])
    told = {"leads": len(due)}
    note_deed(session, clock, actor, Deed.LEADS_FORGOTTEN, of_workspace(session), after=told)
    session.flush()
    return len(due)


def _delete(session: Session, files: Files, leads: Sequence[tuple[str, str | None]]) -> None:
    for _, key in leads:
        if key is not None:
            files.delete(key)
    ids = [id_ for id_, _ in leads]
    # A mail repeats what somebody wrote, so it goes as well, sent or not.
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
