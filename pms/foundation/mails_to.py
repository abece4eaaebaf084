"""Asks the outbox what was written to a person."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.outbox import OutboxMail


class WrittenMail(NamedTuple):
    """One mail as it stands: sent, given up with its last failure, or still waiting."""

    id: str
    recipient: str
    subject: str
    text: str
    attachments: tuple[str, ...]
    written_at: datetime
    sent_at: datetime | None
    given_up_at: datetime | None
    failure: str | None


def mails_to(session: Session, addresses: Collection[str], most: int = 50) -> Sequence[WrittenMail]:
    """Return the newest mails to any of the addresses."""
    found = session.scalars(
        select(OutboxMail)
        .where(OutboxMail.recipient.in_(sorted(addresses)))
        .order_by(OutboxMail.written_at.desc(), OutboxMail.id.desc())
        .limit(most)
    )
    return [
        WrittenMail(
            mail.id,
            mail.recipient,
            mail.subject,
            mail.text,
            tuple(attached["name"] for attached in mail.attachments),
            mail.written_at,
            mail.sent_at,
            mail.given_up_at,
            mail.failure,
        )
        for mail in found
    ]
