"""Pages of a list: which part is asked for, and what to say about the whole."""

from typing import NamedTuple


class Paging(NamedTuple):
    """One page of a list, counted from 1, with so many records a page."""

    page: int
    limit: int

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.limit

    def pages(self, total: int) -> int:
        """Return how many pages `total` records fill; none fill none."""
        return -(-total // self.limit)
