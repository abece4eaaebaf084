"""What a delivery of a provider is taken apart into: single events, each with a name of its own."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


class ProviderEvent(NamedTuple):
    """One event: `key` is the same however often and in whatever delivery it comes.

    `body` holds all that is needed to take it up later; `occurred_at` is the provider's instant.
    """

    key: str
    kind: str
    body: Mapping[str, Any]
    occurred_at: datetime | None = None
