"""Posts planned entries, rows and lines to the ledger, a table at a time however many there are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.db import Base
from pms.foundation.ids import new_id
from pms.ledger.models import BilledRow, LedgerEntry, LedgerLine, RowExtent
from pms.ledger.planned_entries import PlannedEntry, PlannedLine, PlannedRow
from pms.rules.enumerations import FeeCategory

Row = dict[str, Any]
Rounds = Mapping[tuple[str, str, str], int]


def post_entries(
    session: Session, clock: Clock, actor: str, planned: Sequence[PlannedEntry], **given: Any
) -> list[str]:
    """Write the entries with their rows and lines; return their ids in the order of the plan.

    An entry of a period that was billed before is its next round. `given` are further columns
    of the entries.
    """
    if not planned:
        return []
    session.flush()
    on, rounds = clock.today(), _rounds(session, planned)
    stamp = {"issued_on": on, "written_at": clock.now(), "written_by": actor}
    rest = {**_NO_OTHER, **stamp, **given}
    ids = ids_in_order(len(planned))
    entries = [_entry(id_, entry, rounds, rest) for id_, entry in zip(ids, planned, strict=True)]
    row_ids = iter(ids_in_order(sum(len(entry.rows) for entry in planned)))
    rows: list[Row] = []
    extents: list[Row] = []
    lines: list[Row] = []
    for entry, written in zip(planned, entries, strict=True):
        lines.extend(line_rows(written["id"], None, entry.lines, on))
        for row in entry.rows:
            rows.append(_billed_row(next(row_ids), entry.reservation_id, written["id"], row))
            extents.append(extent_row(rows[-1]["id"], 1, row.row.last_on, on))
            lines.extend(line_rows(written["id"], rows[-1]["id"], row.lines, on))
    write_rows(session, LedgerEntry, entries)
    write_rows(session, BilledRow, rows)
    write_rows(session, RowExtent, extents)
    write_rows(session, LedgerLine, lines)
    return ids


def add_row(
    session: Session, clock: Clock, reservation_id: str, entry_id: str, row: PlannedRow
) -> str:
    """Add a billed row to an entry that is already issued; return its id."""
    written = _billed_row(new_id(), reservation_id, entry_id, row)
    write_rows(session, BilledRow, [written])
    write_rows(session, RowExtent, [extent_row(written["id"], 1, row.row.last_on, clock.today())])
    lines = list(line_rows(entry_id, written["id"], row.lines, clock.today()))
    write_rows(session, LedgerLine, lines)
    return str(written["id"])


def write_rows(session: Session, model: type[Base], rows: Sequence[Row]) -> None:
    """Insert rows that hold a value for every column, past all that objects would cost.

    Rows without an id get one; their ids are in the order of the rows, which readers rely on.
    """
    if rows:
        if "id" not in rows[0]:
            for row, id_ in zip(rows, ids_in_order(len(rows)), strict=True):
                row["id"] = id_
        session.execute(insert(model), list(rows), execution_options={"dml_strategy": "raw"})


def ids_in_order(count: int) -> list[str]:
    """Return new ids that sort as they are given out, also within one millisecond."""
    return sorted(new_id() for _ in range(count))


def extent_row(row_id: str, number: int, last_on: date | None, on: date) -> Row:
    """How far a billed row reaches from its n-th writing on."""
    return {"row_id": row_id, "number": number, "last_on": last_on, "set_on": on}


def line_rows(
    entry_id: str, row_id: str | None, lines: Iterable[PlannedLine], on: date
) -> Iterator[Row]:
    """The lines of an entry, or of one of its rows, posted on a day."""
    for item, words, first_on, last_on, yen in lines:
        yield {
            "entry_id": entry_id,
            "row_id": row_id,
            "item": item,
            "label_ja": words.label_ja,
            "label_en": words.label_en,
            "category": words.category,
            "tax_treatment": words.tax_treatment,
            "is_deposit": words.category == FeeCategory.DEPOSIT,
            "first_on": first_on,
            "last_on": last_on,
            "amount_yen": yen,
            "posted_on": on,
        }


_NO_OTHER: Mapping[str, Any] = {"arrears_of_id": None, "cancelled_yen": 0, "opposes_id": None}


def _entry(id_: str, entry: PlannedEntry, rounds: Rounds, rest: Row) -> Row:
    return {
        "id": id_,
        "reservation_id": entry.reservation_id,
        "kind": entry.kind,
        "period": entry.period,
        "round": rounds.get((entry.reservation_id, entry.kind, entry.period), 0) + 1,
        "label_ja": entry.label.ja,
        "label_en": entry.label.en,
        "due_on": entry.due_on,
        **rest,
    }


def _billed_row(id_: str, reservation_id: str, entry_id: str, row: PlannedRow) -> Row:
    return {
        "id": id_,
        "entry_id": entry_id,
        "reservation_id": reservation_id,
        "kind": row.row.kind,
        "first_on": row.row.first_on,
    }


def _rounds(session: Session, planned: Sequence[PlannedEntry]) -> Rounds:
    found = session.execute(
        select(
            LedgerEntry.reservation_id,
            LedgerEntry.kind,
            LedgerEntry.period,
            func.max(LedgerEntry.round),
        )
        .where(
            LedgerEntry.reservation_id.in_({entry.reservation_id for entry in planned}),
            LedgerEntry.period.in_({entry.period for entry in planned}),
        )
        .group_by(LedgerEntry.reservation_id, LedgerEntry.kind, LedgerEntry.period)
    )
    return {(id_, kind, period): number for id_, kind, period, number in found}
