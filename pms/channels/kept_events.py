"""Storing the events of providers, each once."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, String, bindparam, select
from sqlalchemy.orm import Session

from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.foundation.db import insert_new
from pms.foundation.ids import new_id
from pms.foundation.prepared import PreparedStatement
from pms.rules.message_words import InboundState, WebhookSource
from pms.rules.provider_json import ProviderEvent


class Kept(NamedTuple):
    """A stored event: its id, and whether this delivery was its first."""

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
    """Store the new events of a delivery in one transaction; return each event's row id.

    The worker applies them later. The unique key decides which delivery was first, also between
    processes.
    """
    # Ids are in the order of the delivery, in which events are applied. Rows are inserted in key
    # order, so that two deliveries with the same events do not deadlock.
    rows = {
        event.key: {
            "id": new_id(),
            "source": source,
            "event_key": event.key,
            "kind": event.kind,
            "body": _replace_nul(dict(event.body)),
            "key_id": key_id,
            "occurred_at": event.occurred_at,
            "received_at": clock.now(),
            "state": InboundState.WAITING,
            "due_at": clock.now(),
            "attempts": 0,
        }
        for event in events
    }
    insert_new(session, InboundEvent, [rows[key] for key in sorted(rows)])
    asked = select(InboundEvent.event_key, InboundEvent.id).where(
        InboundEvent.source == source, InboundEvent.event_key.in_(list(rows))
    )
    ids = dict(iter(session.execute(asked)))
    return [Kept(ids[event.key], ids[event.key] == rows[event.key]["id"]) for event in events]


_FIND: Final = PreparedStatement(
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
    """Return whether all events are stored already, so that most repeats need no write lock."""
    facts = {"workspace_id": workspace_id, "source": source.value}
    return all(_FIND.first(connection, **facts, event_key=event.key) for event in events)


def _replace_nul(value: Any) -> Any:
    """Return the value without NUL, which JSON columns refuse; it becomes U+FFFD."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    if isinstance(value, Mapping):
        return {_replace_nul(name): _replace_nul(member) for name, member in value.items()}
    return [_replace_nul(member) for member in value] if isinstance(value, list) else value
