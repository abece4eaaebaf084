"""Bank fees that a payer deducted, and writing them off."""

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
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate_both
from pms.foundation.versions import asked_once
from pms.foundation.work import Work
from pms.ledger.charges import post_charge, post_credit
from pms.ledger.debts import unsettled_standings_of
from pms.ledger.models import Allocation, LedgerEntry
from pms.ledger.queries import standing_of
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.open_bills import LARGEST_FEE, USUAL_FEES

_MOST: Final = 200
_LONGEST_REASON: Final = 200
_LABEL: Final = translate_both("Transfer fee difference")
_TAKEN_BACK: Final = translate_both("Transfer fee difference taken back")


class SmallDifference(NamedTuple):
    """The part of a bill that a placed transfer left open, at most a bank fee."""

    transfer_id: str
    reservation_id: str
    entry_id: str
    name: str
    label: Bilingual
    yen: int


def known_fees(session: Session) -> Collection[int]:
    """Return the usual bank fees, and those written off before."""
    return asked_once(session, _read_fees)


def _read_fees(session: Session) -> Collection[int]:
    learnt = session.scalars(
        select(FeeWriteOff.yen).where(FeeWriteOff.undone_at.is_(None)).distinct()
    )
    return (*USUAL_FEES, *(yen for yen in learnt if yen not in USUAL_FEES))


_LAST_PLACED: Final = (
    select(BankPlacement.transfer_id, Allocation.entry_id, BankPlacement.reservation_id)
    .join(
        Allocation,
        (Allocation.workspace_id == BankPlacement.workspace_id)
        & (Allocation.payment_id == BankPlacement.payment_id),
    )
    .where(BankPlacement.taken_off_at.is_(None))
    .order_by(BankPlacement.id.desc())
    .limit(_MOST)
)


def small_differences(session: Session, today: date) -> Sequence[SmallDifference]:
    """Return the bills of the last placed transfers that lack no more than a bank fee."""
    placed = session.execute(_LAST_PLACED).all()
    open_yen = {
        bill.id: bill.open_yen
        for found in unsettled_standings_of(session, today, {row[2] for row in placed}).values()
        for bill in found
        if not bill.is_voided and bill.paid_yen > 0 and 0 < bill.open_yen <= LARGEST_FEE
    }
    small = {
        entry_id: (transfer_id, of) for transfer_id, entry_id, of in placed if entry_id in open_yen
    }
    if not small:
        return ()
    rows = session.execute(
        select(LedgerEntry.id, LedgerEntry.label_ja, LedgerEntry.label_en, Reservation.name)
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .where(one_of(LedgerEntry.id, small))
        .order_by(Reservation.name, LedgerEntry.id)
    )
    return [
        SmallDifference(*small[id_], id_, name, Bilingual(ja, en), open_yen[id_])
        for id_, ja, en, name in rows
    ]


def write_fees_off(work: Work, *, entry_ids: Collection[str], reason: str) -> int:
    """Write off the small differences of some bills by credits; return how many were found."""
    reason = reason.strip()
    if not reason or len(reason) > _LONGEST_REASON or not reason.isprintable():
        raise Refused("reason: enter in one line why the difference is written off.")
    found = [
        difference
        for difference in small_differences(work.session, work.clock.today())
        if difference.entry_id in entry_ids
    ]
    if not found:
        raise Refused("entries: choose at least one difference. The others are already settled.")
    lock_reservations(work.session, {difference.reservation_id for difference in found})
    for difference in found:
        now = standing_of(
            work.session, difference.reservation_id, difference.entry_id, work.clock.today()
        )
        if now.open_yen == difference.yen:
            _write_off(work, difference, reason)
    work.session.flush()
    return len(found)


def _write_off(work: Work, difference: SmallDifference, reason: str) -> None:
    credit_id = post_credit(
        work,
        reservation_id=difference.reservation_id,
        amount_yen=difference.yen,
        label=_LABEL,
        entry_id=difference.entry_id,
    )
    work.session.add(
        FeeWriteOff(
            id=new_id(),
            transfer_id=difference.transfer_id,
            entry_id=difference.entry_id,
            credit_id=credit_id,
            yen=difference.yen,
            reason=reason,
            written_at=work.clock.now(),
            written_by=work.actor,
        )
    )
    facts = {"amount_yen": difference.yen, "entry_id": difference.entry_id, "note": reason}
    about = ("bank_transfer", difference.transfer_id)
    note_audit_event(work, AuditEvent.FEE_WRITTEN_OFF, about, after=facts)


def undo_write_offs(work: Work, transfer_id: str) -> None:
    """Charge the written-off fees of a transfer again, because it was taken off its bills."""
    rows = work.session.execute(
        select(FeeWriteOff, LedgerEntry.reservation_id)
        .join(LedgerEntry, refers_to(FeeWriteOff.entry_id, LedgerEntry))
        .where(FeeWriteOff.transfer_id == transfer_id, FeeWriteOff.undone_at.is_(None))
        .order_by(FeeWriteOff.id)
    ).all()
    for row, reservation_id in rows:
        # A credit that was already set off stays; a charge of the same amount balances it.
        post_charge(work, reservation_id=reservation_id, amount_yen=row.yen, label=_TAKEN_BACK)
        row.undone_at = work.clock.now()
