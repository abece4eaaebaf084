"""Has the file of a message fetched once more that could not be had."""

from sqlalchemy.orm import Session

from pms.channels.fetch_media import ask_for_media
from pms.channels.messages_in_hand import message_in_hand
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed


def fetch_again(session: Session, clock: Clock, actor: str, *, message_id: str) -> None:
    """Ask for the file again; raise `Refused` when nothing failed or nothing can be asked for."""
    message, row = message_in_hand(session, message_id)
    if message.media_failure is None or message.media_id is None:
        raise Refused("message: there is no file that could be fetched again.")
    message.media_failure = None
    row.version += 1
    subject, told = ("conversation", row.id), {"guest_message": message.id}
    note_deed(session, clock, actor, Deed.MESSAGE_FILE_ASKED, subject, after=told)
    ask_for_media(session, clock, message)
