"""What the payment provider says after a payment: refunds and disputes, and what became of them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.lookups import lock_payment, reservation_paid_for
from pms.checkouts.models import MoneyBack, ProviderPayment
from pms.deposits.settlement_records import settlement_of
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.models import Payment, PaymentReturn
from pms.providers.payment_news import DisputeNews, PaymentEvent, PaymentNews, RefundNews
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import MoneyBackState, ReturnKind
from pms.rules.money_back import (
    DISPUTE_STATES,
    NOT_REFUNDED,
    DisputeWord,
    RefundTotal,
    RefundWord,
    disputed_yen,
    goes_forward,
    newer_total,
    refunded_yen,
)
from pms.statements.receipts import send_back_once, take_return_back

_QUIET: Final = (MoneyBackState.PENDING, MoneyBackState.SUCCEEDED)


def note_refund_total(work: Work, payment_news: PaymentNews, occurred_at: datetime) -> str:
    """Book what was refunded of a payment since the last total; return its reservation.

    A lower total puts back what a failed refund had taken; an older one changes nothing. Raises
    `NotFound` for an unknown payment, and `Refused` for more than was paid, and after a settlement
    has included the money.
    """
    payment = _lock_known_payment(work.session, payment_news)
    known = _known_total(payment)
    is_lower = (
        payment_news.total_before > payment_news.amount
        if payment_news.total_before is not None
        else known is not None and occurred_at >= known.at and payment_news.amount < known.yen
    )
    newest = newer_total(known, RefundTotal(payment_news.amount, occurred_at, is_lower))
    payment.refunded_yen, payment.refund_total_at, payment.is_refund_lower = newest
    _book_what_went_back(work, payment, occurred_at)
    return payment.reservation_id


def note_refund(
    work: Work, payment_news: PaymentNews, news: RefundNews, occurred_at: datetime
) -> str:
    """Store what became of one refund and return its reservation.

    A refund that failed or was canceled is told to the office, and its money counts as received
    again. Raises what `note_refund_total` raises.
    """
    payment = _lock_known_payment(work.session, payment_news)
    row = _find_row(work.session, news.reference)
    is_known_failure = row is not None and row.state in NOT_REFUNDED
    row = row or _add_row(work.session, payment, payment_news, occurred_at)
    _take_newest(row, payment_news, occurred_at)
    _take_state(row, news.state, occurred_at)
    if row.state in NOT_REFUNDED and not is_known_failure:
        facts = {"payment_id": payment.payment_id, "amount_yen": row.amount_yen}
        about = of_reservation(payment.reservation_id)
        note_audit_event(
            work, AuditEvent.REFUND_FAILED, about, after={**facts, "reason": row.reason}
        )
    _book_what_went_back(work, payment, occurred_at)
    return payment.reservation_id


def note_dispute(
    work: Work, payment_news: PaymentNews, news: DisputeNews, occurred_at: datetime
) -> str:
    """Store what became of a dispute and return its reservation.

    Money that was withdrawn, or lost with the dispute, is owed again; money that was given back, or
    won, counts as received again. Raises `NotFound` for an unknown payment, and `Refused` after a
    settlement has included the money.
    """
    payment = _lock_known_payment(work.session, payment_news)
    about = of_reservation(payment.reservation_id)
    facts = {
        "payment_id": payment.payment_id,
        "amount_yen": payment_news.amount,
        "reason": payment_news.reason,
    }
    row = _find_row(work.session, news.reference) or _adopt_dispute(
        work.session, payment, news.reference
    )
    if row is None:
        row = _add_row(work.session, payment, payment_news, occurred_at)
        note_audit_event(work, AuditEvent.PAYMENT_DISPUTED, about, after=facts)
    if occurred_at >= row.newest_at:
        row.respond_by = news.respond_by or row.respond_by
    _take_newest(row, payment_news, occurred_at)
    if payment_news.event is PaymentEvent.FUNDS_WITHDRAWN:
        row.withdrawn_at = max(occurred_at, row.withdrawn_at or occurred_at)
    if payment_news.event is PaymentEvent.FUNDS_REINSTATED:
        row.reinstated_at = max(occurred_at, row.reinstated_at or occurred_at)
    before = row.state
    if _take_state(row, news.state, occurred_at):
        note_audit_event(
            work,
            AuditEvent.DISPUTE_CHANGED,
            about,
            before={"state": before.value},
            after={**facts, "state": row.state.value},
        )
    _book_what_went_back(work, payment, occurred_at)
    return payment.reservation_id


def _lock_known_payment(session: Session, payment_news: PaymentNews) -> ProviderPayment:
    """Return the payment, its reservation locked before it; raise `NotFound` without one."""
    reservation_id = reservation_paid_for(session, payment_news.intent, payment_news.charge)
    if reservation_id is not None:
        locked(session, Reservation, reservation_id)
    payment = lock_payment(session, payment_news.intent, payment_news.charge)
    if payment is None or payment.payment_id is None:
        if payment_news.dispute is not None:
            raise NotFound("The disputed payment was not found.")
        raise NotFound("The refunded payment was not found.")
    return payment


def _known_total(payment: ProviderPayment) -> RefundTotal | None:
    if payment.refund_total_at is None:
        return None
    return RefundTotal(payment.refunded_yen, payment.refund_total_at, payment.is_refund_lower)


def _find_row(session: Session, reference: str) -> MoneyBack | None:
    return session.scalar(select(MoneyBack).where(MoneyBack.reference == reference))


def _adopt_dispute(session: Session, payment: ProviderPayment, reference: str) -> MoneyBack | None:
    """Return the payment's dispute from before ids were kept, now with its id."""
    row = session.scalar(
        select(MoneyBack).where(
            MoneyBack.provider_payment_id == payment.id, MoneyBack.reference.is_(None)
        )
    )
    if row is not None:
        row.reference = reference
    return row


