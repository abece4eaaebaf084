"""Takes a payment back, with the paper that voids or corrects its receipt if it has one."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.ids import new_id
from pms.foundation.numbering import lock_series, take_number
from pms.ledger.reservation_of_payment import reservation_of_payment
from pms.ledger.return_payment import checked_reason, return_payment
from pms.ledger.return_payment import reverse_payment as reverse_in_ledger
from pms.rules.deeds import Deed
from pms.statements.issue_receipt import SERIES
from pms.statements.models import Receipt, ReceiptCorrection


class TakenBack(NamedTuple):
    """The opposite row that was written, and the number of the paper about the receipt, if any."""

    return_id: str
    correction_number: str | None


def reverse_payment(
    session: Session, clock: Clock, actor: str, *, payment_id: str, reason: str
) -> TakenBack:
    """Take a wrong payment off again and void its receipt by number (Ledger entry)."""
    return_id = reverse_in_ledger(session, clock, actor, payment_id=payment_id, reason=reason)
    return _with_paper(session, clock, actor, payment_id, return_id)


def send_payment_back(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    payment_id: str,
    amount_yen: int,
    reason: str,
    returned_on: date | None = None,
    reference: str | None = None,
) -> TakenBack:
    """Record money that staff sent back to who paid it, and say so of its receipt.

    A reference of the bank that was written before is a collision.
    """
    sent = send_back_once(
        session,
        clock,
        actor,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference or f"return/{new_id()}",
        returned_on=returned_on,
        note=checked_reason(reason),
    )
    if sent is None:
        raise Collision(
            "reference: money sent back as '{reference}' is recorded already.",
            reference=reference,
        )
    return sent


def send_back_once(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    payment_id: str,
    amount_yen: int,
    reference: str,
    returned_on: date | None = None,
    note: str | None = None,
) -> TakenBack | None:
    """Record money that went back by its reference; one that is known changes nothing: `None`."""
    return_id = return_payment(
        session,
        clock,
        actor,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference,
        returned_on=returned_on,
        note=note,
    )
    if return_id is None:
        return None
    return _with_paper(session, clock, actor, payment_id, return_id)


def _with_paper(
    session: Session, clock: Clock, actor: str, payment_id: str, return_id: str
) -> TakenBack:
    """Number the paper about the receipt of the payment; without a receipt there is none."""
    today = clock.today()
    # Whoever issues the receipt at this moment is waited for, or finds what was taken back.
    lock_series(session, SERIES, today)
    receipt = session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))
    if receipt is None:
        return TakenBack(return_id, None)
    paper = ReceiptCorrection(
        receipt_id=receipt.id,
        return_id=return_id,
        number=f"R{take_number(session, SERIES, today)}",
        issued_on=today,
        written_at=clock.now(),
        written_by=actor,
    )
    session.add(paper)
    about = of_reservation(reservation_of_payment(session, payment_id))
    told = {"number": paper.number, "receipt_number": receipt.number}
    note_deed(session, clock, actor, Deed.RECEIPT_CORRECTED, about, after=told)
    session.flush()
    return TakenBack(return_id, paper.number)
