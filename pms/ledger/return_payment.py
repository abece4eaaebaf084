"""Records that money of a payment went back to who paid it (specification, Ledger entry)."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.ledger.models import Allocation, LedgerEntry, PaymentReturn
from pms.ledger.posting import Row, write_rows
from pms.ledger.queries import standings
from pms.ledger.reservation_of_payment import reservation_of_payment
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.payments import Allocation as Part
from pms.rules.payments import filled


class _Reached(NamedTuple):
    """What a payment has on an entry, in whole yen, the first that money is taken off first."""

    entry_id: str
    yen: int


def return_payment(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    payment_id: str,
    amount_yen: int,
    reference: str,
    returned_on: date | None = None,
    note: str | None = None,
) -> str | None:
    """Write a return and take its yen off the entries of the payment; return its id.

    What was overpaid goes first, then the entry the payment reached last: so much of it is owed
    again. A reference that was written before changes nothing and returns `None`. The payment
    status stays: it only knows a refund of the deposit.
    """
    checked_yen(Phrase("amount"), amount_yen, 1)
    reservation_id = reservation_of_payment(session, payment_id)
    locked_reservation(session, reservation_id)
    if _is_known(session, reference):
        return None
    day = min(returned_on or clock.today(), clock.today())
    parts = _parts(session, clock, reservation_id, payment_id, amount_yen)
    return_id = new_id()
    session.add(
        PaymentReturn(
            id=return_id,
            payment_id=payment_id,
            reservation_id=reservation_id,
            returned_on=day,
            amount_yen=amount_yen,
            reference=reference,
            note=note,
            written_at=clock.now(),
            written_by=actor,
        )
    )
    session.flush()
    write_rows(session, Allocation, [_taken_off(clock, payment_id, part, day) for part in parts])
    told = {"payment_id": payment_id, "amount_yen": amount_yen, "reference": reference}
    note_deed(
        session, clock, actor, Deed.PAYMENT_RETURNED, of_reservation(reservation_id), after=told
    )
    session.flush()
    return return_id


def returned_yen(session: Session, payment_id: str) -> int:
    """Return how much of a payment went back, in whole yen."""
    asked = select(func.sum(PaymentReturn.amount_yen)).where(PaymentReturn.payment_id == payment_id)
    return int(session.scalar(asked) or 0)


def _is_known(session: Session, reference: str) -> bool:
    known = select(PaymentReturn.id).where(PaymentReturn.reference == reference)
    return session.scalar(known) is not None


def _parts(
    session: Session, clock: Clock, reservation_id: str, payment_id: str, yen: int
) -> Sequence[Part]:
    reached = _reached(session, payment_id)
    found = standings(session, [reservation_id], clock.today()).get(reservation_id, ())
    overpaid = {one.id: one.overpaid_yen for one in found}
    too_much = [(one.entry_id, min(one.yen, overpaid.get(one.entry_id, 0))) for one in reached]
    rest = [(id_, one.yen - yen_) for one, (id_, yen_) in zip(reached, too_much, strict=True)]
    parts, left_yen = filled([*too_much, *rest], yen)
    if left_yen:
        raise Refused(
            "amount: {left} of {amount} are more than this payment has on any entry.",
            left=str(left_yen),
            amount=str(yen),
        )
    return parts


def _reached(session: Session, payment_id: str) -> list[_Reached]:
    asked = (
        select(Allocation.entry_id, func.sum(Allocation.amount_yen))
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == Allocation.workspace_id)
            & (LedgerEntry.id == Allocation.entry_id),
        )
        .where(Allocation.payment_id == payment_id)
        .group_by(Allocation.entry_id, LedgerEntry.due_on)
        .having(func.sum(Allocation.amount_yen) > 0)
        .order_by(LedgerEntry.due_on.desc(), Allocation.entry_id.desc())
    )
    return [_Reached(entry_id, int(yen)) for entry_id, yen in session.execute(asked)]


def _taken_off(clock: Clock, payment_id: str, part: Part, day: date) -> Row:
    return {
        "entry_id": part.entry_id,
        "payment_id": payment_id,
        "settlement_id": None,
        "amount_yen": -part.yen,
        "allocated_on": day,
        "written_at": clock.now(),
    }
