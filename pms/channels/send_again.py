"""Has a message of ours sent once more that did not arrive."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.message_mail import mail_words
from pms.channels.messages_in_hand import message_in_hand
from pms.channels.note_message import note_failures
from pms.channels.send_words import SENDING
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.provider_calls import ProviderCall, put_call
from pms.foundation.waiting_calls import make_call_again
from pms.rules.channel_words import Channel, MessageState
from pms.rules.deeds import Deed


def send_again(session: Session, clock: Clock, actor: str, *, message_id: str) -> None:
    """Let a failed message wait for the worker again; raise `Refused` for one that did not fail.

    The same call is made, so that a provider which took an earlier try after all knows it again.
    """
    message, row = message_in_hand(session, message_id)
    if message.state is not MessageState.FAILED:
        raise Refused("message: this message did not fail, so it is not sent again.")
    message.state, message.failure = MessageState.WAITING, None
    if message.channel is Channel.MAIL:
        message.external_id = mail_words(session, clock, row, message)
    else:
        _call_again(session, clock, message.id)
        # What WhatsApp called the one that failed is not what it will call the next one.
        message.external_id = None
    told = {"channel": message.channel, "guest_message": message.id}
    subject = ("conversation", row.id)
    note_deed(session, clock, actor, Deed.MESSAGE_SENT_AGAIN, subject, after=told)
    note_failures(session, row)


def _call_again(session: Session, clock: Clock, message_id: str) -> None:
    asked = select(ProviderCall).where(
        ProviderCall.kind == SENDING, ProviderCall.subject_id == message_id
    )
    call = session.scalars(asked.order_by(ProviderCall.id.desc()).limit(1)).first()
    if call is not None and call.given_up_at is not None:
        make_call_again(session, clock, call.id)
    elif call is None or call.done_at is not None:
        put_call(session, clock, kind=SENDING, subject_id=message_id)
