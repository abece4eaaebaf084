"""Sets out to pay one entry online: the visit is written, and the worker asks for its page."""

from datetime import timedelta
from typing import Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.checkouts.payment_page import PAGE_LIVES
from pms.checkouts.queries import pays_online
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.provider_calls import put_call
from pms.ledger.queries import standing_of
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import CheckoutState

OPENING: Final = "payments.checkout"
"""The kind of call that asks a provider for a payment page."""
_STILL_GOOD: Final = timedelta(minutes=30)


def open_checkout(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    entry_id: str,
    return_path: str,
) -> str:
    """Write a visit for what is open of an entry and return its id.

    The provider sends the payer back to `return_path` of this service, with `checkout=<id>`
    added. A second click finds the visit of the first. Raises `NotFound`, and `Refused` where
    nothing is open or the workspace takes no payments online.
    """
    locked_reservation(session, reservation_id)
    standing = standing_of(session, reservation_id, entry_id, clock.today())
    if not pays_online(session):
        raise Refused("Paying online is not set up here; pay by bank transfer.")
    if standing.is_voided or standing.open_yen <= 0:
        raise Refused("entry: nothing of it is open, so there is nothing to pay.")
    under_way = _under_way(session, clock, entry_id, standing.open_yen)
    if under_way is not None:
        return under_way
    id_ = new_id()
    row = Checkout(
        id=id_,
        reservation_id=reservation_id,
        entry_id=entry_id,
        amount_yen=standing.open_yen,
        state=CheckoutState.ASKED,
        return_path=_return_path(return_path, id_),
        asked_at=clock.now(),
        asked_by=actor,
    )
    session.add(row)
    put_call(session, clock, kind=OPENING, subject_id=id_)
    told = {"checkout_id": id_, "amount_yen": row.amount_yen}
    about = of_reservation(reservation_id)
    note_deed(session, clock, actor, Deed.CHECKOUT_ASKED, about, after=told)
    session.flush()
    return id_


def _under_way(session: Session, clock: Clock, entry_id: str, yen: int) -> str | None:
    return session.scalar(
        select(Checkout.id)
        .where(
            Checkout.entry_id == entry_id,
            Checkout.amount_yen == yen,
            or_(
                and_(
                    Checkout.state == CheckoutState.ASKED,
                    Checkout.asked_at > clock.now() - _STILL_GOOD,
                ),
                # As long as a page may be paid on there is no second one.
                and_(
                    Checkout.state.in_((CheckoutState.OPEN, CheckoutState.FAILED)),
                    Checkout.url.is_not(None),
                    Checkout.opened_at > clock.now() - PAGE_LIVES,
                ),
            ),
        )
        .order_by(Checkout.asked_at.desc())
        .limit(1)
    )


def _return_path(path: str, checkout_id: str) -> str:
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError("a return path begins with one slash and stays on this service")
    return f"{path}{'&' if '?' in path else '?'}checkout={checkout_id}"
