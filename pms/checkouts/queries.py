"""Questions about paying online: whether it is set up, and how each visit stands."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import CheckoutState, IntegrationKind
from pms.workspaces.integrations import has_integration


class CheckoutRecord(NamedTuple):
    """One visit to a payment page; `url` is there once the provider opened it."""

    id: str
    reservation_id: str
    entry_id: str
    amount_yen: int
    state: CheckoutState
    return_path: str
    url: str | None
    asked_at: datetime
    ended_at: datetime | None
    failure: str | None


def pays_online(session: Session) -> bool:
    """Tell whether the session's workspace takes payments by a provider."""
    return has_integration(session, IntegrationKind.PAYMENTS)


def checkout_record(session: Session, checkout_id: str) -> CheckoutRecord:
    """Return one visit; raise `NotFound` for an unknown one."""
    asked = select(Checkout).where(Checkout.id == checkout_id)
    row = session.scalar(asked) if is_id(checkout_id) else None
    if row is None:
        raise NotFound("There is no checkout '{checkout_id}'.", checkout_id=checkout_id[:60])
    return _record(row)


def checkouts_of(session: Session, reservation_id: str) -> Sequence[CheckoutRecord]:
    """Return the visits of a reservation, the newest first."""
    asked = select(Checkout).where(Checkout.reservation_id == reservation_id)
    rows = session.scalars(asked.order_by(Checkout.asked_at.desc(), Checkout.id.desc()))
    return [_record(row) for row in rows]


def _record(row: Checkout) -> CheckoutRecord:
    return CheckoutRecord(
        id=row.id,
        reservation_id=row.reservation_id,
        entry_id=row.entry_id,
        amount_yen=row.amount_yen,
        state=row.state,
        return_path=row.return_path,
        url=row.url,
        asked_at=row.asked_at,
        ended_at=row.ended_at,
        failure=row.failure,
    )
