"""HMACs of the bytes of a delivery, compared in constant time."""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

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
