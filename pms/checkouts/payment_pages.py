"""Opening a payment page of the provider."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.checkouts.open_bills import lock_checkout, pays_online
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.outbox import put_call
from pms.foundation.work import Work, locked
from pms.ledger.queries import standing_of
from pms.providers.payments import PageTerms, PaymentPage
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bill_collection import checkout_state_after
from pms.rules.enumerations import CheckoutState

PAGE_LIVES: Final = timedelta(minutes=46)
"""How long a page can be paid at most; providers require at least half an hour."""
_ROUND: Final = timedelta(minutes=15)


def page_terms(call_id: str, written_at: datetime, now: datetime) -> PageTerms:
    """Return the terms of a try; tries close in time share them, so that one page is made.

    A later try makes a new page, because the payer was never sent to the page of an earlier one.
    """
    rounds = max((now - written_at) // _ROUND, 0)
    key = call_id if rounds == 0 else f"{call_id}-{rounds}"
    return PageTerms(key, written_at + rounds * _ROUND + PAGE_LIVES)


def note_page(session: Session, clock: Clock, checkout_id: str, page: PaymentPage) -> None:
    """Store the page of a visit; a visit that was paid or ended meanwhile does not change."""
    visit = lock_checkout(session, checkout_id)
    if visit.state is CheckoutState.FAILED and visit.url is None:
        # The call was given up and repeated; the page was never shown.
        visit.state, visit.failure, visit.ended_at = CheckoutState.ASKED, None, None
    visit.reference, visit.url = page.reference, page.url
    if visit.opened_at is None:
        visit.opened_at = clock.now()
    visit.state = checkout_state_after(visit.state, CheckoutState.OPEN)


def note_no_page(session: Session, clock: Clock, checkout_id: str, failure: str) -> None:
    """End a visit whose page could not be opened; nothing was paid."""
    visit = lock_checkout(session, checkout_id)
    if visit.state is CheckoutState.ASKED:
        visit.state, visit.failure, visit.ended_at = CheckoutState.FAILED, failure, clock.now()


OPENING: Final = "payments.checkout"
"""The kind of provider call that opens a payment page."""
_STILL_GOOD: Final = timedelta(minutes=30)


def open_checkout(
    work: Work,
    *,
    reservation_id: str,
    entry_id: str,
    return_path: str,
    other_entry_ids: Sequence[str] = (),
) -> str:
    """Create a visit for the open amount of one or several entries and return its id.

    The provider sends the payer back to `return_path` of this service, with `checkout=<id>` added.
    A second click returns the visit of the first. Raises `NotFound`, and `Refused` when nothing is
    open or the workspace takes no online payments.
    """
    locked(work.session, Reservation, reservation_id)
    standing = standing_of(work.session, reservation_id, entry_id, work.clock.today())
    if not pays_online(work.session):
        raise Refused("Online payment is not available. Please pay by bank transfer.")
    if standing.is_voided or standing.open_yen <= 0:
        raise Refused("entry: there is nothing left to pay.")
    others = [
        bill
        for other_id in dict.fromkeys(other_entry_ids)
        if other_id != entry_id
        and not (
            bill := standing_of(work.session, reservation_id, other_id, work.clock.today())
        ).is_voided
        and bill.open_yen > 0
    ]
    amount_yen = standing.open_yen + sum(bill.open_yen for bill in others)
    other_ids = [bill.id for bill in others]
    under_way = _under_way(work.session, work.clock, entry_id, other_ids, amount_yen)
    if under_way is not None:
        return under_way
    id_ = new_id()
    row = Checkout(
        id=id_,
        reservation_id=reservation_id,
        entry_id=entry_id,
        other_entry_ids=other_ids or None,
        amount_yen=amount_yen,
        state=CheckoutState.ASKED,
        return_path=_return_path(return_path, id_),
        asked_at=work.clock.now(),
        asked_by=work.actor,
    )
    work.session.add(row)
    put_call(work.session, work.clock, kind=OPENING, subject_id=id_)
    facts = {"checkout_id": id_, "amount_yen": row.amount_yen}
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.CHECKOUT_ASKED, about, after=facts)
    work.session.flush()
    return id_


def _under_way(
    session: Session, clock: Clock, entry_id: str, other_ids: Sequence[str], yen: int
) -> str | None:
    rows = session.execute(
        select(Checkout.id, Checkout.other_entry_ids)
        .where(
            Checkout.entry_id == entry_id,
            Checkout.amount_yen == yen,
            or_(
                and_(
                    Checkout.state == CheckoutState.ASKED,
                    Checkout.asked_at > clock.now() - _STILL_GOOD,
                ),
                # While a page can be paid, no second one is made.
                and_(
                    Checkout.state.in_((CheckoutState.OPEN, CheckoutState.FAILED)),
                    Checkout.url.is_not(None),
                    Checkout.opened_at > clock.now() - PAGE_LIVES,
                ),
            ),
        )
        .order_by(Checkout.asked_at.desc())
    )
    return next((id_ for id_, others in rows if set(others or ()) == set(other_ids)), None)


def _return_path(path: str, checkout_id: str) -> str:
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError("a return path begins with one slash and stays on this service")
    return f"{path}{'&' if '?' in path else '?'}checkout={checkout_id}"
