"""What the payment provider reports of a payment: paid or failed, and its payment pages."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.checkouts.lookups import METHOD, check_paid_amount, lock_payment, note_checkout_event
from pms.checkouts.models import Checkout, ProviderPayment
from pms.checkouts.open_bills import lock_checkout, pays_online
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.outbox import put_call
from pms.foundation.work import Work, locked
from pms.ledger.models import Payment
from pms.ledger.move_in import change_payment_status
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import entry_record, standing_of
from pms.providers.payments import PageTerms, PaymentPage
from pms.reservations.changes import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bill_collection import checkout_state_after
from pms.rules.days import day_of
from pms.rules.enumerations import CheckoutState, EntryKind, PaymentStatus


def note_provider_failed(
    work: Work,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    failed_at: datetime | None,
    failure: str | None,
    checkout_id: str | None = None,
) -> str:
    """Store why a payment failed and return the reservation; later payments are kept.

    Raises `NotFound` for an unknown entry.
    """
    entry = entry_record(work.session, entry_id)
    row = reservation_to_change(work.session, entry.reservation_id)
    known = lock_payment(work.session, intent)
    if known is not None and (known.payment_id is not None or _is_older(known, failed_at)):
        return row.id
    payment = known or _add_payment(work.session, row.id, entry_id, intent, amount_yen)
    payment.charge = charge or payment.charge
    payment.failed_at, payment.failure = failed_at or work.clock.now(), failure
    facts = {"entry_id": entry_id, "amount_yen": amount_yen, "failure": failure}
    note_audit_event(work, AuditEvent.PAYMENT_FAILED, of_reservation(row.id), after=facts)
    work.session.flush()
    if checkout_id is not None and _is_visit_of(work.session, checkout_id, row.id):
        note_checkout_event(
            work, checkout_id=checkout_id, outcome=CheckoutState.FAILED, failure=failure
        )
    elif (
        entry.kind is EntryKind.MOVE_IN
        and standing_of(work.session, row.id, entry_id, work.clock.today()).open_yen
    ):
        status = PaymentStatus.FAILED
        change_payment_status(work, reservation_id=row.id, status=status)
    return row.id


def _add_payment(
    session: Session, reservation_id: str, entry_id: str, intent: str, amount_yen: int
) -> ProviderPayment:
    row = ProviderPayment(
        intent=intent,
        charge=None,
        reservation_id=reservation_id,
        entry_id=entry_id,
        payment_id=None,
        amount_yen=amount_yen,
        refunded_yen=0,
    )
    session.add(row)
    return row


def _is_older(known: ProviderPayment, failed_at: datetime | None) -> bool:
    known_at = known.failed_at
    return known_at is not None and failed_at is not None and failed_at <= known_at


def _is_visit_of(session: Session, checkout_id: str, reservation_id: str) -> bool:
    asked = select(Checkout.reservation_id).where(Checkout.id == checkout_id)
    return is_id(checkout_id) and session.scalar(asked) == reservation_id


def note_provider_paid(
    work: Work,
    *,
    intent: str,
    charge: str | None,
    entry_id: str,
    amount_yen: int,
    paid_at: datetime | None,
    checkout_id: str | None = None,
) -> str:
    """Record a payment on its entry, unless it is recorded already; return its reservation.

    It ends the visit to the payment page; a look-up with the same result recognises it by the
    provider's id. Raises `NotFound` for an unknown entry, and `Refused` for an entry that takes no
    payment or an amount other than the visit's or the recorded one. What a person placed with
    another amount ends no visit.
    """
    reservation_id = entry_record(work.session, entry_id).reservation_id
    reservation_to_change(work.session, reservation_id)
    visit = _visit_of(work.session, checkout_id, reservation_id)
    known = _find_payment(work.session, intent, visit)
    if known is not None:
        check_paid_amount(amount_yen, known.amount_yen)
    if visit is not None and (known is None or amount_yen == visit.amount_yen):
        check_paid_amount(amount_yen, visit.amount_yen)
        _end_visit(work, visit, intent, amount_yen)
        known = _find_payment(work.session, intent, visit)
    paid_at = paid_at or work.clock.now()
    payment_id = (
        known.id
        if known is not None
        else record_payment(
            work,
            reservation_id=reservation_id,
            amount_yen=amount_yen,
            received_on=min(day_of(paid_at), work.clock.today()),
            entry_id=entry_id,
            method=METHOD,
            reference=intent,
        )
    )
    payment = lock_payment(work.session, intent, charge) or _add_payment(
        work.session, reservation_id, entry_id, intent, amount_yen
    )
    payment.charge = charge or payment.charge
    if payment.payment_id is None:
        payment.amount_yen, payment.entry_id = amount_yen, entry_id
    payment.payment_id, payment.paid_at = payment_id, paid_at
    payment.failed_at = payment.failure = None
    work.session.flush()
    return reservation_id


def _end_visit(work: Work, visit: Checkout, intent: str, amount_yen: int) -> None:
    note_checkout_event(
        work,
        checkout_id=visit.id,
        outcome=CheckoutState.PAID,
        payment_reference=intent,
        amount_yen=amount_yen,
    )


def _visit_of(session: Session, checkout_id: str | None, reservation_id: str) -> Checkout | None:
    if checkout_id is None or not is_id(checkout_id):
        return None
    asked = select(Checkout).where(
        Checkout.id == checkout_id, Checkout.reservation_id == reservation_id
    )
    return session.scalar(asked)


def _find_payment(session: Session, intent: str, visit: Checkout | None) -> Payment | None:
    """Return the recorded payment, by the provider's id or, if a look-up lacked it, the visit's."""
    names = [intent, *([visit.id, visit.reference] if visit else [])]
    known = select(Payment).where(Payment.method == METHOD, Payment.reference.in_(names))
    return session.scalar(known)


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