def _add_row(
    session: Session, payment: ProviderPayment, payment_news: PaymentNews, occurred_at: datetime
) -> MoneyBack:
    news = payment_news.refund or payment_news.dispute
    assert news is not None
    row = MoneyBack(
        id=new_id(),
        provider_payment_id=payment.id,
        reservation_id=payment.reservation_id,
        reference=news.reference,
        amount_yen=payment_news.amount,
        state=news.state,
        state_at=occurred_at,
        newest_at=occurred_at,
        made_at=payment_news.refund.made_at if payment_news.refund else None,
        ended_at=None if news.state in (MoneyBackState.OPEN, *_QUIET) else occurred_at,
        reason=payment_news.reason,
    )
    session.add(row)
    return row


def _take_newest(row: MoneyBack, payment_news: PaymentNews, occurred_at: datetime) -> None:
    """Take amount and reason of a word that is not older than the last."""
    is_newest = occurred_at >= row.newest_at
    row.reason = (
        (payment_news.reason if is_newest else row.reason) or row.reason or payment_news.reason
    )
    if is_newest:
        row.amount_yen, row.newest_at = payment_news.amount, occurred_at


def _take_state(row: MoneyBack, state: MoneyBackState, occurred_at: datetime) -> bool:
    """Take a state that goes forward; return whether it differs from the state before."""
    has_failed = row.state in NOT_REFUNDED and state in NOT_REFUNDED
    if row.ended_at is not None and (state is row.state or has_failed):
        # Several words tell of one end: it was at the time of the first.
        row.ended_at = min(row.ended_at, occurred_at)
    if not goes_forward(row.state, row.state_at, state, occurred_at):
        return False
    before, row.state, row.state_at = row.state, state, occurred_at
    if row.state is before:
        return False
    row.seen_at = row.seen_by = None
    if not has_failed:
        row.ended_at = None if state in (MoneyBackState.OPEN, *_QUIET) else occurred_at
    return True


