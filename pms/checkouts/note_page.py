"""Notes what became of asking for a payment page: it is open, or it could not be opened."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.checkouts.payment_page import PaymentPage
from pms.foundation.clock import Clock
from pms.rules.checkout_changes import checkout_state_after
from pms.rules.enumerations import CheckoutState


def note_page(session: Session, clock: Clock, checkout_id: str, page: PaymentPage) -> None:
    """Keep where a visit is paid; one that was paid or ended meanwhile stays so."""
    visit = _in_hand(session, checkout_id)
    if visit.state is CheckoutState.FAILED and visit.url is None:
        # It was given up and asked for again; nobody has been on the page yet.
        visit.state, visit.failure, visit.ended_at = CheckoutState.ASKED, None, None
    visit.reference, visit.url = page.reference, page.url
    if visit.opened_at is None:
        visit.opened_at = clock.now()
    visit.state = checkout_state_after(visit.state, CheckoutState.OPEN)


def note_no_page(session: Session, clock: Clock, checkout_id: str, failure: str) -> None:
    """End a visit whose page could not be had; nothing was paid."""
    visit = _in_hand(session, checkout_id)
    if visit.state is CheckoutState.ASKED:
        visit.state, visit.failure, visit.ended_at = CheckoutState.FAILED, failure, clock.now()


def _in_hand(session: Session, checkout_id: str) -> Checkout:
    wanted = select(Checkout).where(Checkout.id == checkout_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()
