"""Provider events: leasing, retrying and listing them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.audit import Subject, note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work, find_row, lease_due
from pms.providers.payment_news import MONEY_RECEIVED, PaymentNews, read_payment_event
from pms.rules.audit_events import AuditEvent
from pms.rules.message_words import InboundState, WebhookSource

OPEN: Final = frozenset({InboundState.UNMATCHED, InboundState.FAILED})
"""The states in which an event waits for a person."""


def event_in_question(
    session: Session, event_id: str, states: Collection[InboundState] = OPEN
) -> InboundEvent:
    """Return the locked row; raise `NotFound`, or `Collision` when it was decided meanwhile."""
    asked = select(InboundEvent).where(InboundEvent.id == event_id).with_for_update()
    event = session.scalar(asked) if is_id(event_id) else None
    if event is None:
        raise no_such("notification", event_id)
    if event.state not in states:
        raise Collision("This was already decided in the meantime. Check it again.")
    return event


def of_event(event: InboundEvent) -> Subject:
    """Return an event as the subject of an audit event."""
    return ("inbound_event", event.id)


def try_event_again(work: Work, *, event_id: str) -> None:
    """Retry an event that failed, was unmatched or was set aside."""
    event = event_in_question(work.session, event_id, OPEN | {InboundState.SET_ASIDE})
    was = {"state": event.state.value}
    event.state, event.due_at, event.attempts = InboundState.WAITING, work.clock.now(), 0
    event.ended_at = event.ended_by = None
    audit_event, after = AuditEvent.INBOUND_EVENT_TRIED_AGAIN, {"state": event.state.value}
    note_audit_event(work, audit_event, of_event(event), before=was, after=after)
    work.session.flush()


def set_event_aside(work: Work, *, event_id: str) -> None:
    """Close an event without any effect."""
    event = event_in_question(work.session, event_id)
    was = {"state": event.state.value}
    event.state, event.ended_at, event.ended_by = (
        InboundState.SET_ASIDE,
        work.clock.now(),
        work.actor,
    )
    audit_event, after = AuditEvent.INBOUND_EVENT_SET_ASIDE, {"state": event.state.value}
    note_audit_event(work, audit_event, of_event(event), before=was, after=after)
    work.session.flush()


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
    """One event of a list; `failure` is also the reason why it waits for a person."""

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
    """One event with all its data."""

    line: EventLine
    occurred_at: datetime | None
    ended_at: datetime | None
    ended_by: str | None
    body: Mapping[str, Any]
    payment: PaymentNews | None

    @property
    def is_open(self) -> bool:
        """Whether it waits for a person."""
        return self.line.state in OPEN

    @property
    def is_to_place(self) -> bool:
        """Whether it is about money that a person can place."""
        paid = self.payment
        is_money = paid is not None and paid.event in MONEY_RECEIVED
        return self.is_open and is_money and paid is not None and paid.currency == "jpy"


def last_events(session: Session, source: WebhookSource, most: int = 20) -> Sequence[EventLine]:
    """Return the last events of a source, the newest first."""
    asked = _select_newest().where(InboundEvent.source == source).limit(most)
    return [EventLine._make(row) for row in session.execute(asked)]


def open_events(session: Session, most: int = 50) -> Sequence[EventLine]:
    """Return the events that wait for a person, the newest first."""
    asked = _select_newest().where(InboundEvent.state.in_(sorted(OPEN))).limit(most)
    return [EventLine._make(row) for row in session.execute(asked)]


def last_of_each(session: Session) -> Mapping[WebhookSource, datetime]:
    """Return when the last event of each source was received."""
    asked = select(InboundEvent.source, func.max(InboundEvent.received_at)).group_by(
        InboundEvent.source
    )
    return dict(iter(session.execute(asked)))


def event_record(session: Session, event_id: str) -> EventRecord:
    """Return one event; raise `NotFound` for an unknown id."""
    row = find_row(session, InboundEvent, event_id)
    line = EventLine(*(getattr(row, name) for name in EventLine._fields))
    return EventRecord(
        line, row.occurred_at, row.ended_at, row.ended_by, row.body, _read_payment(line, row.body)
    )


def _select_newest() -> Select[*tuple[Any, ...]]:
    return select(*_COLUMNS).order_by(InboundEvent.received_at.desc(), InboundEvent.id.desc())


def _read_payment(line: EventLine, body: Mapping[str, Any]) -> PaymentNews | None:
    try:
        return read_payment_event(body) if line.source is WebhookSource.PAYMENTS else None
    except ValueError:
        return None


LEASE: Final = timedelta(minutes=2)
MOST_ATTEMPTS: Final = 8
_FIRST_WAIT: Final = timedelta(seconds=15)


def lease_events(session: Session, clock: Clock, most: int) -> list[InboundEvent]:
    """Lease up to `most` due events for this worker; the session spans all workspaces."""
    return lease_due(session, clock, InboundEvent, most, LEASE)


def mark_event_failed(event: InboundEvent, clock: Clock, failure: str) -> None:
    """Record a failed attempt; the retry delay doubles, and the last attempt ends it as failed."""
    event.failure = failure
    if event.attempts >= MOST_ATTEMPTS:
        event.state, event.due_at, event.ended_at = InboundState.FAILED, None, clock.now()
    else:
        event.due_at = clock.now() + _FIRST_WAIT * 2**event.attempts


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
    """Retry unmatched or unused events of some kinds for which `is_about` is true."""
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
