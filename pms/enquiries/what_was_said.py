"""What was answered to somebody who wrote in, with how its mail fared, and what was noted."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from pms.enquiries.models import EnquiryNote, LeadNote
from pms.foundation.outbox import OutboxMail
from pms.rules.channel_words import Channel, MessageState


class Said(NamedTuple):
    """An answer and how its mail stands, or a note for the colleagues.

    `failure` is why the last try failed, of a mail that waits for the next one too. An answer of
    which no mail is known tells nothing of it.
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
        """How an answer goes out; a note goes nowhere."""
        return Channel.MAIL if self.is_answer else None

    @property
    def state(self) -> MessageState | None:
        """How far the answer is, in the words of the inbox; nothing for a note."""
        if self.mail_id is None:
            return None
        if self.given_up_at is not None:
            return MessageState.FAILED
        return MessageState.WAITING if self.sent_at is None else MessageState.SENT


def what_was_said(
    session: Session,
    notes: type[EnquiryNote] | type[LeadNote],
    is_about: ColumnElement[bool],
) -> Sequence[Said]:
    """Return answers and notes in the order of time, with their mails in the same question."""
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
        .outerjoin(
            OutboxMail,
            and_(OutboxMail.workspace_id == notes.workspace_id, OutboxMail.id == notes.mail_id),
        )
        .where(is_about)
        .order_by(notes.at, notes.id)
    )
    return [Said(*row) for row in rows]
