"""Tells whether a delivery was signed with one of a workspace's secrets, each provider's own way.

What is signed are the bytes as they came. Every secret and every signature is compared to its end,
so that the time an answer takes tells neither how many there are nor how near a guess came.
"""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from pms.rules.message_words import WebhookSource

TOLERANCE: Final = timedelta(seconds=300)
"""How far the provider's clock and ours may be apart, where a signature names its instant."""
_LINE: Final = "x-line-signature"
_WHATSAPP: Final = "x-hub-signature-256"
_PAYMENTS: Final = "stripe-signature"
_ESIGN: Final = "x-docusign-signature-"
_SHA256: Final = "sha256="
_MOST_SIGNATURES: Final = 20
_LONGEST_INSTANT: Final = 12


class Delivery(NamedTuple):
    """What came: headers by their lower-case names, the bytes, and the instant they came."""

    headers: Mapping[str, str]
    body: bytes
    at: datetime


def is_signed(source: WebhookSource, delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Tell whether a delivery carries a signature by one of the secrets (Inbound webhooks)."""
    return _WAYS[source](delivery, secrets)


def _is_signed_line(delivery: Delivery, secrets: Sequence[str]) -> bool:
    return _meets((delivery.headers.get(_LINE, ""),), _in_base64(delivery.body, secrets))


def _is_signed_whatsapp(delivery: Delivery, secrets: Sequence[str]) -> bool:
    wanted = [_SHA256 + made.hex() for made in _made(delivery.body, secrets)]
    return _meets((delivery.headers.get(_WHATSAPP, ""),), wanted)


def _is_signed_payment(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Several `v1` are sent while a secret is being replaced; one that fits is enough."""
    parts = [part.strip().partition("=") for part in _payment_header(delivery).split(",")]
    instants = [value for name, _, value in parts if name == "t"]
    found = [value for name, _, value in parts if name == "v1"][:_MOST_SIGNATURES]
    instant = instants[0] if len(instants) == 1 else ""
    wanted = [made.hex() for made in _made(instant.encode() + b"." + delivery.body, secrets)]
    return _meets(found, wanted) and _is_near(instant, delivery.at)


def _is_signed_document(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Each active key of the provider signs; one that is ours is enough."""
    names = [f"{_ESIGN}{number}" for number in range(1, _MOST_SIGNATURES + 1)]
    found = [delivery.headers.get(name, "") for name in names]
    return _meets(found, _in_base64(delivery.body, secrets))


_WAYS: Final[Mapping[WebhookSource, Callable[[Delivery, Sequence[str]], bool]]] = {
    WebhookSource.LINE: _is_signed_line,
    WebhookSource.WHATSAPP: _is_signed_whatsapp,
    WebhookSource.PAYMENTS: _is_signed_payment,
    WebhookSource.ESIGN: _is_signed_document,
}
SIGNED_SOURCES: Final = frozenset(_WAYS)
"""Who signs; the others carry a key."""


def _payment_header(delivery: Delivery) -> str:
    return delivery.headers.get(_PAYMENTS, "")


def _is_near(instant: str, at: datetime) -> bool:
    if not (instant.isascii() and instant.isdecimal() and len(instant) <= _LONGEST_INSTANT):
        return False
    return abs(int(at.timestamp()) - int(instant)) <= TOLERANCE.total_seconds()


def _made(signed: bytes, secrets: Iterable[str]) -> list[bytes]:
    return [hmac.new(secret.encode(), signed, hashlib.sha256).digest() for secret in secrets]


def _in_base64(signed: bytes, secrets: Iterable[str]) -> list[str]:
    return [b64encode(made).decode() for made in _made(signed, secrets)]


def _meets(found: Iterable[str], wanted: Iterable[str]) -> bool:
    wanted = list(wanted)
    compared = [
        hmac.compare_digest(one.encode(), other.encode()) for one in found for other in wanted
    ]
    return any(compared)
