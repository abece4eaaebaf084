"""Keeps the events of a delivery as they came, each once however often it is delivered."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, String, bindparam, select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.insert_new import insert_new
from pms.foundation.prepared import Prepared
from pms.rules.channel_words import InboundState, WebhookSource
from pms.rules.provider_events import ProviderEvent


class Kept(NamedTuple):
    """An event that is kept: which row it is, and whether it came for the first time."""

    id: str
    is_new: bool


def keep_events(
    session: Session,
    clock: Clock,
    *,
    source: WebhookSource,
    events: Sequence[ProviderEvent],
    key_id: str | None = None,
) -> list[Kept]:
    """Store what is new of a delivery in one transaction; tell of each event where it is.

    The worker takes them up. The unique key decides who was first, also between processes.
    """
    # Ids in the order of the delivery, which is the order in which they are taken up; written
    # in one order for everybody: two deliveries that share events never wait for each other.
    rows = {event.key: _row(clock, source, event, key_id) for event in events}
    insert_new(session, InboundEvent, [rows[key] for key in sorted(rows)])
    ids = _known(session, source, rows)
    return [Kept(ids[event.key], ids[event.key] == rows[event.key]["id"]) for event in events]


_FIND: Final = Prepared(
    select(InboundEvent.id).where(
        InboundEvent.workspace_id == bindparam("workspace_id"),
        InboundEvent.source == bindparam("source", type_=String),
        InboundEvent.event_key == bindparam("event_key"),
    )
)


def are_known(
    connection: Connection,
    workspace_id: str,
    source: WebhookSource,
    events: Sequence[ProviderEvent],
) -> bool:
    """Tell whether all of it was kept before: most repeats need no lock of those who write."""
    told = {"workspace_id": workspace_id, "source": source.value}
    return all(_FIND.first(connection, **told, event_key=event.key) for event in events)


def _known(session: Session, source: WebhookSource, keys: Iterable[str]) -> Mapping[str, str]:
    asked = select(InboundEvent.event_key, InboundEvent.id).where(
        InboundEvent.source == source, InboundEvent.event_key.in_(list(keys))
    )
    return dict(iter(session.execute(asked)))


def _row(
    clock: Clock, source: WebhookSource, event: ProviderEvent, key_id: str | None
) -> dict[str, Any]:
    return {
        "id": new_id(),
        "source": source,
        "event_key": event.key,
        "kind": event.kind,
        "body": _storable(dict(event.body)),
        "key_id": key_id,
        "occurred_at": event.occurred_at,
        "received_at": clock.now(),
        "state": InboundState.WAITING,
        "due_at": clock.now(),
        "attempts": 0,
    }


def _storable(value: Any) -> Any:
    """The value without what a database refuses inside JSON: NUL is shown as unreadable."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, Mapping):
        return {_storable(name): _storable(one) for name, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value
