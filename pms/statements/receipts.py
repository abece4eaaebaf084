"""Receipts: their papers, and payments that were returned."""

from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.numbering import lock_series, take_number
from pms.foundation.work import Work, find_row
from pms.ledger.models import Payment
from pms.ledger.payment_plan import restore_payment
from pms.ledger.payments import check_reason, reservation_of_payment, return_payment, returned_yen
from pms.ledger.payments import reverse_payment as reverse_in_ledger
from pms.rules.audit_events import AuditEvent
from pms.statements.invoices import home_of
from pms.statements.models import Receipt, ReceiptCorrection
from pms.statements.paper_parties import parties_of_home

SERIES: Final = "receipt"


def issue_receipt(work: Work, payment_id: str) -> Receipt:
    """Return the receipt of a payment, issued on the first call.

    Raises `NotFound` for an unknown payment, and `Refused` for one that was returned completely.
    """
    payment = find_row(work.session, Payment, payment_id)
    return _find_receipt(work.session, payment_id) or _issue_new_receipt(work, payment)


def _issue_new_receipt(work: Work, payment: Payment) -> Receipt:
    today = work.clock.today()
    lock_series(work.session, SERIES, today)
    issued = _find_receipt(work.session, payment.id)
    if issued is not None:
        return issued
    if returned_yen(work.session, payment.id) >= payment.amount_yen:
        raise Refused(
            "payment: all of it was refunded, so there is nothing to issue a receipt for."
        )
    receipt = Receipt(
        payment_id=payment.id,
        number=f"R{take_number(work.session, SERIES, today)}",
        issued_on=today,
        locale=home_of(work.session, payment.reservation_id).locale,
        parties=parties_of_home(work.session, payment.reservation_id, today).to_json,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(receipt)
    about, facts = of_reservation(payment.reservation_id), {"number": receipt.number}
    note_audit_event(work, AuditEvent.RECEIPT_ISSUED, about, after=facts)
    work.session.flush()
    return receipt


def _find_receipt(session: Session, payment_id: str) -> Receipt | None:
    return session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))


class TakenBack(NamedTuple):
    """The opposite row that was written, and the number of the paper about the receipt, if any."""

    return_id: str
    correction_number: str | None


def reverse_payment(work: Work, *, payment_id: str, reason: str) -> TakenBack:
    """Reverse a wrong payment and void its receipt by a numbered paper (Ledger entry)."""
    return_id = reverse_in_ledger(work, payment_id=payment_id, reason=reason)
    return _with_paper(work, payment_id, return_id)


def send_payment_back(
    work: Work,
    *,
    payment_id: str,
    amount_yen: int,
    reason: str,
    returned_on: date | None = None,
    reference: str | None = None,
) -> TakenBack:
    """Record money that staff returned to the payer, with a paper for its receipt.

    Raises `Collision` for a bank reference that is recorded already.
    """
    sent = send_back_once(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference or f"return/{new_id()}",
        returned_on=returned_on,
        note=check_reason(reason),
    )
    if sent is None:
        raise Collision(
            "reference: a refund with the reference '{reference}' is already recorded.",
            reference=reference,
        )
    return sent


def send_back_once(
    work: Work,
    *,
    payment_id: str,
    amount_yen: int,
    reference: str,
    returned_on: date | None = None,
    note: str | None = None,
) -> TakenBack | None:
    """Record returned money under its reference; return None for a known reference."""
    return_id = return_payment(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference,
        returned_on=returned_on,
        note=note,
    )
    if return_id is None:
        return None
    return _with_paper(work, payment_id, return_id)


def take_return_back(
    work: Work, *, payment_id: str, amount_yen: int, reference: str, restored_on: date
) -> TakenBack | None:
    """Undo returned money that stayed or came back; return None for a known reference."""
    return_id = restore_payment(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference,
        restored_on=restored_on,
    )
    return None if return_id is None else _with_paper(work, payment_id, return_id)


def _with_paper(work: Work, payment_id: str, return_id: str) -> TakenBack:
    """Issue the numbered paper for the payment's receipt; none without a receipt."""
    today = work.clock.today()
    # A concurrent issue of the receipt holds this lock, or waits for it and sees the return.
    lock_series(work.session, SERIES, today)
    receipt = work.session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))
    if receipt is None:
        return TakenBack(return_id, None)
    paper = ReceiptCorrection(
        receipt_id=receipt.id,
        return_id=return_id,
        number=f"R{take_number(work.session, SERIES, today)}",
        issued_on=today,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(paper)
    about = of_reservation(reservation_of_payment(work.session, payment_id))
    facts = {"number": paper.number, "receipt_number": receipt.number}
    note_audit_event(work, AuditEvent.RECEIPT_CORRECTED, about, after=facts)
    work.session.flush()
    return TakenBack(return_id, paper.number)
