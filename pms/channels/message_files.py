"""Pictures and files of messages."""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.photo_sizes import plain_picture
from pms.foundation.errors import Refused, TooMany, no_such
from pms.foundation.ids import is_id
from pms.foundation.provider_http import ProviderError
from pms.inbox.models import GuestMessage
from pms.rules.message_words import (
    EMPTY_FILE,
    NO_PICTURE,
    MessageKind,
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
    is_picture = (
        content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n"))
        or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
        or (content[4:8] == b"ftyp" and content[8:12] in _HEIF)
    )
    if is_picture:
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
