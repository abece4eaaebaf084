"""Payments: returning and reversing them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.phrases import Phrase
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.models import Allocation, DepositMoveRow, LedgerEntry, Payment, PaymentReturn
from pms.ledger.overpayments import bring_back, list_moves_of_overpayments
from pms.ledger.posting import Row, write_rows
from pms.ledger.queries import deposit_balances, standings
from pms.pricing.agreed_price import check_yen
from pms.reservations.locks import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import DepositMoveKind, ReturnKind
from pms.rules.payments import AllocatedPart, ReturnProblem, distribute_yen, refusal_of_return


def reservation_of_payment(session: Session, payment_id: str) -> str:
    """Return the reservation of a payment; raise `NotFound` for an unknown id."""
    found = None
    if is_id(payment_id):
        found = session.scalar(select(Payment.reservation_id).where(Payment.id == payment_id))
    if found is None:
        raise no_such("payment", payment_id)
    return found


_LONGEST_REASON: Final = 500


class _Reached(NamedTuple):
    """A payment's yen on one entry; the first in the list is taken off first."""

    entry_id: str
    yen: int


def return_payment(
    work: Work,
    *,
    payment_id: str,
    amount_yen: int,
    reference: str,
    returned_on: date | None = None,
    note: str | None = None,
) -> str | None:
    """Record a return and take its yen off the payment's entries; return its id.

    The overpaid part is taken first, then the entry the payment went to last: that much is owed
    again. A reference that was recorded before changes nothing and returns `None`. The payment
    status is unchanged: it covers only a refund of the deposit.
    """
    check_yen(Phrase("amount"), amount_yen, 1)
    payment = lock_payment(work.session, payment_id)
    if is_known_return(work.session, reference):
        return None
    refuse_counted(work.session, payment)
    on = returned_on or work.clock.today()
    reached = _find_reached_entries(work.session, payment_id)
    _refuse_return(payment, amount_yen, sum(entry.yen for entry in reached), on, work.clock.today())
    found = standings(work.session, [payment.reservation_id], work.clock.today())
    overpaid = {entry.id: entry.overpaid_yen for entry in found.get(payment.reservation_id, ())}
    too_much = [(part.entry_id, min(part.yen, overpaid.get(part.entry_id, 0))) for part in reached]
    rest = [(id_, part.yen - yen_) for part, (id_, yen_) in zip(reached, too_much, strict=True)]
    parts = distribute_yen([*too_much, *rest], amount_yen).allocations
    facts = {"payment_id": payment_id, "amount_yen": amount_yen, "reference": reference}
    if note is not None:
        facts["note"] = note
    opposite = {"reference": reference, "returned_on": on, "note": note}
    return_id = _write_return(work, payment, parts, **opposite)
    about = of_reservation(payment.reservation_id)
    note_audit_event(work, AuditEvent.PAYMENT_RETURNED, about, after=facts)
    work.session.flush()
    return return_id


def reverse_payment(work: Work, *, payment_id: str, reason: str) -> str:
    """Reverse a wrong payment as of today, by an opposite row; return its id.

    All its remaining allocations are taken off: what it paid is owed again. Its reference can be
    recorded once more. The payment status is unchanged, as it never goes back.
    """
    reason = check_reason(reason)
    payment = lock_payment(work.session, payment_id)
    reversal = reversal_of(work.session, payment_id)
    if reversal is not None:
        raise Refused("payment: it was already reversed on {day}.", day=reversal.returned_on)
    refuse_counted(work.session, payment)
    reached = _find_reached_entries(work.session, payment_id)
    if not reached:
        raise Refused("payment: all of it was refunded, so there is nothing to reverse.")
    parts = [AllocatedPart(*entry) for entry in reached]
    left_yen = sum(part.yen for part in parts)
    _refuse_return(payment, left_yen, left_yen, work.clock.today(), work.clock.today())
    opposite = {
        "kind": ReturnKind.REVERSED,
        "reference": _reference_of_reversal(payment_id),
        "returned_on": work.clock.today(),
        "note": reason,
    }
    return_id = _write_return(work, payment, parts, **opposite)
    facts = {
        "payment_id": payment_id,
        "amount_yen": left_yen,
        "received_on": payment.received_on,
        "reference": payment.reference,
        "note": reason,
    }
    about = of_reservation(payment.reservation_id)
    note_audit_event(work, AuditEvent.PAYMENT_REVERSED, about, after=facts)
    work.session.flush()
    return return_id


def returned_yen(session: Session, payment_id: str) -> int:
    """Return how much of a payment was returned or reversed, in whole yen."""
    asked = select(func.sum(PaymentReturn.taken_yen)).where(PaymentReturn.payment_id == payment_id)
    return int(session.scalar(asked) or 0)


def reversal_of(session: Session, payment_id: str) -> PaymentReturn | None:
    """Return the opposite row of a reversed payment, or `None`."""
    reference = _reference_of_reversal(payment_id)
    return session.scalar(select(PaymentReturn).where(PaymentReturn.reference == reference))


def check_reason(reason: str | None) -> str:
    """Return the reason stored with a return or reversal; raise `Refused` for an empty one."""
    text = (reason or "").strip()
    if not text or len(text) > _LONGEST_REASON or not text.isprintable():
        raise Refused(
            "reason: enter the reason in one line of at most {most_characters} characters.",
            most_characters=_LONGEST_REASON,
        )
    return text


def _reference_of_reversal(payment_id: str) -> str:
    # One reference per payment: the unique key allows one reversal, also of concurrent tries.
    return f"reversal/{payment_id}"


