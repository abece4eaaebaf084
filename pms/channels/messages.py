"""Messages, and the state of their conversation: last message, whose turn it is, failures."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.photo_sizes import plain_picture
from pms.channels.models import InboundEvent
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, TooMany, no_such
from pms.foundation.ids import is_id
from pms.foundation.outbox import put_call
from pms.foundation.provider_http import ProviderError
from pms.foundation.work import Work
from pms.inbox.conversations import Handle, find_next_sides, lock_ongoing_conversation
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    EMPTY_FILE,
    NO_PICTURE,
    Channel,
    ConversationState,
    IncomingMessage,
    MessageKind,
    MessageState,
    short_words,
)

_TAKEN_BACK: Final = "—"


def note_message(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> None:
    """Update a locked conversation after a message was added to it.

    The other side has the turn, and a done conversation is reopened; a ticket or enquiry that waits
    for staff still does when staff write elsewhere. A reaction changes no turn. A late message does
    not replace newer ones, and a sender's clock that is ahead does not keep a conversation on top.
    """
    row.version += 1
    if message.kind is MessageKind.REACTION:
        return
    is_theirs = message.side is TicketSide.RESIDENT
    waits = is_theirs or find_next_sides(session, [row.id])[row.id] is TicketSide.STAFF
    row.awaits = TicketSide.STAFF if waits else TicketSide.RESIDENT
    _reopen_conversation(row)
    written_at = min(message.sent_at, clock.now())
    if not row.last_words or written_at >= row.last_message_at:
        row.last_words = short_words(message.kind, message.text, message.media_name)
        row.last_message_at = written_at
        if is_theirs:
            row.channel = message.channel


def note_taken_back(session: Session, row: Conversation, words: str) -> None:
    """Remove deleted words from lists; the newest remaining words are shown again."""
    session.flush()
    row.version += 1
    if row.last_words != words:
        return
    newest = session.scalars(_select_shown_messages(row.id).limit(1)).first()
    row.last_words = _TAKEN_BACK
    if newest is not None:
        row.last_words = short_words(newest.kind, newest.text, newest.media_name)


def note_failures(session: Session, row: Conversation, *, is_new: bool = False) -> None:
    """Update whether any sent message of the conversation failed.

    With `is_new` a done conversation is reopened, because it was closed in the belief that the
    message was sent.
    """
    if is_new and row.state is ConversationState.DONE:
        _reopen_conversation(row)
        row.awaits = TicketSide.RESIDENT
    session.flush()
    failed = select(GuestMessage.id).where(
        GuestMessage.conversation_id == row.id, GuestMessage.state == MessageState.FAILED
    )
    row.has_failure = session.scalar(failed.limit(1)) is not None
    row.version += 1


def _reopen_conversation(row: Conversation) -> None:
    if row.state is ConversationState.DONE:
        row.state, row.closed_at, row.closed_by = ConversationState.OPEN, None, None


def _select_shown_messages(conversation_id: str) -> Select[GuestMessage]:
    return (
        select(GuestMessage)
        .where(
            GuestMessage.conversation_id == conversation_id,
            GuestMessage.taken_back_at.is_(None),
            GuestMessage.kind != MessageKind.REACTION,
        )
        .order_by(GuestMessage.sent_at.desc(), GuestMessage.id.desc())
    )


FORGETTING: Final = "channels.file_forgotten"
_KEPT: Final = frozenset({"type", "id"})


def take_back_message(work: Work, *, message: GuestMessage, at: datetime) -> None:
    """Delete the content of a message and of its event; the fact that it was sent is kept.

    A repetition changes nothing.
    """
    row = lock_ongoing_conversation(work.session, message.conversation_id)
    work.session.refresh(message)
    if message.taken_back_at is not None:
        return
    words = short_words(message.kind, message.text, message.media_name)
    message.taken_back_at = at
    message.text, message.media_name, message.quoted_id = "", None, None
    message.media_id, message.media_failure = None, None
    if message.media_key is not None:
        # The file is deleted after the commit, so that a rollback keeps it.
        facts = {"file_key": message.media_key}
        put_call(work.session, work.clock, kind=FORGETTING, subject_id=message.id, facts=facts)
        message.media_key = message.media_type = None
    _forget_event(work.session, message.id)
    subject = ("conversation", row.id)
    note_audit_event(
        work,
        AuditEvent.MESSAGE_TAKEN_BACK,
        subject,
        after={"channel": message.channel, "guest_message": message.id},
    )
    note_taken_back(work.session, row, words)


def _forget_event(session: Session, message_id: str) -> None:
    """Delete the content of the event that brought the message; both have the same id."""
    event = session.scalar(select(InboundEvent).where(InboundEvent.id == message_id))
    content = event.body.get("message") if event is not None else None
    if event is not None and isinstance(content, dict):
        message = {name: value for name, value in content.items() if name in _KEPT}
        event.body = {**event.body, "message": message}


def known_message(session: Session, channel: Channel, external_id: str) -> GuestMessage | None:
    """Return the message with a channel's id."""
    return session.scalar(
        select(GuestMessage).where(
            GuestMessage.channel == channel, GuestMessage.external_id == external_id
        )
    )


