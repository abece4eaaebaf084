"""The ways money arrives, and how a page names them."""

from collections.abc import Mapping
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

METHODS: Final[Mapping[str, LazyString]] = {
    "bank_transfer": worded("payment", "Bank transfer"),
    "direct_debit": worded("payment", "Direct debit"),
    "online": worded("payment", "Online"),
    "card": worded("payment", "Card"),
    "convenience_store": worded("payment", "Convenience store"),
    "cash": worded("payment", "Cash"),
}

# Not to be chosen: what arrived before a tenancy was taken over.
_OPENING: Final = worded("payment", "Taken over")


def method_words(method: str) -> str:
    """Return the words of a way; one that a file or a command named stands as it was named."""
    words = _OPENING if method == "opening" else METHODS.get(method)
    return method if words is None else str(words)
