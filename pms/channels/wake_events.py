"""Has events taken up again that came before what they are about."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.rules.channel_words import InboundState, WebhookSource

_UNHEARD: Final = (InboundState.UNMATCHED, InboundState.UNUSED)
_MOST: Final = 200


def wake_events(
    session: Session,
    clock: Clock,
    *,
    source: WebhookSource,
    kinds: Collection[str],
    is_about: Callable[[Mapping[str, Any]], bool],
) -> None:
    """Let events of some kinds that meant nothing yet wait for the worker again if they are meant."""
    rows = session.scalars(
        select(InboundEvent)
        .where(
            InboundEvent.source == source,
            InboundEvent.state.in_(_UNHEARD),
            InboundEvent.kind.in_(sorted(kinds)),
        )
        .order_by(InboundEvent.received_at.desc(), InboundEvent.id)
        .limit(_MOST)
    )
    for event in rows:
        if is_about(event.body):
            event.state, event.due_at, event.ended_at = InboundState.WAITING, clock.now(), None
