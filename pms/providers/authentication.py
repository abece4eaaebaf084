"""How calls to providers and their deliveries are authenticated, and how JSON is posted to them."""

import hashlib
import hmac
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from pms.foundation.provider_http import ProviderRequest
from pms.rules.message_words import Channel
from pms.rules.provider_json import name_within, objects_within


class Access(NamedTuple):
    """The address and credentials for calling a provider; they never leave the worker."""

    address: str
    account: str | None
    secret: str


class Outgoing(NamedTuple):
    """An outgoing message as the provider needs it."""

    id: str
    channel: Channel
    handle: str
    text: str
    is_wanted: bool
    """Whether it still has to be sent: not if it was sent already."""
    reply_to: str | None
    """The channel's id of the recipient's last message."""
    mark: str
    """The id of this try."""


def first_id(answer: Mapping[str, Any], name: str) -> str | None:
    """Return the id of the first object of a list in an answer."""
    return next((name_within(member, "id") for member in objects_within(answer, name)), None)


def post_request(
    access: Access, url: str, facts: Mapping[str, Any], more: Mapping[str, str] | None = None
) -> ProviderRequest:
    """Return a request that posts JSON; `more` are further headers."""
    headers = {
        "Authorization": f"Bearer {access.secret}",
        "Content-Type": "application/json; charset=utf-8",
        **(more or {}),
    }
    return ProviderRequest("POST", url, headers, json.dumps(facts, ensure_ascii=False).encode())


def bearer_header(access: Access) -> dict[str, str]:
    """Return the header that carries the secret."""
    return {"Authorization": f"Bearer {access.secret}"}


TOLERANCE: Final = timedelta(seconds=300)
"""The allowed difference between the provider's clock and ours, for signatures with an instant."""


MOST_SIGNATURES: Final = 20


class Delivery(NamedTuple):
    """A delivery: headers by lower-case name, the bytes, and the instant of arrival."""

    headers: Mapping[str, str]
    body: bytes
    at: datetime


def hmacs_of(signed: bytes, secrets: Iterable[str]) -> list[bytes]:
    """Return the HMAC-SHA256 of the bytes with each secret."""
    return [hmac.new(secret.encode(), signed, hashlib.sha256).digest() for secret in secrets]


def hmacs_in_base64(signed: bytes, secrets: Iterable[str]) -> list[str]:
    """Return the HMAC-SHA256 of the bytes with each secret, as base64."""
    return [b64encode(made).decode() for made in hmacs_of(signed, secrets)]


def is_one_of(found: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether one of the signatures matches; every pair is compared, in constant time."""
    wanted = list(wanted)
    compared = [
        hmac.compare_digest(signature.encode(), other.encode())
        for signature in found
        for other in wanted
    ]
    return any(compared)
