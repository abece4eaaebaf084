"""Adds the headers of the program's own making to an answer, cheaply where it matters."""

from collections.abc import Iterable

from werkzeug.datastructures import Headers

Pairs = Iterable[tuple[str, str]]


class OwnHeaders(Headers):
    """Headers that come from this program alone, so no value is searched for a line break.

    Eleven such searches an answer cost as much as the whole view of an unchanged poll.
    """

    def add_own(self, pairs: Pairs) -> None:
        """Add them at the end."""
        self._list.extend(pairs)


def add_own(headers: Headers, pairs: Pairs) -> None:
    """Add headers that nobody else has set, and whose values no client chose freely."""
    if isinstance(headers, OwnHeaders):
        headers.add_own(pairs)
    else:
        headers.extend(pairs)
