"""Questions about what providers pushed in: the last events of each, and those that wait."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from pms.channels.event_in_question import OPEN
from pms.channels.models import InboundEvent
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.channel_words import InboundState, WebhookSource
from pms.rules.payment_events import PaymentEvent, PaymentTold, payment_told

_COLUMNS: Final = (
    InboundEvent.id,
    InboundEvent.source,
    InboundEvent.kind,
    InboundEvent.state,
    InboundEvent.received_at,
    InboundEvent.attempts,
    InboundEvent.due_at,
    InboundEvent.failure,
    InboundEvent.subject_kind,
    InboundEvent.subject_id,
)


class EventLine(NamedTuple):
    """One event as a list shows it; `failure` is also why it waits for a person."""

    id: str
    source: WebhookSource
    kind: str
    state: InboundState
    received_at: datetime
    attempts: int
    due_at: datetime | None
    failure: str | None
    subject_kind: str | None
    subject_id: str | None


class EventRecord(NamedTuple):
    """One event with everything that is known of it."""

    line: EventLine
    occurred_at: datetime | None
    ended_at: datetime | None
    ended_by: str | None
    body: Mapping[str, Any]
    payment: PaymentTold | None

    @property
    def is_open(self) -> bool:
        """Whether it waits for a person."""
        return self.line.state in OPEN

    @property
    def is_to_place(self) -> bool:
        """Whether it tells of yen that a person can place."""
        paid = self.payment
        is_money = paid is not None and paid.event is PaymentEvent.SUCCEEDED
        return self.is_open and is_money and paid is not None and paid.currency == "jpy"


def last_events(session: Session, source: WebhookSource, most: int = 20) -> Sequence[EventLine]:
    """Return the last events of a source, the newest first."""
    asked = _newest().where(InboundEvent.source == source).limit(most)
    return [EventLine._make(row) for row in session.execute(asked)]


def open_events(session: Session, most: int = 50) -> Sequence[EventLine]:
    """Return the events that wait for a person, the newest first."""
    asked = _newest().where(InboundEvent.state.in_(sorted(OPEN))).limit(most)
    return [EventLine._make(row) for row in session.execute(asked)]


def count_of_open_events(session: Session) -> int:
    """Return how many events wait for a person."""
    asked = select(func.count(InboundEvent.id)).where(InboundEvent.state.in_(sorted(OPEN)))
    return session.scalar(asked) or 0


def last_of_each(session: Session) -> Mapping[WebhookSource, datetime]:
    """Return when something of each source came last."""
    asked = select(InboundEvent.source, func.max(InboundEvent.received_at)).group_by(
        InboundEvent.source
    )
    return dict(iter(session.execute(asked)))


def event_record(session: Session, event_id: str) -> EventRecord:
    """Return one event; raise `NotFound` for an id of nobody here."""
    asked = select(InboundEvent).where(InboundEvent.id == event_id)
    row = session.scalar(asked) if is_id(event_id) else None
    if row is None:
        raise NotFound("There is no inbound event '{event_id}'.", event_id=event_id[:60])
    line = EventLine(*(getattr(row, name) for name in EventLine._fields))
    return EventRecord(
        line, row.occurred_at, row.ended_at, row.ended_by, row.body, _payment(line, row.body)
    )


def _newest() -> Select[*tuple[Any, ...]]:
    return select(*_COLUMNS).order_by(InboundEvent.received_at.desc(), InboundEvent.id.desc())


def _payment(line: EventLine, body: Mapping[str, Any]) -> PaymentTold | None:
    try:
        return payment_told(body) if line.source is WebhookSource.PAYMENTS else None
    except ValueError:
        return None
