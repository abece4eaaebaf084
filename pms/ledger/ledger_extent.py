"""Says how far the ledger of a workspace is written: its rows only ever become more."""

from typing import TypeAlias

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.ledger.models import Allocation, LedgerEntry, LedgerLine

LedgerExtent: TypeAlias = tuple[int, ...]

_TABLES = (LedgerEntry, LedgerLine, Allocation)
_COUNTS = select(*(select(func.count(table.id)).scalar_subquery() for table in _TABLES))


def ledger_extent(session: Session) -> LedgerExtent:
    """Return how many entries, lines and allocations there are, in one question.

    No row is changed or taken away, so two equal extents are the same ledger.
    """
    return tuple(session.execute(_COUNTS).one())