def keep_message(
    session: Session,
    clock: Clock,
    row: Conversation,
    event: InboundEvent,
    content: IncomingMessage,
    *,
    handle: Handle,
    external_id: str,
    sent_at: datetime | None = None,
    booking_reference: str | None = None,
    listing: str | None = None,
) -> GuestMessage | None:
    """Add an event's message to a locked conversation; return None when it is there already.

    The message has the id of its event.
    """
    message = _received_message(event, content)
    message.conversation_id = row.id
    message.channel, message.handle = handle
    message.external_id = external_id
    message.sent_at = sent_at or message.sent_at
    message.booking_reference, message.listing = booking_reference, listing
    try:
        with session.begin_nested():
            session.add(message)
    except IntegrityError:
        return None
    note_message(session, clock, row, message)
    return message


def _received_message(event: InboundEvent, content: IncomingMessage) -> GuestMessage:
    return GuestMessage(
        id=event.id,
        side=TicketSide.RESIDENT,
        kind=content.kind,
        text=content.text,
        quoted_id=content.quoted_id,
        is_edit=content.is_edit,
        sent_at=event.occurred_at or event.received_at,
        received_at=event.received_at,
        by=None,
        state=MessageState.RECEIVED,
        media_id=content.media_id,
        media_type=content.media_type,
        media_name=content.media_name,
        media_failure=content.media_failure,
    )


PICTURE: Final = "image/webp"
PDF: Final = "application/pdf"
UNKNOWN: Final = "application/octet-stream"
_PDF_START: Final = b"%PDF-"
_PICTURES: Final = frozenset({MessageKind.IMAGE, MessageKind.STICKER})
_HEIF: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"})
_SMALLEST_SIDE: Final = 1


class MediaFile(NamedTuple):
    """A file to be stored; only pictures are ever shown, all other files are downloads."""

    content: bytes
    media_type: str
    suffix: str


def kept_media(kind: MessageKind, content: bytes) -> MediaFile:
    """Return the file of a message in its stored form.

    The location data of a picture is removed. Raises `ProviderError` for an unreadable picture.
    """
    if not content:
        raise ProviderError(EMPTY_FILE, for_good=True)
    if kind in _PICTURES:
        return _make_picture_file(content)
    if content.startswith(_PDF_START):
        return MediaFile(content, PDF, "pdf")
    if _is_picture(content):
        # A picture sent as a file also contains location data.
        return _make_picture_file(content)
    return MediaFile(content, UNKNOWN, "bin")


def _make_picture_file(content: bytes) -> MediaFile:
    try:
        made = plain_picture(content, smallest_side=_SMALLEST_SIDE)
    except Refused as refusal:
        raise ProviderError(NO_PICTURE, for_good=True) from refusal
    except TooMany as refusal:
        raise ProviderError(NO_PICTURE) from refusal
    return MediaFile(made, PICTURE, "webp")


def _is_picture(content: bytes) -> bool:
    """Whether a file starts like a picture of a format that can be re-encoded."""
    return (
        content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n"))
        or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
        or (content[4:8] == b"ftyp" and content[8:12] in _HEIF)
    )


_SUFFIXES = {PICTURE: "webp", PDF: "pdf"}


class MessageFile(NamedTuple):
    """A stored file: its key, its type, and the name for its download.

    Only pictures may be shown in a page; all other files are downloads.
    """

    key: str
    media_type: str
    name: str

    @property
    def is_picture(self) -> bool:
        """Whether it was re-encoded as a picture, so that it is safe to show."""
        return self.media_type == PICTURE


def message_file(session: Session, message_id: str) -> MessageFile:
    """Return the file of a message; raise `NotFound` when it has none or was deleted."""
    found = None
    if is_id(message_id):
        asked = select(
            GuestMessage.media_key, GuestMessage.media_type, GuestMessage.media_name
        ).where(
            GuestMessage.id == message_id,
            GuestMessage.media_key.is_not(None),
            GuestMessage.taken_back_at.is_(None),
        )
        found = session.execute(asked).first()
    if found is None:
        raise no_such("file", message_id)
    key, media_type, name = found
    kind = media_type or UNKNOWN
    return MessageFile(key or "", kind, name or f"{message_id}.{_SUFFIXES.get(kind, 'bin')}")
