"""Checks the file of a message by its content: pictures are made anew, the rest is kept as it is."""

from typing import Final, NamedTuple

from pms.catalogue.photo_sizes import plain_picture
from pms.foundation.errors import Refused
from pms.foundation.provider_http import ProviderError
from pms.rules.channel_words import MessageKind
from pms.rules.message_failures import EMPTY_FILE, NO_PICTURE

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
