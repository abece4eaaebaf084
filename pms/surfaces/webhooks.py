"""What providers and channels send: their addresses, each with its authentication."""

import json
from collections.abc import Callable, Mapping, Sequence
from hmac import compare_digest
from typing import Any, Final, NamedTuple

import msgspec
from flask import Blueprint, Flask, Response, g, request

from pms.channels import kept_events
from pms.channels.kept_events import are_known, keep_events
from pms.foundation.errors import Refused, ScopeLacking, Unauthenticated
from pms.providers.authentication import Delivery
from pms.providers.esign import is_signed_document, split_envelope
from pms.providers.line import is_signed_line, split_line
from pms.providers.ota import UnreadableMessage, read_ota_message
from pms.providers.payment_news import split_payment
from pms.providers.payments import is_signed_payment
from pms.providers.whatsapp import is_signed_whatsapp, split_whatsapp
from pms.rules.enumerations import Scope
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.rules.provider_json import ProviderEvent
from pms.surfaces import cookie_sessions
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import ask_across_workspaces, clock, database
from pms.workspaces import webhook_addresses
from pms.workspaces.webhook_addresses import Addressed, SecretsOf

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/webhooks")
cookie_sessions.exempt_from_tokens(blueprint)


class Provider(NamedTuple):
    """Whether a delivery is signed with one of the secrets, and how it is split into events.

    Every secret is compared with every signature in constant time, so that the time of an answer
    reveals neither their number nor how close a guess was.
    """

    is_signed: Callable[[Delivery, Sequence[str]], bool]
    split: Callable[[Mapping[str, Any]], list[ProviderEvent]]


PROVIDERS: Final[Mapping[WebhookSource, Provider]] = {
    WebhookSource.LINE: Provider(is_signed_line, split_line),
    WebhookSource.WHATSAPP: Provider(is_signed_whatsapp, split_whatsapp),
    WebhookSource.PAYMENTS: Provider(is_signed_payment, split_payment),
    WebhookSource.ESIGN: Provider(is_signed_document, split_envelope),
}


