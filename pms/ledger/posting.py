"""Posting entries to the ledger, and voiding them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import func, insert, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.db import Base
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, find_row, locked
from pms.ledger.models import Allocation, BilledRow, LedgerEntry, LedgerLine, RowExtent
from pms.ledger.planned_entries import ItemWords, PlannedEntry, PlannedLine, PlannedRow, void_label
from pms.ledger.queries import entry_record, standing_of
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from pms.rules.payments import AllocatedPart

Row = dict[str, Any]
Rounds = Mapping[tuple[str, str, str], int]


def post_entries(work: Work, planned: Sequence[PlannedEntry], **given: Any) -> list[str]:
    """Insert the entries with their rows and lines; return their ids in the order of the plan.

    An entry of a period that was billed before is its next round. `given` are further columns of
    the entries.
    """
    if not planned:
        return []
    work.session.flush()
    on = work.clock.today()
    found = work.session.execute(
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
    rounds: dict[tuple[str, str, str], int] = {
        (id_, kind, period): number for id_, kind, period, number in found
    }
    stamp = {"issued_on": on, "written_at": work.clock.now(), "written_by": work.actor}
    rest = {**_NO_OTHER, **stamp, **given}
    ids = ids_in_order(len(planned))
    entries = [
        _build_entry_row(id_, entry, rounds, rest) for id_, entry in zip(ids, planned, strict=True)
    ]
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
    write_rows(work.session, LedgerEntry, entries)
    write_rows(work.session, BilledRow, rows)
    write_rows(work.session, RowExtent, extents)
    write_rows(work.session, LedgerLine, lines)
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
    """Insert rows that have a value for every column, without the cost of ORM objects.

    Rows without an id get one; their ids are in the order of the rows, which readers rely on.
    """
    if rows:
        if "id" not in rows[0]:
            for row, id_ in zip(rows, ids_in_order(len(rows)), strict=True):
                row["id"] = id_
        session.execute(insert(model), list(rows), execution_options={"dml_strategy": "raw"})


def ids_in_order(count: int) -> list[str]:
    """Return new ids that sort in their order, even within one millisecond."""
    return sorted(new_id() for _ in range(count))


def extent_row(row_id: str, number: int, last_on: date | None, on: date) -> Row:
    """Return the extent of a billed row as of its n-th writing."""
    return {"row_id": row_id, "number": number, "last_on": last_on, "set_on": on}


def line_rows(
    entry_id: str, row_id: str | None, lines: Iterable[PlannedLine], on: date
) -> Iterator[Row]:
    """Return the lines of an entry, or of one of its rows, posted on a day."""
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


def _build_entry_row(id_: str, entry: PlannedEntry, rounds: Rounds, rest: Row) -> Row:
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


class _Source(NamedTuple):
    """The remaining yen of one payment, settlement or transfer on an entry."""

    payment_id: str | None
    settlement_id: str | None
    transfer_id: str | None
    yen: int


def paid_on(session: Session, entry_id: str) -> int:
    """Return the total of all payments on an entry, in whole yen."""
    return sum(source.yen for source in _read_sources(session, entry_id))


def move_payments(
    session: Session, clock: Clock, from_id: str, parts: Iterable[AllocatedPart]
) -> None:
    """Insert allocations that move the parts from one entry to the others.

    The latest payment moves first; each allocation keeps its payment.
    """
    sources = _read_sources(session, from_id)
    rows: list[Row] = []
    for entry_id, wanted_yen in parts:
        left_yen = wanted_yen
        while left_yen and sources:
            source = sources.pop()
            yen = min(source.yen, left_yen)
            left_yen -= yen
            rows.append(_build_allocation(clock, from_id, source, -yen))
            rows.append(_build_allocation(clock, entry_id, source, yen))
            if source.yen > yen:
                sources.append(source._replace(yen=source.yen - yen))
    write_rows(session, Allocation, rows)


def _read_sources(session: Session, entry_id: str) -> list[_Source]:
    names = Allocation.payment_id, Allocation.settlement_id, Allocation.transfer_id
    found = session.execute(
        select(*names, func.sum(Allocation.amount_yen))
        .where(Allocation.entry_id == entry_id)
        .group_by(*names)
        .order_by(func.min(Allocation.allocated_on), Allocation.payment_id)
    )
    every = [_Source(*row[:3], int(row[3])) for row in found]
    # The sources less what a transfer took off the entry, latest source first.
    sources = [source for source in every if source.yen > 0]
    drawn_yen = -sum(source.yen for source in every if source.yen < 0)
    while drawn_yen and sources:
        last = sources.pop()
        if last.yen > drawn_yen:
            sources.append(last._replace(yen=last.yen - drawn_yen))
        drawn_yen = max(drawn_yen - last.yen, 0)
    return sources


def _build_allocation(clock: Clock, entry_id: str, source: _Source, yen: int) -> Row:
    return {
        "entry_id": entry_id,
        "payment_id": source.payment_id,
        "settlement_id": source.settlement_id,
        "transfer_id": source.transfer_id,
        "amount_yen": yen,
        "allocated_on": clock.today(),
        "written_at": clock.now(),
    }


def note_entry(work: Work, audit_event: AuditEvent, *, entry_id: str, entry: PlannedEntry) -> None:
    """Record an audit event with the entry's label and what it adds to the resident's debt."""
    facts = {
        "entry_id": entry_id,
        "label_ja": entry.label.ja,
        "label_en": entry.label.en,
        "amount_yen": entry.total_yen,
        "due_on": entry.due_on,
    }
    note_audit_event(work, audit_event, of_reservation(entry.reservation_id), after=facts)


_SAYS = (
    LedgerLine.item,
    LedgerLine.first_on,
    LedgerLine.last_on,
    LedgerLine.label_ja,
    LedgerLine.label_en,
    LedgerLine.category,
    LedgerLine.tax_treatment,
)


def lines_of_rows(
    session: Session, row_ids: Iterable[str]
) -> Mapping[str, tuple[PlannedLine, ...]]:
    """Return the lines of billed rows without those that were reversed."""
    return _standing_lines(session, LedgerLine.row_id, row_ids)


def lines_of_entry(session: Session, entry_id: str) -> tuple[PlannedLine, ...]:
    """Return the lines of an entry and its rows without those that were reversed."""
    return _standing_lines(session, LedgerLine.entry_id, [entry_id]).get(entry_id, ())


def reversed_lines(lines: Iterable[PlannedLine]) -> tuple[PlannedLine, ...]:
    """Return the credits that mirror the lines to the yen (Money 2)."""
    return tuple(line._replace(yen=-line.yen) for line in lines)


def _standing_lines(
    session: Session, column: InstrumentedAttribute[Any], ids: Iterable[str]
) -> Mapping[str, tuple[PlannedLine, ...]]:
    # A reversal mirrors its line, so lines that sum to 0 are reversed.
    found = session.execute(
        select(column, *_SAYS, func.sum(LedgerLine.amount_yen))
        .where(column.in_(list(ids)))
        .group_by(column, *_SAYS)
        .having(func.sum(LedgerLine.amount_yen) != 0)
        .order_by(LedgerLine.first_on, LedgerLine.item)
    )
    lines: defaultdict[str, list[PlannedLine]] = defaultdict(list)
    for owner_id, item, first_on, last_on, label_ja, label_en, category, tax, yen in found:
        words = ItemWords(label_ja, label_en, FeeCategory(category), TaxTreatment(tax))
        lines[owner_id].append(PlannedLine(item, words, first_on, last_on, int(yen)))
    return {id_: tuple(of_owner) for id_, of_owner in lines.items()}


def void_entry(work: Work, entry_id: str) -> str:
    """Insert the opposite entry, whose lines mirror the entry's present ones; return its id.

    The days it billed can be billed again; what was paid on it is an overpayment. The arrears
    charges that collect it are voided with it, since their debt no longer exists (Deposit 2).
    """
    entry = find_row(work.session, LedgerEntry, entry_id)
    locked(work.session, Reservation, entry.reservation_id)
    if entry.kind == EntryKind.OPPOSITE:
        raise Refused(
            "Entry {entry_id} voids another one and cannot be voided itself.", entry_id=entry_id
        )
    if work.session.scalar(select(LedgerEntry.id).where(LedgerEntry.opposes_id == entry_id)):
        raise Refused("Entry {entry_id} is already voided.", entry_id=entry_id)
    if entry.kind == EntryKind.CREDIT and _is_set_off(work.session, entry_id):
        raise Refused(
            "Entry {entry_id} is a credit that was already set off. Post a charge to undo it.",
            entry_id=entry_id,
        )
    opposite = PlannedEntry(
        entry.reservation_id,
        EntryKind.OPPOSITE,
        entry.id,
        void_label(Bilingual(entry.label_ja, entry.label_en)),
        work.clock.today(),
        reversed_lines(lines_of_entry(work.session, entry_id)),
        (),
    )
    (id_,) = post_entries(work, [opposite], opposes_id=entry_id)
    note_entry(work, AuditEvent.ENTRY_VOIDED, entry_id=entry_id, entry=opposite)
    for charge_id in arrears_charges_of(work.session, entry_id):
        void_entry(work, charge_id)
    return id_


def _is_set_off(session: Session, entry_id: str) -> bool:
    yen = select(func.sum(Allocation.amount_yen)).where(Allocation.entry_id == entry_id)
    return bool(session.scalar(yen))


def arrears_charges_of(session: Session, entry_id: str) -> Sequence[str]:
    """Return the arrears charges in force that collect an entry, oldest first."""
    voided = select(LedgerEntry.opposes_id).where(LedgerEntry.opposes_id.is_not(None))
    charges = select(LedgerEntry.id).where(
        LedgerEntry.arrears_of_id == entry_id, LedgerEntry.id.not_in(voided)
    )
    return session.scalars(charges.order_by(LedgerEntry.id)).all()


def void_unpaid_entry(work: Work, entry_id: str) -> str:
    """Void an entry and return the opposite entry's id; raise `Refused` once it is partly paid."""
    entry = entry_record(work.session, entry_id)
    locked(work.session, Reservation, entry.reservation_id)
    standing = standing_of(work.session, entry.reservation_id, entry_id, work.clock.today())
    if standing.paid_yen:
        raise Refused(
            "entry: {paid_yen} yen have been paid on it. A paid bill cannot be changed; "
            "correct it with another one.",
            paid_yen=standing.paid_yen,
        )
    return void_entry(work, entry_id)