def lock_payment(session: Session, payment_id: str) -> Payment:
    """Return the payment, with its reservation and those its overpayment moved to locked."""
    reservation_id = reservation_of_payment(session, payment_id)
    locked: set[str] = set()
    while not locked >= (whose := {reservation_id, *_moved_to(session, reservation_id)}):
        # A transfer made while the lock was waited for adds a reservation to lock.
        lock_reservations(session, whose)
        locked |= whose
    return session.scalars(select(Payment).where(Payment.id == payment_id)).one()


def _moved_to(session: Session, reservation_id: str) -> set[str]:
    return {moved.reservation_id for moved in list_moves_of_overpayments(session, reservation_id)}


def is_known_return(session: Session, reference: str) -> bool:
    """Whether an opposite row of a payment has this reference."""
    known = select(PaymentReturn.id).where(PaymentReturn.reference == reference)
    return session.scalar(known) is not None


def refuse_counted(session: Session, payment: Payment) -> None:
    """Refuse a payment that a settlement includes: it would be taken off twice."""
    settled_on = _settled_since(session, payment.reservation_id, payment.written_at)
    if settled_on is not None:
        raise Refused(
            "payment: it is part of the settlement of {settled_on}. Correct it with a charge "
            "or a payment, and send an overpayment back as a refund of the deposit.",
            settled_on=settled_on,
        )


def _settled_since(session: Session, reservation_id: str, since: datetime) -> date | None:
    """Return the day of a settlement posted since an instant, if there was one."""
    moved = select(func.max(DepositMoveRow.moved_on)).where(
        DepositMoveRow.reservation_id == reservation_id,
        DepositMoveRow.kind == DepositMoveKind.SETTLED,
        DepositMoveRow.written_at >= since,
    )
    netted = (
        select(func.max(Allocation.allocated_on))
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(
            LedgerEntry.reservation_id == reservation_id,
            Allocation.settlement_id.is_not(None),
            Allocation.written_at >= since,
        )
    )
    return session.scalar(moved) or session.scalar(netted)


def _refuse_return(
    payment: Payment, yen: int, left_yen: int, returned_on: date, today: date
) -> None:
    problem = refusal_of_return(yen, left_yen, returned_on, payment.received_on, today)
    if problem in (ReturnProblem.BEFORE_PAYMENT, ReturnProblem.AFTER_TODAY):
        raise Refused(
            "returnedOn: {day} is not possible. Choose a day from the payment on {received_on} "
            "to today, {today}.",
            day=returned_on,
            received_on=payment.received_on,
            today=today,
        )
    if problem is not None:
        raise Refused(
            "amount: {left} of {amount} exceed what this payment paid on bills.",
            left=str(yen - left_yen),
            amount=str(yen),
        )


def _find_reached_entries(session: Session, payment_id: str) -> list[_Reached]:
    asked = (
        select(Allocation.entry_id, func.sum(Allocation.amount_yen))
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(Allocation.payment_id == payment_id)
        .group_by(Allocation.entry_id, LedgerEntry.due_on)
        .having(func.sum(Allocation.amount_yen) > 0)
        .order_by(LedgerEntry.due_on.desc(), Allocation.entry_id.desc())
    )
    return [_Reached(entry_id, int(yen)) for entry_id, yen in session.execute(asked)]


def _write_return(
    work: Work, payment: Payment, parts: Sequence[AllocatedPart], **noted: Any
) -> str:
    """Insert the opposite row of a payment, and take its parts off their entries.

    What a transfer moved on is brought back first, and is owed again where it went.
    """
    # Bring moved overpayments back as far as the parts need; refuse when they are used up.
    id_, today = payment.reservation_id, work.clock.today()
    found = {entry.id: entry for entry in standings(work.session, [id_], today).get(id_, ())}
    short = {part.entry_id: part.yen - found[part.entry_id].paid_yen for part in parts}
    collected_yen = sum(
        found[part.entry_id].collected_yen
        - replace(
            found[part.entry_id], paid_yen=max(found[part.entry_id].paid_yen - part.yen, 0)
        ).collected_yen
        for part in parts
    )
    held_yen = deposit_balances(work.session, [id_], today)[id_].held_yen
    if collected_yen > max(held_yen, 0):
        raise Refused(
            "payment: the deposit it paid has moved to another reservation. Correct it there "
            "with a charge or a payment."
        )
    for entry_id, yen in short.items():
        if yen > 0:
            _bring_back_to(work.session, work.clock, payment, entry_id, yen)
    row = PaymentReturn(
        id=new_id(),
        payment_id=payment.id,
        reservation_id=payment.reservation_id,
        amount_yen=sum(part.yen for part in parts),
        written_at=work.clock.now(),
        written_by=work.actor,
        **noted,
    )
    work.session.add(row)
    work.session.flush()
    write_rows(
        work.session,
        Allocation,
        [allocation_row(work.clock, row, part.entry_id, -part.yen) for part in parts],
    )
    return row.id


def _bring_back_to(
    session: Session, clock: Clock, payment: Payment, entry_id: str, yen: int
) -> None:
    taken = [
        moved
        for moved in list_moves_of_overpayments(session, payment.reservation_id)
        if moved.from_id == entry_id
    ]
    settled = (_settled_since(session, moved.reservation_id, payment.written_at) for moved in taken)
    if any(settled) or bring_back(session, clock, taken, yen) < yen:
        raise Refused(
            "payment: its overpayment moved to another reservation, which has since been "
            "settled or moved on. Correct it there with a charge or a payment."
        )


def allocation_row(clock: Clock, opposite: PaymentReturn, entry_id: str, yen: int) -> Row:
    """Return the allocation of an opposite row to an entry; negative yen are taken off it."""
    return {
        "entry_id": entry_id,
        "payment_id": opposite.payment_id,
        "settlement_id": None,
        "return_id": opposite.id,
        "amount_yen": yen,
        "allocated_on": opposite.returned_on,
        "written_at": clock.now(),
    }
