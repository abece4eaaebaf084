"""Sent messages: their tries, results and retries."""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.answer_ways import mail_words
from pms.channels.inbox_items import lock_message
from pms.channels.messages import note_failures
from pms.channels.sending import SENDING
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.outbox import ProviderCall, make_call_again, put_call
from pms.foundation.work import Work
from pms.inbox.models import GuestMessage
from pms.providers.authentication import Outgoing
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, InboundState, MessageState


class EventOutcome(NamedTuple):
    """How an event ended, its row, and the reason where a person has to look."""

    state: InboundState
    subject: tuple[str, str] | None = None
    """The kind and id of a row, as in audit events."""
    reason: str | None = None


DONE = EventOutcome(InboundState.DONE)
UNUSED = EventOutcome(InboundState.UNUSED)


TRY: Final = "try"
"""The key of a call's facts with the number of the try."""


class Try(NamedTuple):
    """One try of a message; its mark is sent to WhatsApp, which returns it in every status."""

    message_id: str
    number: int

    @property
    def mark(self) -> str:
        """The mark of the try: message id and number."""
        return f"{self.message_id}/{self.number}"


def current_try(session: Session, message_id: str) -> Try:
    """Return the current try of a message; a status of another try is out of date."""
    call = latest_call(session, message_id)
    return Try(message_id, 1 if call is None else call.facts.get(TRY, 1))


def latest_call(session: Session, message_id: str, *, locked: bool = False) -> ProviderCall | None:
    """Return the latest call that sends a message; with `locked` before its conversation."""
    asked = select(ProviderCall).where(
        ProviderCall.kind == SENDING, ProviderCall.subject_id == message_id
    )
    asked = asked.order_by(ProviderCall.id.desc()).limit(1)
    return session.scalar(asked.with_for_update() if locked else asked)


def message_of_mark(mark: str) -> str | None:
    """Return the message id in a mark; None for any other text."""
    message_id, _, number = mark.partition("/")
    return message_id if is_id(message_id) and number.isdecimal() else None


_WAITS: Final = frozenset({MessageState.WAITING, MessageState.FAILED})


def outgoing(session: Session, message_id: str) -> Outgoing:
    """Return a message to send; raise `NotFound` when it is gone."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None:
        raise no_such("message", message_id)
    last = (
        select(GuestMessage.external_id)
        .where(
            GuestMessage.conversation_id == message.conversation_id,
            GuestMessage.channel == message.channel,
            GuestMessage.handle == message.handle,
            GuestMessage.side == TicketSide.RESIDENT,
        )
        .order_by(GuestMessage.sent_at.desc(), GuestMessage.id.desc())
        .limit(1)
    )
    return Outgoing(
        message.id,
        message.channel,
        message.handle or "",
        message.text,
        message.state in _WAITS,
        session.scalar(last),
        current_try(session, message.id).mark,
    )


def send_again(work: Work, *, message_id: str) -> None:
    """Retry a failed message; raise `Refused` for a message that did not fail.

    An open call is reused, so that a provider that did accept an earlier try recognises it.
    WhatsApp does not recognise it, so its statuses of an earlier try are ignored.
    """
    # The worker locks the call before the conversation; the same order here avoids a deadlock.
    call = latest_call(work.session, message_id, locked=True) if is_id(message_id) else None
    message, row = lock_message(work.session, message_id)
    if message.state is not MessageState.FAILED:
        raise Refused("message: this message did not fail, so it cannot be sent again.")
    message.state, message.failure = MessageState.WAITING, None
    if message.channel is Channel.MAIL:
        message.external_id = mail_words(work.session, work.clock, row, message)
    else:
        _call_again(work.session, work.clock, message.id, call)
        # WhatsApp gives the next try another id.
        message.external_id = None
    facts = {"channel": message.channel, "guest_message": message.id}
    subject = ("conversation", row.id)
    note_audit_event(work, AuditEvent.MESSAGE_SENT_AGAIN, subject, after=facts)
    note_failures(work.session, row)


def _call_again(session: Session, clock: Clock, message_id: str, call: ProviderCall | None) -> None:
    facts = {TRY: current_try(session, message_id).number + 1}
    if call is None or call.done_at is not None:
        put_call(session, clock, kind=SENDING, subject_id=message_id, facts=facts)
        return
    call.facts = {**call.facts, **facts}
    if call.given_up_at is not None:
        make_call_again(session, clock, call.id)