def answer(facts: Mapping[str, object]) -> Response:
    """Answer with JSON."""
    response = Response(msgspec.json.encode(facts), mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


_DEEPEST: Final = 32
_decode = msgspec.json.Decoder().decode


def json_object(body: bytes, *, is_strict: bool = False) -> dict[str, Any]:
    """Return the object of a body; raise `Refused` for anything else (400).

    `is_strict` also refuses duplicate names in an object, as our own contract requires.
    """
    try:
        value = _decode(body)
        if is_strict:
            json.loads(body, object_pairs_hook=_refuse_repeated_names)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as unreadable:
        raise Refused("body: this is not valid JSON.") from unreadable
    if not isinstance(value, dict):
        raise Refused("body: send one JSON object.")
    if not _is_shallow(value):
        raise Refused(
            "body: the JSON is nested too deeply; at most {most} levels are possible.",
            most=_DEEPEST,
        )
    return value


def _refuse_repeated_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for node in level
            for inner in (node.values() if isinstance(node, dict) else node)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def verify_delivery(source: WebhookSource, slug: str) -> bytes:
    """Return the bytes of a delivery signed with one of the workspace's secrets.

    Raises `Unauthenticated`, with the same message and after the same work, for a wrong signature,
    a missing one and an unknown workspace.
    """
    body = request.get_data(cache=True)
    headers = {name.lower(): value for name, value in request.headers.items()}
    found = _addressed_event(slug, SecretsOf(source))
    delivery = Delivery(headers, body, clock().now())
    if not PROVIDERS[source].is_signed(delivery, found.secrets):
        raise Unauthenticated("The signature does not match.")
    g.workspace_id = found.workspace_id
    return body


def is_known_handshake(source: WebhookSource, slug: str, token: str) -> bool:
    """Whether the token of a provider's handshake is one of those the workspace set."""
    known = _addressed_event(slug, SecretsOf(source, SecretPurpose.HANDSHAKE)).secrets
    matches = [compare_digest(secret.encode(), token.encode()) for secret in known]
    return any(matches)


def _addressed_event(slug: str, wanted: SecretsOf) -> Addressed:
    signer = database().signer
    return ask_across_workspaces(
        lambda connection: webhook_addresses.find_address(connection, clock(), signer, slug, wanted)
    )


@blueprint.post("/line/<workspace>", endpoint="line", merge_slashes=False)
def take_line(workspace: str) -> Response:
    """Take a delivery of LINE for an official account."""
    return _take_delivery(WebhookSource.LINE, workspace)


@blueprint.post("/whatsapp/<workspace>", endpoint="whatsapp", merge_slashes=False)
def take_whatsapp(workspace: str) -> Response:
    """Take a delivery of WhatsApp for a business number."""
    return _take_delivery(WebhookSource.WHATSAPP, workspace)


@blueprint.post("/payments/<workspace>", endpoint="payments", merge_slashes=False)
def take_payments(workspace: str) -> Response:
    """Take a delivery of a payment provider."""
    return _take_delivery(WebhookSource.PAYMENTS, workspace)


@blueprint.post("/esign/<workspace>", endpoint="esign", merge_slashes=False)
def take_esign(workspace: str) -> Response:
    """Take a delivery of a signature provider."""
    return _take_delivery(WebhookSource.ESIGN, workspace)


def _take_delivery(source: WebhookSource, workspace: str) -> Response:
    events = _read_events(source, verify_delivery(source, workspace))
    if events and not _are_known(source, events):
        database().write(
            g.workspace_id,
            lambda session: keep_events(session, clock(), source=source, events=events),
        )
    return answer({"ok": True})


def _read_events(source: WebhookSource, body: bytes) -> list[ProviderEvent]:
    body_object = json_object(body)
    try:
        return PROVIDERS[source].split(body_object)
    except ValueError as unreadable:
        raise Refused("{reason}", reason=str(unreadable)) from unreadable


def _are_known(source: WebhookSource, events: list[ProviderEvent]) -> bool:
    """Whether all of the events were stored before."""
    workspace_id: str = g.workspace_id
    return ask_across_workspaces(
        lambda connection: are_known(connection, workspace_id, source, events)
    )


@blueprint.post("/ota-messages", endpoint="ota_messages", merge_slashes=False)
def take_ota_messages() -> Response:
    """Store a message; answer with its id and whether it was known."""
    key = known_key()
    if Scope.OTA_INGEST not in key.scopes:
        raise ScopeLacking("This key lacks the scope {scope}.", scope=Scope.OTA_INGEST.value)
    event = _read_message(request.get_data(cache=True))
    (kept,) = database().write(
        key.workspace_id,
        lambda session: kept_events.keep_events(
            session, clock(), source=WebhookSource.OTA, events=[event], key_id=key.id
        ),
    )
    return answer({"ok": True, "id": kept.id, "duplicate": not kept.is_new})


def _read_message(body: bytes) -> ProviderEvent:
    try:
        return read_ota_message(json_object(body, is_strict=True)).event()
    except UnreadableMessage as unreadable:
        raise Refused("{reason}", reason=str(unreadable)) from unreadable


_LONGEST: Final = 200


@blueprint.get("/whatsapp/<workspace>", endpoint="whatsapp_handshake", merge_slashes=False)
def shake_hands_with_whatsapp(workspace: str) -> Response:
    """Return the challenge as plain text if the token is known; else 403."""
    asked, token = request.args, request.args.get("hub.verify_token", "")
    challenge = asked.get("hub.challenge", "")
    is_known = is_known_handshake(WebhookSource.WHATSAPP, workspace, token)
    is_asked = asked.get("hub.mode") == "subscribe" and 0 < len(challenge) <= _LONGEST
    if not is_known or not is_asked or not challenge.isprintable():
        raise ScopeLacking("hub.verify_token: this is not the token of this address.")
    response = Response(challenge, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response


def install(app: Flask) -> None:
    """Register the webhooks."""
    app.register_blueprint(blueprint)
