"""Takes up one event that waits: what it causes and its end are one transaction."""

from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy.orm import Session

from pms.channels.leased_events import event_in_hand
from pms.channels.models import InboundEvent
from pms.channels.outcome import Outcome
from pms.channels.take_esign_event import take_esign_event
from pms.channels.take_line_event import take_line_event
from pms.channels.take_ota_message import take_ota_message
from pms.channels.take_payment_event import take_payment_event
from pms.channels.take_whatsapp_event import take_whatsapp_event
from pms.foundation.clock import Clock
from pms.rules.channel_words import WebhookSource

Taker = Callable[[Session, Clock, InboundEvent], Outcome]

TAKERS: Final[Mapping[WebhookSource, Taker]] = {
    WebhookSource.OTA: take_ota_message,
    WebhookSource.LINE: take_line_event,
    WebhookSource.WHATSAPP: take_whatsapp_event,
    WebhookSource.PAYMENTS: take_payment_event,
    WebhookSource.ESIGN: take_esign_event,
}
"""Who knows what an event of a source means."""
_LONGEST_REASON: Final = 1_000


def take_event(session: Session, clock: Clock, leased: InboundEvent) -> Outcome | None:
    """Do what a leased event asks for and end it; `None` when another worker has it.

    Whatever is raised rolls both back, so an event that ended was taken once.
    """
    event = event_in_hand(session, leased)
    if event is None:
        return None
    outcome = TAKERS[event.source](session, clock, event)
    event.state, event.due_at, event.ended_at = outcome.state, None, clock.now()
    event.failure = outcome.reason and outcome.reason[:_LONGEST_REASON]
    event.subject_kind, event.subject_id = outcome.subject or (None, None)
    session.flush()
    return outcome
