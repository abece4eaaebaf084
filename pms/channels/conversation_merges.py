"""Merges two conversations with the same person."""

from sqlalchemy import update
from sqlalchemy.orm import Session

from pms.channels.inbox_reach import InboxReach, locked_conversation
from pms.channels.message_notes import note_failures
from pms.channels.undecided_items import newest_words
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.inbox.conversations import locked_conversations
from pms.inbox.models import Conversation, ConversationHandle, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import ConversationState


def merge_conversations(
    work: Work, *, conversation_id: str, into_id: str, expected_version: int | None = None
) -> None:
    """Move messages and handles of one conversation into another, which goes on alone.

    What is known beside them stays with the one that goes on, and fills what it lacks. Raises
    `NotFound`, `Collision` when it changed meanwhile, and `Refused` for stays of two people.
    """
    row, into = _both(work.session, conversation_id, into_id)
    if expected_version is not None and row.version != expected_version:
        raise Collision(
            "version: a colleague changed this conversation in the meantime: check it again."
        )
    if row.reservation_id and into.reservation_id and row.reservation_id != into.reservation_id:
        raise Refused(
            "conversation: the two are linked to different stays; unlink one of them first."
        )
    for model in (GuestMessage, ConversationHandle):
        moved = update(model).where(model.conversation_id == row.id)
        work.session.execute(moved.values(conversation_id=into.id))
    # What was merged into this one earlier leads straight to where it goes on.
    led = update(Conversation).where(Conversation.merged_into_id == row.id)
    work.session.execute(led.values(merged_into_id=into.id))
    _fill(into, row)
    row.merged_into_id, row.state = into.id, ConversationState.DONE
    row.awaits, row.closed_at, row.closed_by = TicketSide.NOBODY, work.clock.now(), work.actor
    row.has_failure, row.version = False, row.version + 1
    note_failures(work.session, into)
    told = {"name": row.name, "conversation": row.id}
    subject = ("conversation", into.id)
    note_audit_event(work, AuditEvent.CONVERSATIONS_MERGED, subject, after=told)
    work.session.flush()


def _both(
    session: Session, conversation_id: str, into_id: str
) -> tuple[Conversation, Conversation]:
    if conversation_id == into_id:
        raise Refused("conversation: this is the same conversation.")
    wanted = [id_ for id_ in (conversation_id, into_id) if is_id(id_)]
    rows = locked_conversations(session, wanted)
    for id_ in (conversation_id, into_id):
        if id_ not in rows:
            raise no_such("conversation", id_)
    row, into = rows[conversation_id], rows[into_id]
    if row.merged_into_id or into.merged_into_id:
        raise Refused("conversation: it was merged already; look at the one that goes on.")
    return row, into


def _fill(into: Conversation, row: Conversation) -> None:
    if into.reservation_id is None:
        into.reservation_id, into.linked_by = row.reservation_id, row.linked_by
    elif into.reservation_id == row.reservation_id and row.linked_by is None:
        into.linked_by = None
    into.enquiry_id = into.enquiry_id or row.enquiry_id
    into.assignee_id = into.assignee_id or row.assignee_id
    into.started_at = min(into.started_at, row.started_at)
    if row.state is ConversationState.OPEN:
        into.state, into.closed_at, into.closed_by = ConversationState.OPEN, None, None
        if TicketSide.STAFF in (row.awaits, into.awaits):
            into.awaits = TicketSide.STAFF
    is_newer = row.last_message_at > into.last_message_at
    if into.locale_by is None and (row.locale_by or is_newer):
        into.locale, into.locale_by = row.locale, row.locale_by
    if is_newer:
        into.last_message_at, into.last_words = row.last_message_at, row.last_words
        into.channel = row.channel


def reopen_conversation(work: Work, *, conversation_id: str) -> None:
    """Open it again: it is the turn of whoever did not speak last; an open one is left."""
    row = locked_conversation(work.session, conversation_id, InboxReach.everything())
    if row.state == ConversationState.OPEN:
        return
    newest = newest_words(work.session, row)
    is_ours = newest is not None and newest.side == TicketSide.STAFF
    row.state = ConversationState.OPEN
    row.awaits = TicketSide.RESIDENT if is_ours else TicketSide.STAFF
    row.closed_at, row.closed_by, row.reopened_at = None, None, work.clock.now()
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_REOPENED, row)
    work.session.flush()
