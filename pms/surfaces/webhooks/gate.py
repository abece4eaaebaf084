"""The gate of the webhooks: a signature by a secret of the workspace, or a key with its scope."""

from functools import partial
from hmac import compare_digest
from typing import Final

from flask import g, request

from pms.access.find_key import KnownKey, find_key
from pms.foundation.errors import ScopeLacking, Unauthenticated
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.rules.enumerations import Scope
from pms.rules.webhook_signatures import Delivery, is_signed
from pms.surfaces.limits import spend
from pms.surfaces.request_scope import ask_across_workspaces, clock, database
from pms.workspaces.webhook_secrets import Addressed, SecretsOf, addressed

_SCHEME: Final = "bearer "


def verified(source: WebhookSource, slug: str) -> bytes:
    """Return the bytes of a delivery that a secret of the workspace signed.

    Raises `Unauthenticated` in the same words after the same work for a wrong signature, none at
    all and a workspace that does not exist.
    """
    body = request.get_data(cache=True)
    headers = {name.lower(): value for name, value in request.headers.items()}
    found = _addressed(slug, SecretsOf(source))
    if not is_signed(source, Delivery(headers, body, clock().now()), found.secrets):
        raise Unauthenticated("The signature does not fit.")
    g.workspace_id = found.workspace_id
    return body


def is_known_handshake(source: WebhookSource, slug: str, token: str) -> bool:
    """Tell whether a provider that introduces itself has the token it was given."""
    known = _addressed(slug, SecretsOf(source, SecretPurpose.HANDSHAKE)).secrets
    met = [compare_digest(one.encode(), token.encode()) for one in known]
    return any(met)


def key_with(scope: Scope) -> KnownKey:
    """Return the key of the request, counted against its budget; raise why it may not ask."""
    key = ask_across_workspaces(partial(find_key, presented=_bearer()))
    if key is None:
        raise Unauthenticated("Authorization: this key is not known here.")
    g.workspace_id = key.workspace_id
    spend(key.id, key.budget_per_hour)
    if scope not in key.scopes:
        raise ScopeLacking("This key lacks the scope {scope}.", scope=scope.value)
    return key


def _bearer() -> str:
    given = request.headers.get("Authorization", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        raise Unauthenticated("Authorization: 'Bearer <key>' is missing.")
    return given[len(_SCHEME) :].strip()


def _addressed(slug: str, wanted: SecretsOf) -> Addressed:
    sealer = database().sealer
    return ask_across_workspaces(
        lambda connection: addressed(connection, clock(), sealer, slug, wanted)
    )
