"""Notes on a message where its file is, or why there is none."""

from sqlalchemy.orm import Session

from pms.channels.kept_media import MediaFile
from pms.channels.messages_in_hand import message_in_hand


def note_media(session: Session, *, message_id: str, key: str, file: MediaFile) -> bool:
    """Name a stored file on its message; `False` when it was taken back or has one already."""
    message, row = message_in_hand(session, message_id)
    if message.taken_back_at is not None or message.media_key is not None:
        return False
    message.media_key, message.media_type, message.media_failure = key, file.media_type, None
    row.version += 1
    return True


def note_no_media(session: Session, *, message_id: str, failure: str) -> None:
    """Tell on a message why its file is not here."""
    message, row = message_in_hand(session, message_id)
    if message.taken_back_at is None and message.media_key is None:
        message.media_failure = failure
        row.version += 1
