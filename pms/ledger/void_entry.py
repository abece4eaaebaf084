"""Voids a ledger entry by an opposite one (specification, Ledger entry)."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.ledger.models import Allocation, LedgerEntry
from pms.ledger.noted_entries import note_entry
from pms.ledger.planned_entries import PlannedEntry
from pms.ledger.posting import post_entries
from pms.ledger.reverse_lines import lines_of_entry, reversed_lines
from pms.ledger.wording import void_label
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind


def void_entry(session: Session, clock: Clock, actor: str, entry_id: str) -> str:
    """Write the opposite entry, whose lines mirror what the entry stands at; return its id.

    The days it billed are free to be billed again; what was paid on it is an overpayment. The
    arrears charges that collect it are voided with it, since their debt is gone (Deposit 2).
    """
    entry = _entry(session, entry_id)
    locked_reservation(session, entry.reservation_id)
    if entry.kind == EntryKind.OPPOSITE:
        raise Refused(
            "Entry {entry_id} itself voids another one and cannot be voided.", entry_id=entry_id
        )
    if session.scalar(select(LedgerEntry.id).where(LedgerEntry.opposes_id == entry_id)):
        raise Refused("Entry {entry_id} is voided already.", entry_id=entry_id)
    if entry.kind == EntryKind.CREDIT and _is_set_off(session, entry_id):
        raise Refused(
            "Entry {entry_id} is a credit that was set off; post a charge to take it back.",
            entry_id=entry_id,
        )
    opposite = PlannedEntry(
        entry.reservation_id,
        EntryKind.OPPOSITE,
        entry.id,
        void_label(Bilingual(entry.label_ja, entry.label_en)),
        clock.today(),
        reversed_lines(lines_of_entry(session, entry_id)),
        (),
    )
    (id_,) = post_entries(session, clock, actor, [opposite], opposes_id=entry_id)
    note_entry(session, clock, actor, Deed.ENTRY_VOIDED, entry_id=entry_id, entry=opposite)
    for charge_id in arrears_charges_of(session, entry_id):
        void_entry(session, clock, actor, charge_id)
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
        raise NotFound("There is no ledger entry '{entry_id}'.", entry_id=entry_id[:60])
    return entry
