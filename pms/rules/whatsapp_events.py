"""Takes a delivery of WhatsApp apart into messages, statuses and the rest (Inbound webhooks)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pms.rules.provider_events import ProviderEvent
from pms.rules.provider_json import (
    fingerprint,
    instant_of,
    kind_of,
    name_within,
    objects_within,
    storable,
    within,
)

MESSAGE: Final = "message"
STATUS: Final = "status"
_FIELD: Final = "messages"


def split_whatsapp(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return what a delivery tells, each once: messages, statuses of ours, and other changes.

    A message is known by its id, a status by the id of the message with the status, so that sent
    and delivered are two. Raises `ValueError` for a body that has no list of entries.
    """
    entries = body.get("entry")
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ValueError("entry: a list of objects is wanted")
    split = (
        event
        for entry in storable(entries)
        for change in objects_within(entry, "changes")
        for event in _events(entry, change)
    )
    return list({event.key: event for event in split}.values())


def _events(entry: Mapping[str, Any], change: Mapping[str, Any]) -> Iterator[ProviderEvent]:
    messages = objects_within(change, "value", "messages")
    statuses = objects_within(change, "value", "statuses")
    if change.get("field") != _FIELD or not (messages or statuses):
        yield _other(entry, change)
        return
    numbers = within(change, "value", "metadata")
    contacts = objects_within(change, "value", "contacts")
    for message in messages:
        key = name_within(message, "id") or fingerprint(message)
        body = {"message": message, "contact": _contact(message, contacts), "metadata": numbers}
        yield ProviderEvent(
            key,
            kind_of(MESSAGE, name_within(message, "type")),
            body,
            instant_of(message.get("timestamp")),
        )
    for status in statuses:
        step = name_within(status, "status")
        key = name_within(status, "id") or fingerprint(status)
        yield ProviderEvent(
            f"{key}:{step or 'unknown'}",
            kind_of(STATUS, step),
            {"status": status, "metadata": numbers},
            instant_of(status.get("timestamp")),
        )


def _other(entry: Mapping[str, Any], change: Mapping[str, Any]) -> ProviderEvent:
    """A change of another kind; it has no name of its own, so what it says is its name."""
    kind = kind_of(name_within(change, "field"))
    told = {"entry": entry.get("id"), "time": entry.get("time"), "change": change}
    return ProviderEvent(f"{kind}:{fingerprint(told)}", kind, told, instant_of(entry.get("time")))


def _contact(
    message: Mapping[str, Any], contacts: list[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """Who wrote a message, among those a delivery names."""
    of_number = name_within(message, "from")
    of_user = name_within(message, "from_user_id")
    for contact in contacts:
        if of_number is not None and name_within(contact, "wa_id") == of_number:
            return contact
        if of_user is not None and name_within(contact, "user_id") == of_user:
            return contact
    return None
