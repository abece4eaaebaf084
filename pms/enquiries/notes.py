"""Answers and internal notes: those of enquiries and those of leads are kept alike."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from pms.enquiries.models import Lead, LeadNote
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Refused, no_such
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id
from pms.foundation.outbox import OutboxMail, send_mail_again
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.inbox.models import Enquiry, EnquiryNote
from pms.rules import enquiry_steps
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import Channel, MessageState

_ABOUT: Final[dict[type[Enquiry] | type[Lead], InstrumentedAttribute[str]]] = {
    Enquiry: EnquiryNote.enquiry_id,
    Lead: LeadNote.lead_id,
}
"""The column of a note that names what it is about."""


def note_columns(work: Work, words: str, *, mail_id: str | None = None) -> dict[str, Any]:
    """Return the columns of a note of now; with its mail it is an answer."""
    return {
        "is_answer": mail_id is not None,
        "text": words,
        "mail_id": mail_id,
        "at": work.clock.now(),
        "by": work.actor,
    }


def add_note(
    work: Work,
    row: Enquiry | Lead,
    note: EnquiryNote | LeadNote,
    key: str | None,
    audit_event: AuditEvent,
) -> bool:
    """Store an internal note; return False for a `key` that was used before."""
    if not is_new(work.session, work.clock, work.actor, key):
        return False
    work.session.add(note)
    note_audit_event(work, audit_event, subject_of(row))
    work.session.flush()
    return True


def send_answer_again(work: Work, row: Enquiry | Lead, note_id: str) -> None:
    """Put the mail of a given-up answer back into the outbox, to the address recorded now."""
    about: Any = _ABOUT[type(row)]
    asked = select(about.class_).where(about.class_.id == note_id, about == row.id)
    note = work.session.scalar(asked) if is_id(note_id) else None
    if note is None:
        raise no_such("answer", note_id)
    if row.email is None:
        raise Refused("text: there is no email address, so no email can be sent.")
    send_mail_again(work.session, work.clock, note.mail_id, recipient=row.email)
    note_audit_event(work, AuditEvent.MESSAGE_SENT_AGAIN, subject_of(row))
    work.session.flush()


class AnswerOrNote(NamedTuple):
    """An answer with the state of its mail, or an internal note.

    `failure` is why the last try failed, also while the mail waits for the next try. It is None for
    an answer without a known mail.
    """

    id: str
    is_answer: bool
    text: str
    at: datetime
    by: str
    mail_id: str | None
    sent_at: datetime | None
    given_up_at: datetime | None
    failure: str | None

    @property
    def channel(self) -> Channel | None:
        """The channel of an answer; None for a note."""
        return Channel.MAIL if self.is_answer else None

    @property
    def state(self) -> MessageState | None:
        """The state of the answer, as in the inbox; None for a note."""
        if self.mail_id is None:
            return None
        if self.given_up_at is not None:
            return MessageState.FAILED
        return MessageState.WAITING if self.sent_at is None else MessageState.SENT


def answers_and_notes(
    session: Session, about: InstrumentedAttribute[str], id_: str
) -> Sequence[AnswerOrNote]:
    """Return answers and notes by time, with their mails, in one query."""
    notes: Any = about.class_
    rows = session.execute(
        select(
            notes.id,
            notes.is_answer,
            notes.text,
            notes.at,
            notes.by,
            OutboxMail.id,
            OutboxMail.sent_at,
            OutboxMail.given_up_at,
            OutboxMail.failure,
        )
        .select_from(notes)
        .outerjoin(OutboxMail, refers_to(notes.mail_id, OutboxMail))
        .where(about == id_)
        .order_by(notes.at, notes.id)
    )
    return [AnswerOrNote(*row) for row in rows]


def _is_unheard(
    asked: type[Enquiry] | type[Lead], notes: Any, about: str, open_states: Sequence[Any]
) -> ColumnElement[bool]:
    """Return whether an answer's mail was given up, with no later answer, note or closing."""
    answer, later = aliased(notes), aliased(notes)
    is_later = (
        later.workspace_id == asked.workspace_id,
        getattr(later, about) == asked.id,
        later.at > OutboxMail.given_up_at,
    )
    return (
        exists()
        .where(
            answer.workspace_id == asked.workspace_id,
            getattr(answer, about) == asked.id,
            refers_to(answer.mail_id, OutboxMail),
            OutboxMail.given_up_at.is_not(None),
            or_(asked.state.in_(open_states), asked.changed_at < OutboxMail.given_up_at),
            ~exists().where(*is_later).correlate(asked, OutboxMail),
        )
        .correlate(asked)
    )


IS_ENQUIRY_UNHEARD: Final = _is_unheard(Enquiry, EnquiryNote, "enquiry_id", enquiry_steps.OPEN)
IS_LEAD_UNHEARD: Final = _is_unheard(Lead, LeadNote, "lead_id", enquiry_steps.OPEN_LEADS)
