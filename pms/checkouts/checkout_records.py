"""Checkouts of a bill as they are shown."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.foundation.work import find_row
from pms.ledger.queries import standings
from pms.rules.enumerations import CheckoutState


class CheckoutRecord(NamedTuple):
    """One visit to a payment page; `url` is set once the provider opened it."""

    id: str
    reservation_id: str
    entry_id: str
    other_entry_ids: Sequence[str]
    amount_yen: int
    state: CheckoutState
    return_path: str
    reference: str | None
    url: str | None
    asked_at: datetime
    ended_at: datetime | None
    failure: str | None


def checkout_record(session: Session, checkout_id: str) -> CheckoutRecord:
    """Return one visit; raise `NotFound` for an unknown id."""
    row = find_row(session, Checkout, checkout_id)
    return _build_record(row)


def checkouts_of(session: Session, reservation_id: str) -> Sequence[CheckoutRecord]:
    """Return the visits of a reservation, the newest first."""
    asked = select(Checkout).where(Checkout.reservation_id == reservation_id)
    rows = session.scalars(asked.order_by(Checkout.asked_at.desc(), Checkout.id.desc()))
    return [_build_record(row) for row in rows]


def is_wanted(session: Session, visit: CheckoutRecord, on: date) -> bool:
    """Return whether a visit's amount is what is open, and no later visit replaced it."""
    paid = {visit.entry_id, *visit.other_entry_ids}
    found = standings(session, [visit.reservation_id], on).get(visit.reservation_id, ())
    open_yen = sum(bill.open_yen for bill in found if bill.id in paid and not bill.is_voided)
    later = select(Checkout.id).where(
        Checkout.entry_id == visit.entry_id,
        Checkout.asked_at > visit.asked_at,
        Checkout.state != CheckoutState.EXPIRED,
    )
    return open_yen == visit.amount_yen and session.scalar(later.limit(1)) is None


def _build_record(row: Checkout) -> CheckoutRecord:
    return CheckoutRecord(
        id=row.id,
        reservation_id=row.reservation_id,
        entry_id=row.entry_id,
        other_entry_ids=tuple(row.other_entry_ids or ()),
        amount_yen=row.amount_yen,
        state=row.state,
        return_path=row.return_path,
        reference=row.reference,
        url=row.url,
        asked_at=row.asked_at,
        ended_at=row.ended_at,
        failure=row.failure,
    )
