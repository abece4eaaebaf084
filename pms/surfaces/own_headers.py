"""Adds the headers of the program's own making to an answer, cheaply where it matters."""

from werkzeug.datastructures import Headers

Pairs = tuple[tuple[str, str], ...]


class OwnHeaders(Headers):
    """Headers that come from this program alone, each set by one place."""


def add_own(headers: Headers, pairs: Pairs) -> None:
    """Add headers that nobody else has set, and whose values no client chose freely.

    So no value is searched for a line break: eleven such searches an answer cost as much as the
    whole view of an unchanged poll.
    """
    headers._list.extend(pairs)
