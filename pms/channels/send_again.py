"""Has a message of ours sent once more that did not arrive."""

from sqlalchemy.orm import Session

from pms.channels.message_mail import mail_words
from pms.channels.messages_in_hand import message_in_hand
from pms.channels.note_message import note_failures
from pms.channels.send_words import SENDING
from pms.channels.sending_tries import TRY, current_try, latest_call
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.provider_calls import ProviderCall, put_call
from pms.foundation.waiting_calls import make_call_again
from pms.rules.channel_words import Channel, MessageState
from pms.rules.deeds import Deed


def send_again(session: Session, clock: Clock, actor: str, *, message_id: str) -> None:
    """Let a failed message wait for the worker again; raise `Refused` for one that did not fail.

    The same call is made, so that a provider which took an earlier try after all knows it again.
    WhatsApp never does: what it tells of an earlier try no longer counts.
    """
    # The worker locks the call before the conversation, so this does as well.
    call = latest_call(session, message_id, locked=True) if is_id(message_id) else None
    message, row = message_in_hand(session, message_id)
    if message.state is not MessageState.FAILED:
        raise Refused("message: this message did not fail, so it is not sent again.")
    message.state, message.failure = MessageState.WAITING, None
    if message.channel is Channel.MAIL:
        message.external_id = mail_words(session, clock, row, message)
    else:
        _call_again(session, clock, message.id, call)
        # What WhatsApp called the one that failed is not what it will call the next one.
        message.external_id = None
    told = {"channel": message.channel, "guest_message": message.id}
    subject = ("conversation", row.id)
    note_deed(session, clock, actor, Deed.MESSAGE_SENT_AGAIN, subject, after=told)
    note_failures(session, row)


def _call_again(session: Session, clock: Clock, message_id: str, call: ProviderCall | None) -> None:
    facts = {TRY: current_try(session, message_id).number + 1}
    if call is None or call.done_at is not None:
        put_call(session, clock, kind=SENDING, subject_id=message_id, facts=facts)
        return
    call.facts = {**call.facts, **facts}
    if call.given_up_at is not None:
        make_call_again(session, clock, call.id)
