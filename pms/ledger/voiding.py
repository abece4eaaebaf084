"""Voiding entries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.posting import post_entries
from pms.ledger.queries import entry_record, standing_of
from pms.ledger.wording import ItemWords, void_label
from pms.reservations.changes import locked_reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment


def note_entry(work: Work, audit_event: AuditEvent, *, entry_id: str, entry: PlannedEntry) -> None:
    """Tell what an entry is called and what it adds to what the resident owes."""
    told = {
        "entry_id": entry_id,
        "label_ja": entry.label.ja,
        "label_en": entry.label.en,
        "amount_yen": entry.total_yen,
        "due_on": entry.due_on,
    }
    note_audit_event(work, audit_event, of_reservation(entry.reservation_id), after=told)


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
    """Return the lines that billed rows stand at: what was reversed is left out."""
    return _standing_lines(session, LedgerLine.row_id, row_ids)


def lines_of_entry(session: Session, entry_id: str) -> tuple[PlannedLine, ...]:
    """Return the lines an entry stands at, those of its rows included."""
    return _standing_lines(session, LedgerLine.entry_id, [entry_id]).get(entry_id, ())


def reversed_lines(lines: Iterable[PlannedLine]) -> tuple[PlannedLine, ...]:
    """Return the credits that mirror the lines to the yen (Money 2)."""
    return tuple(line._replace(yen=-line.yen) for line in lines)


def _standing_lines(
    session: Session, column: InstrumentedAttribute[Any], ids: Iterable[str]
) -> Mapping[str, tuple[PlannedLine, ...]]:
    # A reversal mirrors its line, so that what stands is what does not sum to 0.
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
    """Write the opposite entry, whose lines mirror what the entry stands at; return its id.

    The days it billed are free to be billed again; what was paid on it is an overpayment. The
    arrears charges that collect it are voided with it, since their debt is gone (Deposit 2).
    """
    entry = _entry(work.session, entry_id)
    locked_reservation(work.session, entry.reservation_id)
    if entry.kind == EntryKind.OPPOSITE:
        raise Refused(
            "Entry {entry_id} itself voids another one and cannot be voided.", entry_id=entry_id
        )
    if work.session.scalar(select(LedgerEntry.id).where(LedgerEntry.opposes_id == entry_id)):
        raise Refused("Entry {entry_id} is voided already.", entry_id=entry_id)
    if entry.kind == EntryKind.CREDIT and _is_set_off(work.session, entry_id):
        raise Refused(
            "Entry {entry_id} is a credit that was set off; post a charge to take it back.",
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


def _entry(session: Session, entry_id: str) -> LedgerEntry:
    entry = None
    if is_id(entry_id):
        entry = session.scalar(select(LedgerEntry).where(LedgerEntry.id == entry_id))
    if entry is None:
        raise no_such("ledger entry", entry_id)
    return entry


def void_unpaid_entry(work: Work, entry_id: str) -> str:
    """Write the opposite entry and return its id; raise `Refused` once something was paid."""
    entry = entry_record(work.session, entry_id)
    locked_reservation(work.session, entry.reservation_id)
    standing = standing_of(work.session, entry.reservation_id, entry_id, work.clock.today())
    if standing.paid_yen:
        raise Refused(
            "entry: {paid_yen} yen were paid on it; a paid bill is locked and is corrected by"
            " another one.",
            paid_yen=standing.paid_yen,
        )
    return void_entry(work, entry_id)
