"""The billed rows of reservations as they stand in the ledger, many at a time."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from pms.foundation.kept_answers import asked_once
from pms.foundation.prepared import one_of
from pms.ledger.models import BilledRow, LedgerEntry, RowExtent
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import RowKind
from pms.rules.rent_rows import IssuedRow


class StandingRow(NamedTuple):
    """A billed row with its entry, and how often its extent was written."""

    row_id: str
    entry_id: str
    extents: int
    row: IssuedRow


_Opposite = aliased(LedgerEntry)
IS_VOIDED = (
    select(_Opposite.id)
    .where(
        _Opposite.workspace_id == BilledRow.workspace_id,
        _Opposite.opposes_id == BilledRow.entry_id,
    )
    .exists()
)
_ROWS = (
    select(
        BilledRow.reservation_id,
        BilledRow.id,
        BilledRow.entry_id,
        BilledRow.kind,
        BilledRow.first_on,
        RowExtent.number,
        RowExtent.last_on,
    )
    .join(
        RowExtent,
        (RowExtent.workspace_id == BilledRow.workspace_id) & (RowExtent.row_id == BilledRow.id),
        # Every row has an extent, but only so does SQLite begin with the rows of the reservations;
        # it would walk through all rows of the workspace, in their order if one was asked for.
        isouter=True,
    )
    .where(~IS_VOIDED)
)
_IN_ORDER = itemgetter(1, 5)  # of the rows' ids and the extents' numbers


def standing_rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[StandingRow, ...]]:
    """Return the rows whose entry is not voided, in the order they were issued.

    A row that an override replaced is left out, for its first day means nothing any more.
    """
    found = _rows(session, reservation_ids)
    standing = {
        id_: tuple(row for row in rows if not is_replaced(row.row)) for id_, rows in found.items()
    }
    return {id_: rows for id_, rows in standing.items() if rows}


def replaced_rows(session: Session, reservation_id: str) -> tuple[StandingRow, ...]:
    """Return the rows that an override replaced on the invoice, each as one that bills no day."""
    rows = _rows(session, [reservation_id]).get(reservation_id, ())
    return tuple(
        row._replace(row=row.row._replace(last_on=None)) for row in rows if is_replaced(row.row)
    )


def is_replaced(row: IssuedRow) -> bool:
    """Tell whether an override took the row off: it ends on the eve of its first day."""
    return row.last_on is not None and row.last_on < row.first_on


def replaced(row: IssuedRow) -> IssuedRow:
    """Return the row as an override leaves it in the ledger when another takes its place."""
    return row._replace(last_on=row.first_on - ONE_DAY)


def issued_rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[IssuedRow, ...]]:
    """Return what the rules read of the rows; who was billed nothing is left out."""
    found = standing_rows(session, reservation_ids)
    return {id_: tuple(standing.row for standing in rows) for id_, rows in found.items()}


def _rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[StandingRow, ...]]:
    return asked_once(session, _asked_rows, tuple(reservation_ids))


def _asked_rows(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, tuple[StandingRow, ...]]:
    rows: defaultdict[str, dict[str, StandingRow]] = defaultdict(dict)
    told = session.execute(_ROWS.where(one_of(BilledRow.reservation_id, reservation_ids)))
    for row in sorted(told, key=_IN_ORDER):
        reservation_id, row_id, entry_id, kind, first_on, number, last_on = row
        # The latest extent counts and comes last.
        issued = IssuedRow(RowKind(kind), first_on, last_on)
        rows[reservation_id][row_id] = StandingRow(row_id, entry_id, number, issued)
    return {id_: tuple(found.values()) for id_, found in rows.items()}
