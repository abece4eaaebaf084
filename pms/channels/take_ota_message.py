"""Takes up a message that a relay of travel channels passed on."""

from typing import Final

from sqlalchemy.orm import Session

from pms.channels.conversation_of import Handle
from pms.channels.find_conversation import Writer, find_conversation
from pms.channels.keep_message import keep_message, known_message
from pms.channels.models import InboundEvent
from pms.channels.outcome import Outcome
from pms.foundation.clock import Clock
from pms.rules.channel_words import Channel, InboundState, MessageKind
from pms.rules.ota_handles import booking_name, message_name, thread_name
from pms.rules.ota_messages import OtaMessage, kept_ota_message
from pms.rules.told_messages import ToldMessage

ACTOR: Final = "webhook/ota"


def take_ota_message(session: Session, clock: Clock, event: InboundEvent) -> Outcome:
    """Keep the words in the conversation of whoever wrote them; they are kept as they came."""
    told = kept_ota_message(event.body)
    known = known_message(session, Channel.OTA, told.key)
    if known is not None:
        return Outcome(InboundState.DONE, ("conversation", known.conversation_id))
    handles = _handles(told)
    writer = Writer(
        handles=handles,
        name=told.guest_name,
        words=told.text,
        booking_reference=told.booking_reference,
    )
    row = find_conversation(session, clock, writer)
    keep_message(
        session,
        clock,
        row,
        event,
        ToldMessage(MessageKind.TEXT, told.text),
        handle=handles[0],
        external_id=told.key,
        sent_at=told.sent_at,
        booking_reference=told.booking_reference,
        listing=told.listing,
    )
    return Outcome(InboundState.DONE, ("conversation", row.id))


def _handles(told: OtaMessage) -> tuple[Handle, ...]:
    """By what a guest is known: the channel's thread, then the booking, else this message alone."""
    names = []
    if told.conversation_id:
        names.append(thread_name(told.channel, told.conversation_id))
    if told.booking_reference:
        names.append(booking_name(told.channel, told.booking_reference))
    return tuple(
        (Channel.OTA, name) for name in names or [message_name(told.channel, told.message_id)]
    )
