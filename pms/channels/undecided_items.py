"""What came in from outside and waits for a decision: a count and the oldest, by subject."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import (
    select,
)
from sqlalchemy.orm import Session

from pms.channels.conversation_record import conversation_thread
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import known_handles
from pms.channels.messages import MediaFile
from pms.channels.sending import ask_for_media
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.inbox.conversations import conversation_that_goes_on
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import Channel, MessageKind


class MessageInHand(NamedTuple):
    """A message as it stands now, and its conversation."""

    message: GuestMessage
    conversation: Conversation


def locked_message(session: Session, message_id: str) -> MessageInHand:
    """Return a message, its conversation locked; raise `NotFound` for another's id."""
    asked = select(GuestMessage).where(GuestMessage.id == message_id)
    message = session.scalar(asked) if is_id(message_id) else None
    if message is None:
        raise no_such("message", message_id)
    row = conversation_that_goes_on(session, message.conversation_id)
    session.refresh(message)
    return MessageInHand(message, row)


class NewestWords(NamedTuple):
    """Who spoke when."""

    side: TicketSide
    at: datetime
    by: str | None


def newest_words(
    session: Session,
    row: Conversation,
    *,
    side: TicketSide | None = None,
    reach: InboxReach | None = None,
) -> NewestWords | None:
    """Return the newest words among the latest, of one side or of either; steps are no words.

    Words out of somebody's reach are not theirs to have seen.
    """
    handles = known_handles(session, row)
    thread = conversation_thread(session, row.id, handles, reach or InboxReach.everything())
    for line in reversed(thread.lines):
        is_said = line.step is None and line.kind is not MessageKind.REACTION
        if is_said and side in (None, line.side):
            return NewestWords(line.side, line.at, line.by)
    return None


def fetch_again(work: Work, *, message_id: str) -> None:
    """Ask for the file again; raise `Refused` when nothing failed or nothing can be asked for."""
    message, row = locked_message(work.session, message_id)
    if message.media_failure is None or message.media_id is None:
        raise Refused("message: there is no file that could be fetched again.")
    message.media_failure = None
    row.version += 1
    subject, told = ("conversation", row.id), {"guest_message": message.id}
    note_audit_event(work, AuditEvent.MESSAGE_FILE_ASKED, subject, after=told)
    ask_for_media(work.session, work.clock, message)


def note_media(session: Session, *, message_id: str, key: str, file: MediaFile) -> bool:
    """Name a stored file on its message; `False` when it was taken back or has one already."""
    message, row = locked_message(session, message_id)
    if message.taken_back_at is not None or message.media_key is not None:
        return False
    message.media_key, message.media_type, message.media_failure = key, file.media_type, None
    row.version += 1
    return True


def note_no_media(session: Session, *, message_id: str, failure: str) -> None:
    """Tell on a message why its file is not here."""
    message, row = locked_message(session, message_id)
    if message.taken_back_at is None and message.media_key is None:
        message.media_failure = failure
        row.version += 1


_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
}


class WantedMedia(NamedTuple):
    """A file that a provider keeps and that is not here yet."""

    provider: IntegrationKind
    kind: MessageKind
    media_id: str


def wanted_media(session: Session, message_id: str) -> WantedMedia | None:
    """Return the file that is missing; nothing when it is here or was taken back."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None or message.taken_back_at is not None or message.media_key is not None:
        return None
    provider = _PROVIDERS.get(message.channel)
    if provider is None or message.media_id is None:
        return None
    return WantedMedia(provider, message.kind, message.media_id)
