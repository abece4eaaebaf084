"""Merging two conversations of one person."""

from sqlalchemy import (
    update,
)

from pms.channels.messages import note_failures
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.inbox.conversations import lock_conversations
from pms.inbox.models import Conversation, ConversationHandle, GuestMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import ConversationState


def merge_conversations(
    work: Work, *, conversation_id: str, into_id: str, expected_version: int | None = None
) -> None:
    """Move the messages and handles of one conversation into another, which stays open.

    Other data of the target stays; missing values are filled in from the merged one. Raises
    `NotFound`, `Collision` when the version is not the expected one, and `Refused` for two
    different stays.
    """
    if conversation_id == into_id:
        raise Refused("conversation: this is the same conversation.")
    wanted = [id_ for id_ in (conversation_id, into_id) if is_id(id_)]
    rows = lock_conversations(work.session, wanted)
    for id_ in (conversation_id, into_id):
        if id_ not in rows:
            raise no_such("conversation", id_)
    row, into = rows[conversation_id], rows[into_id]
    if row.merged_into_id or into.merged_into_id:
        raise Refused(
            "conversation: this was already merged. Open the conversation it was merged into."
        )
    if expected_version is not None and row.version != expected_version:
        raise Collision(
            "version: a colleague changed this conversation in the meantime. Check it again."
        )
    if row.reservation_id and into.reservation_id and row.reservation_id != into.reservation_id:
        raise Refused("conversation: the two belong to different stays. Unlink one of them first.")
    for model in (GuestMessage, ConversationHandle):
        moved = update(model).where(model.conversation_id == row.id)
        work.session.execute(moved.values(conversation_id=into.id))
    # Conversations merged into this one earlier now point directly to the target.
    led = update(Conversation).where(Conversation.merged_into_id == row.id)
    work.session.execute(led.values(merged_into_id=into.id))
    _merge_columns(into, row)
    row.merged_into_id, row.state = into.id, ConversationState.DONE
    row.awaits, row.closed_at, row.closed_by = TicketSide.NOBODY, work.clock.now(), work.actor
    row.has_failure, row.version = False, row.version + 1
    note_failures(work.session, into)
    facts = {"name": row.name, "conversation": row.id}
    subject = ("conversation", into.id)
    note_audit_event(work, AuditEvent.CONVERSATIONS_MERGED, subject, after=facts)
    work.session.flush()


def _merge_columns(into: Conversation, row: Conversation) -> None:
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
