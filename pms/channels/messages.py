"""Messages that came in: keeping, noting and taking them back."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.photos import plain_picture
from pms.channels.message_notes import note_message
from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.provider_http import ProviderError
from pms.inbox.conversations import Handle
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    EMPTY_FILE,
    NO_PICTURE,
    Channel,
    MessageKind,
    MessageState,
    ToldMessage,
)


def known_message(session: Session, channel: Channel, external_id: str) -> GuestMessage | None:
    """Return the message that a channel calls by that name."""
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
    told: ToldMessage,
    *,
    handle: Handle,
    external_id: str,
    sent_at: datetime | None = None,
    booking_reference: str | None = None,
    listing: str | None = None,
) -> GuestMessage | None:
    """Add what an event brought to a locked conversation; `None` when it is there already.

    A message has the id of the event it came with.
    """
    channel, name = handle
    message = GuestMessage(
        id=event.id,
        conversation_id=row.id,
        channel=channel,
        handle=name,
        external_id=external_id,
        side=TicketSide.RESIDENT,
        kind=told.kind,
        text=told.text,
        quoted_id=told.quoted_id,
        is_edit=told.is_edit,
        sent_at=sent_at or event.occurred_at or event.received_at,
        received_at=event.received_at,
        by=None,
        state=MessageState.RECEIVED,
        media_id=told.media_id,
        media_type=told.media_type,
        media_name=told.media_name,
        media_failure=told.media_failure,
        booking_reference=booking_reference,
        listing=listing,
    )
    try:
        with session.begin_nested():
            session.add(message)
    except IntegrityError:
        return None
    note_message(session, clock, row, message)
    return message


PICTURE: Final = "image/webp"
PDF: Final = "application/pdf"
UNKNOWN: Final = "application/octet-stream"
_PDF_START: Final = b"%PDF-"
_PICTURES: Final = frozenset({MessageKind.IMAGE, MessageKind.STICKER})
_HEIF: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"})
_SMALLEST_SIDE: Final = 1


class MediaFile(NamedTuple):
    """A file as it is stored; only a picture is ever shown, everything else is a download."""

    content: bytes
    media_type: str
    suffix: str


def kept_media(kind: MessageKind, content: bytes) -> MediaFile:
    """Return the file of a message as it is kept.

    A picture loses where it was taken. Raises `ProviderError` for a picture that is none.
    """
    if not content:
        raise ProviderError(EMPTY_FILE, for_good=True)
    if kind in _PICTURES:
        return _picture(content)
    if content.startswith(_PDF_START):
        return MediaFile(content, PDF, "pdf")
    if _is_picture(content):
        # One that is sent as a file tells where it was taken just the same.
        return _picture(content)
    return MediaFile(content, UNKNOWN, "bin")


def _picture(content: bytes) -> MediaFile:
    try:
        made = plain_picture(content, smallest_side=_SMALLEST_SIDE)
    except Refused as refusal:
        raise ProviderError(NO_PICTURE, for_good=True) from refusal
    return MediaFile(made, PICTURE, "webp")


def _is_picture(content: bytes) -> bool:
    """Whether a file begins as the pictures do that can be made anew."""
    return (
        content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n"))
        or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
        or (content[4:8] == b"ftyp" and content[8:12] in _HEIF)
    )


_SUFFIXES = {PICTURE: "webp", PDF: "pdf"}


class MessageFile(NamedTuple):
    """A stored file: its key, what it is, and the name it is handed out under.

    Only a picture may be shown in a page; everything else is handed out as a download.
    """

    key: str
    media_type: str
    name: str

    @property
    def is_picture(self) -> bool:
        """Whether it was made anew as a picture, and is harmless to show."""
        return self.media_type == PICTURE


def message_file(session: Session, message_id: str) -> MessageFile:
    """Return the file of a message; raise `NotFound` without one, also where it was taken back."""
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
