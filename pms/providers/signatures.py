"""HMACs over the bytes of a delivery, compared in constant time."""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

TOLERANCE: Final = timedelta(seconds=300)
"""How far the provider's clock and ours may be apart, where a signature names its instant."""


MOST_SIGNATURES: Final = 20


class Delivery(NamedTuple):
    """What came: headers by their lower-case names, the bytes, and the instant they came."""

    headers: Mapping[str, str]
    body: bytes
    at: datetime


def hmacs_of(signed: bytes, secrets: Iterable[str]) -> list[bytes]:
    """Return the HMAC-SHA256 of the bytes with each secret."""
    return [hmac.new(secret.encode(), signed, hashlib.sha256).digest() for secret in secrets]


def hmacs_in_base64(signed: bytes, secrets: Iterable[str]) -> list[str]:
    """Return the same as base64."""
    return [b64encode(made).decode() for made in hmacs_of(signed, secrets)]


def is_one_of(found: Iterable[str], wanted: Iterable[str]) -> bool:
    """Tell whether one of the signatures is one of those wanted; each pair is compared to its end."""
    wanted = list(wanted)
    compared = [
        hmac.compare_digest(one.encode(), other.encode()) for one in found for other in wanted
    ]
    return any(compared)
