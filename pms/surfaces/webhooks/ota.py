"""Takes messages of guests that a relay of travel channels passes on; it carries a key."""

from flask import Response, request

from pms.channels.keep_events import keep_events
from pms.foundation.errors import Refused
from pms.rules.channel_words import WebhookSource
from pms.rules.enumerations import Scope
from pms.rules.ota_messages import UnreadableMessage, read_ota_message
from pms.rules.provider_events import ProviderEvent
from pms.surfaces.request_scope import clock, database
from pms.surfaces.webhooks.answers import answer
from pms.surfaces.webhooks.bodies import json_object
from pms.surfaces.webhooks.gate import key_with


def take() -> Response:
    """Keep a message and say under which id, and whether it was known."""
    key = key_with(Scope.OTA_INGEST)
    event = _message(request.get_data(cache=True))
    (kept,) = database().write(
        key.workspace_id,
        lambda session: keep_events(
            session, clock(), source=WebhookSource.OTA, events=[event], key_id=key.id
        ),
    )
    return answer({"ok": True, "id": kept.id, "duplicate": not kept.is_new})


def _message(body: bytes) -> ProviderEvent:
    try:
        return read_ota_message(json_object(body, is_strict=True)).event()
    except UnreadableMessage as unreadable:
        raise Refused("{reason}", reason=str(unreadable)) from unreadable
