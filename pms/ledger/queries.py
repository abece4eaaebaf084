"""Queries of the ledger: billed rows, totals and balances, all computed from its rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.errors import NotFound, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.ledger.entry_histories import entry_histories
from pms.ledger.models import BilledRow, DepositMoveRow, LedgerEntry, LedgerLine, RowExtent
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY
from pms.rules.deposit import DepositBalance, DepositMove, deposit_balance
from pms.rules.enumerations import DepositMoveKind, EntryKind, FeeCategory, RowKind, TaxTreatment
from pms.rules.ledger_entries import EntryBalance, standings_on
from pms.rules.rent_rows import IssuedRow, first_unbilled_on

__all__ = [
    "EntryRecord",
    "LineRecord",
    "deposit_balances",
    "deposit_moves",
    "entries_of",
    "entry_record",
    "first_unbilled_day",
    "issued_rows",
    "standing_of",
    "standings",
]


class LineRecord(NamedTuple):
    """One line as it was posted."""

    id: str
    row_id: str | None
    item: str
    label: Bilingual
    category: FeeCategory
    tax_treatment: TaxTreatment
    is_deposit: bool
    first_on: date | None
    last_on: date | None
    amount_yen: int
    posted_on: date


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """One entry with all its lines; its total is their sum."""

    id: str
    reservation_id: str
    kind: EntryKind
    period: str
    round: int
    label: Bilingual
    issued_on: date
    due_on: date
    arrears_of_id: str | None
    cancelled_yen: int
    opposes_id: str | None
    voided_on: date | None
    lines: tuple[LineRecord, ...]

    @property
    def total_yen(self) -> int:
        """The sum of the lines (specification, Ledger entry)."""
        return sum(line.amount_yen for line in self.lines)

    def until(self, on: date) -> "EntryRecord":
        """Return the entry with its lines posted by the end of a day."""
        lines = tuple(line for line in self.lines if line.posted_on <= on)
        is_voided = self.voided_on is not None and self.voided_on <= on
        return replace(self, lines=lines, voided_on=self.voided_on if is_voided else None)


_MOVES = select(
    DepositMoveRow.reservation_id,
    DepositMoveRow.moved_on,
    DepositMoveRow.kind,
    DepositMoveRow.amount_yen,
).order_by(DepositMoveRow.moved_on, DepositMoveRow.id)


def standings(
    session: Session, reservation_ids: Iterable[str], on: date
) -> Mapping[str, tuple[EntryBalance, ...]]:
    """Return the entries issued by a day with their state at its end, by reservation."""
    histories = entry_histories(session, reservation_ids)
    return {id_: standings_on(entries, on) for id_, entries in histories.items()}


def standing_of(session: Session, reservation_id: str, entry_id: str, on: date) -> EntryBalance:
    """Return the state of one entry of a reservation; raise `NotFound` for an unknown one."""
    known = [reservation_id] if is_id(reservation_id) else []
    for standing in standings(session, known, on).get(reservation_id, ()):
        if standing.id == entry_id:
            return standing
    raise NotFound(
        "Reservation {reservation_id} has no entry '{entry_id}'.",
        reservation_id=reservation_id[:60],
        entry_id=entry_id[:60],
    )


def deposit_moves(
    session: Session, reservation_ids: Iterable[str] | None, on: date
) -> Mapping[str, tuple[DepositMove, ...]]:
    """Return the settlements and moves of held deposits by a day; `None` for all reservations."""
    if reservation_ids is None:
        return asked_once(session, _deposit_moves, None, on)
    ids = tuple(reservation_ids)
    known = asked_once(session, _begin_moves, on)
    missing = tuple(id_ for id_ in ids if id_ not in known)
    if missing:
        found = _deposit_moves(session, missing, on)
        known.update({id_: found.get(id_, ()) for id_ in missing})
    return {id_: known[id_] for id_ in ids if known[id_]}


def _begin_moves(_session: Session, _on: date) -> dict[str, tuple[DepositMove, ...]]:
    """Return the moves known at first: none. A session that writes begins each time."""
    return {}


def _deposit_moves(
    session: Session, reservation_ids: tuple[str, ...] | None, on: date
) -> Mapping[str, tuple[DepositMove, ...]]:
    moves: defaultdict[str, list[DepositMove]] = defaultdict(list)
    asked = _MOVES.where(DepositMoveRow.moved_on <= on)
    if reservation_ids is not None:
        asked = asked.where(one_of(DepositMoveRow.reservation_id, reservation_ids))
    for reservation_id, moved_on, kind, yen in session.execute(asked):
        moves[reservation_id].append(DepositMove(moved_on, DepositMoveKind(kind), yen))
    return {id_: tuple(found) for id_, found in moves.items()}


def deposit_balances(
    session: Session, reservation_ids: Iterable[str], on: date
) -> Mapping[str, DepositBalance]:
    """Return the deposit balances on a day, with four queries (Deposit 2)."""
    ids = list(reservation_ids)
    standing, moves = standings(session, ids, on), deposit_moves(session, ids, on)
    return {id_: deposit_balance(standing.get(id_, ()), moves.get(id_, ()), on) for id_ in ids}


def first_unbilled_day(session: Session, reservation_id: str) -> date | None:
    """Return the first unbilled day, from which a new price applies; `None` if never billed.

    The days billed before a tenancy was taken over count as billed.
    """
    billed = first_unbilled_on(issued_rows(session, [reservation_id]).get(reservation_id, ()))
    before = session.scalar(
        select(Reservation.billed_through_on).where(Reservation.id == reservation_id)
    )
    return billed if before is None else max(billed or date.min, before + ONE_DAY)


def entries_of(session: Session, reservation_id: str) -> tuple[EntryRecord, ...]:
    """Return all entries of a reservation with their lines, in the order of issue."""
    return asked_once(session, _entries_of, reservation_id)


def _entries_of(session: Session, reservation_id: str) -> tuple[EntryRecord, ...]:
    return _read_entries(session, LedgerEntry.reservation_id == reservation_id)


def entry_record(session: Session, entry_id: str) -> EntryRecord:
    """Return one entry with its lines; raise `NotFound` for an unknown id."""
    found = _read_entries(session, LedgerEntry.id == entry_id) if is_id(entry_id) else ()
    if not found:
        raise no_such("ledger entry", entry_id)
    return found[0]


def entry_among_all(session: Session, entry_id: str) -> EntryRecord:
    """Return one entry out of all of its reservation, for a page that needs those too."""
    asked = select(LedgerEntry.reservation_id).where(LedgerEntry.id == entry_id)
    reservation_id = session.scalar(asked) if is_id(entry_id) else None
    if reservation_id is None:
        raise no_such("ledger entry", entry_id)
    return next(each for each in entries_of(session, reservation_id) if each.id == entry_id)


_Opposite = aliased(LedgerEntry)


def _read_entries(session: Session, which: ColumnElement[bool]) -> tuple[EntryRecord, ...]:
    rows = session.execute(
        select(LedgerEntry, _Opposite.issued_on)
        .outerjoin(_Opposite, refers_to(_Opposite.opposes_id, LedgerEntry))
        .where(which)
    ).all()
    entry_ids = [entry.id for entry, _ in rows]
    lines: defaultdict[str, list[LineRecord]] = defaultdict(list)
    for line in session.scalars(
        select(LedgerLine)
        .where(one_of(LedgerLine.entry_id, entry_ids))
        .order_by(LedgerLine.posted_on, LedgerLine.id)
    ):
        lines[line.entry_id].append(
            LineRecord(
                line.id,
                line.row_id,
                line.item,
                Bilingual(line.label_ja, line.label_en),
                FeeCategory(line.category),
                TaxTreatment(line.tax_treatment),
                line.is_deposit,
                line.first_on,
                line.last_on,
                line.amount_yen,
                line.posted_on,
            )
        )
    found = (_build_record(entry, voided_on, lines[entry.id]) for entry, voided_on in rows)
    # Sorted here: with ORDER BY, SQLite would read every entry by its day.
    return tuple(sorted(found, key=lambda entry: (entry.issued_on, entry.due_on, entry.id)))


def _build_record(
    entry: LedgerEntry, voided_on: date | None, lines: Iterable[LineRecord]
) -> EntryRecord:
    return EntryRecord(
        id=entry.id,
        reservation_id=entry.reservation_id,
        kind=EntryKind(entry.kind),
        period=entry.period,
        round=entry.round,
        label=Bilingual(entry.label_ja, entry.label_en),
        issued_on=entry.issued_on,
        due_on=entry.due_on,
        arrears_of_id=entry.arrears_of_id,
        cancelled_yen=entry.cancelled_yen,
        opposes_id=entry.opposes_id,
        voided_on=voided_on,
        lines=tuple(lines),
    )


class StandingRow(NamedTuple):
    """A billed row with its entry, and how often its extent was written."""

    row_id: str
    entry_id: str
    extents: int
    row: IssuedRow


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
        refers_to(RowExtent.row_id, BilledRow),
        # Every row has an extent, but only with an outer join does SQLite begin with the
        # reservations' rows; else it would walk all rows of the workspace, in their order if one
        # was requested.
        isouter=True,
    )
    .where(~IS_VOIDED)
)
_IN_ORDER = itemgetter(1, 5)  # of the rows' ids and the extents' numbers


def standing_rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[StandingRow, ...]]:
    """Return the rows whose entry is not voided, in the order they were issued.

    A row that an override replaced is left out, because its first day no longer applies.
    """
    found = _read_rows(session, reservation_ids)
    standing = {
        id_: tuple(row for row in rows if not is_replaced(row.row)) for id_, rows in found.items()
    }
    return {id_: rows for id_, rows in standing.items() if rows}


def replaced_rows(session: Session, reservation_id: str) -> tuple[StandingRow, ...]:
    """Return the rows that an override replaced on the invoice, as rows without days."""
    rows = _read_rows(session, [reservation_id]).get(reservation_id, ())
    return tuple(
        row._replace(row=row.row._replace(last_on=None)) for row in rows if is_replaced(row.row)
    )


def is_replaced(row: IssuedRow) -> bool:
    """Whether an override replaced the row: it ends the day before its first day."""
    return row.last_on is not None and row.last_on < row.first_on


def replace_row(row: IssuedRow) -> IssuedRow:
    """Return the row in the form that marks it as replaced in the ledger."""
    return row._replace(last_on=row.first_on - ONE_DAY)


def issued_rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[IssuedRow, ...]]:
    """Return the rows as the rules read them; reservations never billed are left out."""
    found = standing_rows(session, reservation_ids)
    return {id_: tuple(standing.row for standing in rows) for id_, rows in found.items()}


def _read_rows(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, tuple[StandingRow, ...]]:
    return asked_once(session, _asked_rows, tuple(reservation_ids))


def _asked_rows(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, tuple[StandingRow, ...]]:
    rows: defaultdict[str, dict[str, StandingRow]] = defaultdict(dict)
    standing = session.execute(_ROWS.where(one_of(BilledRow.reservation_id, reservation_ids)))
    for row in sorted(standing, key=_IN_ORDER):
        reservation_id, row_id, entry_id, kind, first_on, number, last_on = row
        # The latest extent applies and comes last.
        issued = IssuedRow(RowKind(kind), first_on, last_on)
        rows[reservation_id][row_id] = StandingRow(row_id, entry_id, number, issued)
    return {id_: tuple(found.values()) for id_, found in rows.items()}
