"""Small differences that a bank's fee left open: written off with a reason, and learnt as fees."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.models import BankPlacement, FeeWriteOff
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.ledger.charges import post_charge, post_credit
from pms.ledger.models import Allocation, LedgerEntry
from pms.ledger.queries import standing_of, standings
from pms.reservations.changes import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.open_bills import LARGEST_FEE, USUAL_FEES

_MOST: Final = 200
_LONGEST_REASON: Final = 200
_LABEL: Final = Bilingual("振込手数料の差額", "Transfer fee difference")

_TAKEN_BACK: Final = Bilingual("振込手数料の差額の取消", "Transfer fee difference taken back")


class SmallDifference(NamedTuple):
    """What a placed transfer came short of a bill by no more than a bank's fee."""

    transfer_id: str
    reservation_id: str
    entry_id: str
    name: str
    label: Bilingual
    yen: int


def known_fees(session: Session) -> Collection[int]:
    """Return the fees a transfer may come short by: the usual ones, and those written off before."""
    learnt = session.scalars(
        select(FeeWriteOff.yen).where(FeeWriteOff.undone_at.is_(None)).distinct()
    )
    return (*USUAL_FEES, *(yen for yen in learnt if yen not in USUAL_FEES))


def small_differences(session: Session, today: date) -> Sequence[SmallDifference]:
    """Return the bills of the transfers placed last that a fee left open."""
    placed = session.execute(
        select(BankPlacement.transfer_id, Allocation.entry_id, BankPlacement.reservation_id)
        .join(
            Allocation,
            (Allocation.workspace_id == BankPlacement.workspace_id)
            & (Allocation.payment_id == BankPlacement.payment_id),
        )
        .where(BankPlacement.taken_off_at.is_(None))
        .order_by(BankPlacement.id.desc())
        .limit(_MOST)
    ).all()
    open_yen = {
        one.id: one.open_yen
        for found in standings(session, {row[2] for row in placed}, today).values()
        for one in found
        if not one.is_voided and one.paid_yen > 0 and 0 < one.open_yen <= LARGEST_FEE
    }
    small = {
        entry_id: (transfer_id, of) for transfer_id, entry_id, of in placed if entry_id in open_yen
    }
    rows = session.execute(
        select(LedgerEntry.id, LedgerEntry.label_ja, LedgerEntry.label_en, Reservation.name)
        .join(
            Reservation,
            (Reservation.workspace_id == LedgerEntry.workspace_id)
            & (Reservation.id == LedgerEntry.reservation_id),
        )
        .where(one_of(LedgerEntry.id, small))
        .order_by(Reservation.name, LedgerEntry.id)
    )
    return [
        SmallDifference(*small[id_], id_, name, Bilingual(ja, en), open_yen[id_])
        for id_, ja, en, name in rows
    ]


def write_fees_off(work: Work, *, entry_ids: Collection[str], reason: str) -> int:
    """Give up the small differences of some bills by credits; return how many there were."""
    reason = reason.strip()
    if not reason or len(reason) > _LONGEST_REASON or not reason.isprintable():
        raise Refused("reason: write one line that says why the difference is given up.")
    found = [
        one
        for one in small_differences(work.session, work.clock.today())
        if one.entry_id in entry_ids
    ]
    if not found:
        raise Refused("entries: choose at least one difference; the others are settled already.")
    lock_reservations(work.session, {one.reservation_id for one in found})
    for one in found:
        now = standing_of(work.session, one.reservation_id, one.entry_id, work.clock.today())
        if now.open_yen == one.yen:
            _write_off(work, one, reason)
    work.session.flush()
    return len(found)


def _write_off(work: Work, one: SmallDifference, reason: str) -> None:
    credit_id = post_credit(
        work,
        reservation_id=one.reservation_id,
        amount_yen=one.yen,
        label=_LABEL,
        entry_id=one.entry_id,
    )
    work.session.add(
        FeeWriteOff(
            id=new_id(),
            transfer_id=one.transfer_id,
            entry_id=one.entry_id,
            credit_id=credit_id,
            yen=one.yen,
            reason=reason,
            written_at=work.clock.now(),
            written_by=work.actor,
        )
    )
    told = {"amount_yen": one.yen, "entry_id": one.entry_id, "note": reason}
    about = ("bank_transfer", one.transfer_id)
    note_audit_event(work, AuditEvent.FEE_WRITTEN_OFF, about, after=told)


def undo_write_offs(work: Work, transfer_id: str) -> None:
    """Charge again what was given up of a transfer's fees: it was taken off its bills."""
    rows = work.session.execute(
        select(FeeWriteOff, LedgerEntry.reservation_id)
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == FeeWriteOff.workspace_id)
            & (LedgerEntry.id == FeeWriteOff.entry_id),
        )
        .where(FeeWriteOff.transfer_id == transfer_id, FeeWriteOff.undone_at.is_(None))
        .order_by(FeeWriteOff.id)
    ).all()
    for row, reservation_id in rows:
        # A credit that was set off stays; an equal charge takes it back.
        post_charge(work, reservation_id=reservation_id, amount_yen=row.yen, label=_TAKEN_BACK)
        row.undone_at = work.clock.now()
