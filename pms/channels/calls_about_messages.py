"""Asks which conversations the calls to providers are about, so that a page leads there."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.ask_line_name import NAMING
from pms.channels.fetch_media import FETCHING
from pms.channels.models import Conversation, GuestMessage
from pms.channels.send_words import SENDING
from pms.channels.take_back_message import FORGETTING
from pms.foundation.waiting_calls import TroubledCall

_OF_MESSAGES: Final = frozenset({SENDING, FETCHING, FORGETTING})


class SaidIn(NamedTuple):
    """Where a call belongs: a conversation, and the message of it that the call is about."""

    conversation_id: str
    message_id: str | None


def places_of_calls(session: Session, calls: Sequence[TroubledCall]) -> Mapping[str, SaidIn]:
    """Return where each call belongs by its id; a call about nothing that was said is left out."""
    message_ids = {call.subject_id for call in calls if call.kind in _OF_MESSAGES}
    asked = select(GuestMessage.id, GuestMessage.conversation_id)
    messages = {
        message_id: SaidIn(conversation_id, message_id)
        for message_id, conversation_id in session.execute(
            asked.where(GuestMessage.id.in_(message_ids))
        )
    }
    named_ids = {call.subject_id for call in calls if call.kind == NAMING}
    known = select(Conversation.id).where(Conversation.id.in_(named_ids))
    conversations = {id_: SaidIn(id_, None) for id_ in session.scalars(known)}
    places = {**messages, **conversations}
    return {call.id: places[call.subject_id] for call in calls if call.subject_id in places}
