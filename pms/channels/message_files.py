"""Gives the stored file of a message to whoever may see its conversation."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.kept_media import PDF, PICTURE, UNKNOWN
from pms.channels.models import GuestMessage
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id

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
        raise NotFound("There is no file '{message_id}'.", message_id=message_id[:60])
    key, media_type, name = found
    kind = media_type or UNKNOWN
    return MessageFile(key or "", kind, name or f"{message_id}.{_SUFFIXES.get(kind, 'bin')}")