def _book_what_went_back(work: Work, payment: ProviderPayment, occurred_at: datetime) -> None:
    """Bring the ledger to what went back by all words so far, with one opposite row.

    What staff recorded as returned is not booked again, and nothing after staff reversed the
    payment as wrong.
    """
    work.session.flush()
    payment_id = payment.payment_id or ""
    rows = work.session.scalars(
        select(PaymentReturn).where(PaymentReturn.payment_id == payment_id)
    ).all()
    mark = f"{payment.charge or payment.intent}/"
    own = [row for row in rows if row.reference.startswith(mark)]
    others = [row for row in rows if not row.reference.startswith(mark)]
    if any(row.kind is ReturnKind.REVERSED for row in others):
        return
    total_yen = _went_back_yen(work.session, payment)
    booked_yen = sum(row.taken_yen for row in own)
    wanted_yen = max(total_yen - sum(row.taken_yen for row in others), 0)
    if wanted_yen == booked_yen:
        return
    if settlement_of(work.session, payment.reservation_id) is not None:
        # The settlement included the payment: the money would count twice.
        if wanted_yen > booked_yen:
            raise Refused(
                "The reservation is settled. Record this money as a refund of the deposit."
            )
        raise Refused(
            "The reservation is settled. Record this money as a payment: its refund failed."
        )
    reference = f"{mark}{total_yen}" + (f"/{len(own)}" if own else "")
    received = select(Payment.received_on).where(Payment.id == payment_id)
    days = [work.session.scalars(received).one(), *(row.returned_on for row in own)]
    if wanted_yen > booked_yen:
        send_back_once(
            work,
            payment_id=payment_id,
            amount_yen=wanted_yen - booked_yen,
            reference=reference,
            returned_on=_day_within(days, occurred_at, work.clock.today()),
        )
    else:
        take_return_back(
            work,
            payment_id=payment_id,
            amount_yen=booked_yen - wanted_yen,
            reference=reference,
            restored_on=_day_within(days, occurred_at, work.clock.today()),
        )
    work.session.flush()


def _day_within(days: Sequence[date], occurred_at: datetime, today: date) -> date:
    """Return the day of a word, not before the days known and not in the future."""
    return min(max(day_of(occurred_at), *days), today)


def _went_back_yen(session: Session, payment: ProviderPayment) -> int:
    """Return what refunds and disputes took of a payment; disputes never more than is left."""
    rows = session.scalars(
        select(MoneyBack).where(MoneyBack.provider_payment_id == payment.id)
    ).all()
    refunds = [
        RefundWord(row.amount_yen, row.made_at, row.ended_at if row.state in NOT_REFUNDED else None)
        for row in rows
        if row.state not in DISPUTE_STATES
    ]
    disputes = [
        DisputeWord(row.amount_yen, row.state, row.ended_at, row.withdrawn_at, row.reinstated_at)
        for row in rows
        if row.state in DISPUTE_STATES
    ]
    back_yen = refunded_yen(_known_total(payment), refunds)
    left_yen = max(payment.amount_yen - back_yen, 0)
    return back_yen + min(sum(map(disputed_yen, disputes)), left_yen)


class MoneyBackRecord(NamedTuple):
    """A dispute, or a refund that failed, as the office sees it; whole yen."""

    id: str
    entry_id: str
    amount_yen: int
    state: MoneyBackState
    state_at: datetime
    reason: str | None
    respond_by: datetime | None
    withdrawn_yen: int


def unseen_money_back(session: Session, reservation_id: str) -> Sequence[MoneyBackRecord]:
    """Return the disputes and failed refunds of a reservation that nobody has handled yet."""
    asked = (
        select(MoneyBack, ProviderPayment.entry_id)
        .join(ProviderPayment, refers_to(MoneyBack.provider_payment_id, ProviderPayment))
        .where(
            MoneyBack.reservation_id == reservation_id,
            MoneyBack.seen_at.is_(None),
            MoneyBack.state.not_in(_QUIET),
        )
        .order_by(MoneyBack.state_at.desc(), MoneyBack.id.desc())
    )
    return [
        MoneyBackRecord(
            row.id,
            entry_id,
            row.amount_yen,
            row.state,
            row.state_at,
            row.reason,
            row.respond_by,
            disputed_yen(
                DisputeWord(
                    row.amount_yen, row.state, row.ended_at, row.withdrawn_at, row.reinstated_at
                )
            ),
        )
        for row, entry_id in session.execute(asked)
    ]


def mark_money_back_seen(work: Work, money_back_id: str) -> str:
    """Record that a dispute or failed refund needs nothing more; return its reservation.

    A later state brings it back.
    """
    row = locked(work.session, MoneyBack, money_back_id)
    if row.seen_at is None:
        row.seen_at, row.seen_by = work.clock.now(), work.actor
        facts = {"state": row.state.value, "amount_yen": row.amount_yen, "reason": row.reason}
        about = of_reservation(row.reservation_id)
        note_audit_event(work, AuditEvent.MONEY_BACK_SEEN, about, after=facts)
        work.session.flush()
    return row.reservation_id
