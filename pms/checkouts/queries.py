"""Questions about paying online: whether it is set up, and how each visit stands."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.provider_calls import ProviderCall
from pms.ledger.queries import standing_of
from pms.rules.enumerations import CheckoutState, IntegrationKind
from pms.workspaces.integrations import has_integration

LOOKING: Final = "payments.lookup"
"""The kind of call that asks a provider how a visit stands."""


class CheckoutRecord(NamedTuple):
    """One visit to a payment page; `url` is there once the provider opened it."""

    id: str
    reservation_id: str
    entry_id: str
    amount_yen: int
    state: CheckoutState
    return_path: str
    reference: str | None
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


def next_look(checkout_id: str) -> Select[ProviderCall]:
    """Return the question for the next look at a visit; one under way or that failed is none."""
    return select(ProviderCall).where(
        ProviderCall.subject_id == checkout_id,
        ProviderCall.kind == LOOKING,
        ProviderCall.due_at.is_not(None),
        ProviderCall.attempts == 0,
    )


def awaits_look(session: Session, checkout_id: str) -> bool:
    """Tell whether the next look at a visit can be brought forward, which is done once."""
    call = session.scalar(next_look(checkout_id))
    return call is not None and "is_back" not in call.facts


def is_wanted(session: Session, visit: CheckoutRecord, on: date) -> bool:
    """Tell whether a visit still asks for what is open, and no later one took its place."""
    standing = standing_of(session, visit.reservation_id, visit.entry_id, on)
    later = select(Checkout.id).where(
        Checkout.entry_id == visit.entry_id,
        Checkout.asked_at > visit.asked_at,
        Checkout.state != CheckoutState.EXPIRED,
    )
    is_open = not standing.is_voided and standing.open_yen == visit.amount_yen
    return is_open and session.scalar(later.limit(1)) is None


def _record(row: Checkout) -> CheckoutRecord:
    return CheckoutRecord(
        id=row.id,
        reservation_id=row.reservation_id,
        entry_id=row.entry_id,
        amount_yen=row.amount_yen,
        state=row.state,
        return_path=row.return_path,
        reference=row.reference,
        url=row.url,
        asked_at=row.asked_at,
        ended_at=row.ended_at,
        failure=row.failure,
    )
