"""Takes deliveries that carry a signature: checked over their raw bytes, kept, and answered."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response, g

from pms.channels.keep_events import are_known, keep_events
from pms.foundation.errors import Refused
from pms.rules.channel_words import WebhookSource
from pms.rules.esign_events import split_envelope
from pms.rules.line_events import split_line
from pms.rules.payment_events import split_payment
from pms.rules.provider_events import ProviderEvent
from pms.rules.whatsapp_events import split_whatsapp
from pms.surfaces.request_scope import ask_across_workspaces, clock, database
from pms.surfaces.webhooks.answers import answer
from pms.surfaces.webhooks.bodies import json_object
from pms.surfaces.webhooks.gate import verified

Splitter = Callable[[Mapping[str, Any]], list[ProviderEvent]]
_SPLITTERS: Final[Mapping[WebhookSource, Splitter]] = {
    WebhookSource.LINE: split_line,
    WebhookSource.WHATSAPP: split_whatsapp,
    WebhookSource.PAYMENTS: split_payment,
    WebhookSource.ESIGN: split_envelope,
}


def take_line(workspace: str) -> Response:
    """Take what LINE tells of an official account."""
    return _take(WebhookSource.LINE, workspace)


def take_whatsapp(workspace: str) -> Response:
    """Take what WhatsApp tells of a business number."""
    return _take(WebhookSource.WHATSAPP, workspace)


def take_payments(workspace: str) -> Response:
    """Take what a payment provider tells."""
    return _take(WebhookSource.PAYMENTS, workspace)


def take_esign(workspace: str) -> Response:
    """Take what a provider of signatures tells."""
    return _take(WebhookSource.ESIGN, workspace)


def _take(source: WebhookSource, workspace: str) -> Response:
    events = _events(source, verified(source, workspace))
    if events and not _are_known(source, events):
        database().write(
            g.workspace_id,
            lambda session: keep_events(session, clock(), source=source, events=events),
        )
    return answer({"ok": True})


def _events(source: WebhookSource, body: bytes) -> list[ProviderEvent]:
    told = json_object(body)
    try:
        return _SPLITTERS[source](told)
    except ValueError as unreadable:
        raise Refused("{reason}", reason=str(unreadable)) from unreadable


def _are_known(source: WebhookSource, events: list[ProviderEvent]) -> bool:
    """Whether all of it was kept before."""
    workspace_id: str = g.workspace_id
    return ask_across_workspaces(
        lambda connection: are_known(connection, workspace_id, source, events)
    )
