"""The effects of a mail that came into the mailbox: a message in the thread of its writer, or a mail that came back."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.conversations import LONGEST_NAME, Writer, find_conversation
from pms.channels.messages import keep_message
from pms.channels.models import InboundEvent, Mailbox
from pms.channels.outgoing import EventOutcome
from pms.channels.sending import ask_for_media
from pms.channels.sending_results import note_mail
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id, new_id
from pms.foundation.outbox import OutboxMail, mark_returned
from pms.inbox.conversations import mail_handle
from pms.providers.received_mail import Bounce, MailFile, ReceivedMail
from pms.rules.addresses import is_address
from pms.rules.message_words import (
    LONGEST_WORDS,
    MAIL_FILES_LEFT_OUT,
    MAIL_TOO_LARGE,
    MAIL_UNREADABLE,
    InboundState,
    IncomingMessage,
    MessageKind,
    WebhookSource,
)
from pms.rules.provider_json import ProviderEvent, fingerprint

MAIL: Final = "mail"
AUTOMATIC: Final = "mail.automatic"
BOUNCE: Final = "mail.bounce"
KEPT_ORIGINALS: Final = timedelta(days=90)
"""How long the original of a mail is stored beside the message it became."""
_FAILED: Final = "failed"
FROM_ITSELF: Final = "This mail was sent from the mailbox itself."
NOT_FROM_A_PERSON: Final = "This is an automatic reply or a mailing list."
NO_SENDER: Final = "The mail has no sender with an email address."
STILL_TRIED: Final = "The mail is delayed; the server still tries to deliver it."
UNKNOWN_BOUNCE: Final = "No mail that was sent from this workspace came back here."


def event_of_mail(mail: ReceivedMail, *, file_key: str | None, is_readable: bool) -> ProviderEvent:
    """Return a mail as an event: a copy of it that arrives in another way has the same key."""
    kind = BOUNCE if mail.bounce else AUTOMATIC if mail.is_automatic else MAIL
    same = {
        "sender": mail.sender,
        "subject": mail.subject,
        "text": mail.text,
        "sent_at": str(mail.sent_at),
    }
    return ProviderEvent(
        f"{mail.message_id[:120]} {fingerprint(same)}",
        kind,
        {
            "mail": msgspec.to_builtins(mail),
            "file_key": file_key,
            "is_readable": is_readable,
        },
        mail.sent_at,
    )


def take_received_mail(session: Session, clock: Clock, event: InboundEvent) -> EventOutcome:
    """Add the mail to the conversation of its writer, or note that a sent mail came back.

    It belongs to the person whom the mail that it answers was sent to; the sender's address of a
    mail can be forged, so that it decides only when nothing was answered.
    """
    mail = msgspec.convert(event.body["mail"], ReceivedMail, strict=False)
    if mail.bounce is not None:
        return _take_bounce(session, clock, mail.bounce)
    if mail.is_automatic:
        return EventOutcome(InboundState.UNUSED, reason=NOT_FROM_A_PERSON)
    if not is_address(mail.sender):
        return EventOutcome(InboundState.UNMATCHED, reason=NO_SENDER)
    box = session.scalar(select(Mailbox))
    if box is not None and mail.sender == box.address.casefold():
        return EventOutcome(InboundState.UNUSED, reason=FROM_ITSELF)
    answered = _find_answered_mail(session, mail)
    by = mail_handle(mail.sender)
    row = find_conversation(
        session,
        clock,
        Writer(
            handles=(by if answered is None else mail_handle(answered.recipient),),
            name=(mail.sender_name or mail.sender)[:LONGEST_NAME],
            words=mail.text,
            email=mail.sender if answered is None else answered.recipient,
        ),
    )
    for number, content in enumerate(_list_contents(mail, event.body)):
        message = keep_message(
            session,
            clock,
            row,
            event,
            content,
            handle=by,
            external_id=f"{event.event_key} {number}",
            message_id=event.id if number == 0 else new_id(),
        )
        if message is not None:
            ask_for_media(session, clock, message)
    return EventOutcome(InboundState.DONE, ("conversation", row.id))


def _list_contents(mail: ReceivedMail, body: Mapping[str, Any]) -> Sequence[IncomingMessage]:
    """Return the words of a mail, then its files; the subject precedes what answers nothing."""
    problem = None
    if not mail.is_whole:
        problem = MAIL_TOO_LARGE if body.get("is_readable") else MAIL_UNREADABLE
    elif mail.left_out:
        problem = MAIL_FILES_LEFT_OUT
    parts = [mail.text] if mail.answers and mail.text else [mail.subject, mail.text]
    words = "\n\n".join(part for part in parts if part)[:LONGEST_WORDS]
    file_key = body.get("file_key")
    files = [] if file_key is None else [_build_file(file_key, file) for file in mail.files]
    if files and not mail.text and mail.answers and problem is None:
        return files
    return [IncomingMessage(MessageKind.TEXT, words, media_failure=problem), *files]


def _build_file(file_key: str, file: MailFile) -> IncomingMessage:
    is_picture = file.media_type.startswith("image/")
    return IncomingMessage(
        MessageKind.IMAGE if is_picture else MessageKind.FILE,
        media_id=f"{file_key}#{file.part}",
        media_type=file.media_type,
        media_name=file.name or None,
    )


def _find_answered_mail(session: Session, mail: ReceivedMail) -> OutboxMail | None:
    """Return the sent mail that is answered: by the reply address, else by its Message-ID."""
    named = [text.partition("@")[0].rpartition("+")[2] for text in mail.recipients]
    return _find_sent_mail(session, [*named, *(text.partition("@")[0] for text in mail.answers)])


def _find_sent_mail(session: Session, ids: Sequence[str]) -> OutboxMail | None:
    known = {
        row.id: row
        for row in session.scalars(
            select(OutboxMail).where(OutboxMail.id.in_([id_ for id_ in ids if is_id(id_)]))
        )
    }
    return next((known[id_] for id_ in ids if id_ in known), None)


def _take_bounce(session: Session, clock: Clock, bounce: Bounce) -> EventOutcome:
    """Note on a mail that it was not delivered: it counts as failed, with the server's reason."""
    mail = _find_sent_mail(session, [text.partition("@")[0] for text in bounce.message_ids])
    if mail is None:
        return EventOutcome(InboundState.UNUSED, reason=UNKNOWN_BOUNCE)
    if bounce.action != _FAILED:
        return EventOutcome(InboundState.UNUSED, reason=STILL_TRIED)
    reason = f"{bounce.status}: {bounce.reason or 'no reason given'}"
    mark_returned(mail, clock, reason)
    note_mail(session, clock, mail)
    return EventOutcome(InboundState.DONE, reason=reason)


def original_key(session: Session, message_id: str) -> str | None:
    """Return the file of the original mail of a message, while it is stored."""
    if not is_id(message_id):
        return None
    body = session.scalar(
        select(InboundEvent.body).where(
            InboundEvent.id == message_id, InboundEvent.source == WebhookSource.MAIL
        )
    )
    return None if body is None else body.get("file_key")


def forget_originals(session: Session, now: datetime) -> Sequence[str]:
    """Forget the originals of old mails; return the keys of their files, to be deleted after."""
    old = session.scalars(
        select(InboundEvent).where(
            InboundEvent.source == WebhookSource.MAIL,
            InboundEvent.received_at < now - KEPT_ORIGINALS,
        )
    )
    keys = []
    for event in old:
        if event.body.get("file_key"):
            keys.append(event.body["file_key"])
            event.body = {**event.body, "file_key": None}
    return keys
