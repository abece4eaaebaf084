"""Marks how far a ledger was written when a form was shown, so that a form writes once.

A row of the ledger is never changed, so the number of rows tells whether anything happened since:
a second click, or a colleague at the next desk.
"""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.ledger.models import LedgerEntry, Payment, PaymentReturn
from pms.reservations.locks import locked_reservation


def ledger_mark(session: Session, reservation_id: str) -> int:
    """Return how many entries, payments, and returns of payments a reservation has."""
    entries = select(func.count()).where(LedgerEntry.reservation_id == reservation_id)
    payments = select(func.count()).where(Payment.reservation_id == reservation_id)
    returns = select(func.count()).where(PaymentReturn.reservation_id == reservation_id)
    asked = select(
        entries.scalar_subquery() + payments.scalar_subquery() + returns.scalar_subquery()
    )
    return session.scalar(asked) or 0


def hold_ledger(session: Session, reservation_id: str, seen: int) -> None:
    """Lock a reservation whose ledger stands as it was seen; raise `Collision` when it moved on."""
    locked_reservation(session, reservation_id)
    if ledger_mark(session, reservation_id) != seen:
        raise Collision(
            "The ledger was written to since this page was opened. Look at it again before you send"
            " this."
        )
