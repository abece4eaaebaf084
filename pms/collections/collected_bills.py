"""Collections of bills by card or at a store: planning, requesting once, and their results."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from pms.bank.models import Debit, DebitBill
from pms.checkouts.lookups import METHOD, check_paid_amount, recorded_yen
from pms.checkouts.models import Checkout
from pms.checkouts.open_bills import pays_online
from pms.checkouts.payment_pages import PAGE_LIVES
from pms.checkouts.provider_notes import note_provider_failed, note_provider_paid
from pms.collections.choices import CANCELLING, collection_terms
from pms.collections.collections_read import CollectionRecord, collection_record, numbers_for_stores
from pms.collections.models import Collection, PaymentChoice
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_call, put_mail
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.ledger.models import Allocation, Payment
from pms.ledger.queries import entry_record, standing_of, standings
from pms.providers.collected_payments import ChargeAnswer
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bill_collection import (
    OPEN_STATES,
    BillToCollect,
    CollectionTerms,
    Tried,
    bills_to_collect,
)
from pms.rules.days import JAPAN, day_of
from pms.rules.enumerations import CheckoutState, ChoiceState, CollectionState
from pms.statements.papers import StoreNumber
from pms.statements.transfer_account import transfer_of_day
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import branding

CHARGING: Final = "collections.charge"
LOOKING: Final = "collections.lookup"
"""The kinds of provider calls that charge a collection and that ask for its state."""
_STORE_MONTH: Final = timedelta(days=30)


class CollectionProgress(NamedTuple):
    """The number of bills handled in a part of the day's work, and the choice to continue after."""

    done: int
    after: str | None


def plan_collections(work: Work, after: str | None, *, most: int) -> CollectionProgress:
    """Handle the bills of today's choices, one part at a time.

    A card's bill is announced, and charged on its due day; a store's bill gets its number.
    """
    query = (
        select(PaymentChoice.id, PaymentChoice.reservation_id)
        .where(PaymentChoice.state == ChoiceState.ACTIVE)
        .order_by(PaymentChoice.id)
        .limit(most)
    )
    if after is not None:
        query = query.where(PaymentChoice.id > after)
    rows = work.session.execute(query).all()
    if not rows or not pays_online(work.session):
        return CollectionProgress(0, None)
    terms = collection_terms(work.session).terms
    done = sum(_plan_tenancy_collections(work, reservation_id, terms) for _, reservation_id in rows)
    work.session.flush()
    return CollectionProgress(done, rows[-1][0] if len(rows) == most else None)


def _plan_tenancy_collections(work: Work, reservation_id: str, terms: CollectionTerms) -> int:
    """Plan and request the collections of a tenancy; its lock keeps out concurrent runs."""
    reservation = locked(work.session, Reservation, reservation_id)
    active = select(PaymentChoice).where(
        PaymentChoice.reservation_id == reservation_id,
        PaymentChoice.state == ChoiceState.ACTIVE,
    )
    choice = work.session.scalars(active.execution_options(populate_existing=True)).one_or_none()
    if choice is None:
        return 0
    on = work.clock.today()
    done = _ask_planned(work, reservation_id, on)
    done += _cancel_paid_numbers(work, reservation_id)
    bills = standings(work.session, [reservation_id], on).get(reservation_id, ())
    held = _held_elsewhere(work.session, reservation_id, work.clock.now())
    free = [bill for bill in bills if bill.id not in held]
    tried = _collection_tries(work.session, reservation_id)
    for wanted in bills_to_collect(free, tried, choice.way, terms, on):
        _write_collection(work, choice, reservation, wanted)
        done += 1
    return done


def _ask_planned(work: Work, reservation_id: str, on: date) -> int:
    """Charge the announced collections that are due, by what is still open of their bills."""
    planned = select(Collection).where(
        Collection.reservation_id == reservation_id,
        Collection.state == CollectionState.PLANNED,
        Collection.due_on <= on,
    )
    rows = work.session.scalars(planned.with_for_update()).all()
    held = _held_elsewhere(work.session, reservation_id, work.clock.now())
    for row in rows:
        standing = standing_of(work.session, reservation_id, row.entry_id, on)
        if standing.is_voided or standing.open_yen <= 0 or row.entry_id in held:
            _end_collection(work, row, CollectionState.CANCELLED)
            continue
        row.amount_yen = standing.open_yen
        _ask_for_collection(work, row)
    work.session.flush()
    return len(rows)


def _write_collection(
    work: Work, choice: PaymentChoice, reservation: Reservation, wanted: BillToCollect
) -> None:
    row = Collection(
        id=new_id(),
        choice_id=choice.id,
        reservation_id=choice.reservation_id,
        entry_id=wanted.entry_id,
        way=choice.way,
        attempt=wanted.attempt,
        amount_yen=wanted.yen,
        due_on=wanted.due_on,
        state=CollectionState.PLANNED,
        planned_at=work.clock.now(),
    )
    work.session.add(row)
    if wanted.is_planned:
        _mail_step(work, reservation, row, "announced", last_digits=choice.last_digits or "")
    else:
        _ask_for_collection(work, row)
    work.session.flush()


def _ask_for_collection(work: Work, row: Collection) -> None:
    row.state, row.asked_at = CollectionState.ASKED, work.clock.now()
    put_call(work.session, work.clock, kind=CHARGING, subject_id=row.id)
    facts = {"entry_id": row.entry_id, "amount_yen": row.amount_yen, "way": row.way.value}
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.COLLECTION_ASKED, about, after=facts)


def _held_elsewhere(session: Session, reservation_id: str, now: datetime) -> set[str]:
    """Return the bills that a debit file awaits, or for which a payment page is open.

    And the bills whose online payment went back, by a refund or a dispute: nobody's card is charged
    for them again by itself.
    """
    debits = (
        select(DebitBill.entry_id)
        .join(Debit, refers_to(DebitBill.debit_id, Debit))
        .where(DebitBill.is_awaited, Debit.reservation_id == reservation_id)
    )
    pages = select(Checkout.entry_id).where(
        Checkout.reservation_id == reservation_id,
        Checkout.state.in_((CheckoutState.ASKED, CheckoutState.OPEN)),
        Checkout.asked_at > now - PAGE_LIVES,
    )
    went_back = (
        select(Allocation.entry_id)
        .join(Payment, refers_to(Allocation.payment_id, Payment))
        .where(
            Payment.reservation_id == reservation_id,
            Payment.method == METHOD,
            Allocation.return_id.is_not(None),
        )
        .group_by(Allocation.entry_id)
        .having(func.sum(Allocation.amount_yen) < 0)
    )
    return {*session.scalars(debits), *session.scalars(pages), *session.scalars(went_back)}


def _collection_tries(session: Session, reservation_id: str) -> Mapping[str, Sequence[Tried]]:
    tried = defaultdict(list)
    rows = select(Collection).where(Collection.reservation_id == reservation_id)
    for row in session.scalars(rows.order_by(Collection.attempt)):
        ended_on = day_of(row.ended_at) if row.ended_at else None
        tried[row.entry_id].append(Tried(row.attempt, row.state, ended_on))
    return tried


def collect_once_more(work: Work, failed: CollectionRecord) -> None:
    """Charge now what is open of a bill whose collection failed; the reservation must be locked."""
    active = select(PaymentChoice).where(
        PaymentChoice.reservation_id == failed.reservation_id,
        PaymentChoice.state == ChoiceState.ACTIVE,
    )
    choice = work.session.scalars(active).one_or_none()
    if choice is None:
        raise Refused("collection: the resident no longer pays by card or at convenience stores.")
    tried = _collection_tries(work.session, failed.reservation_id)[failed.entry_id]
    held = _held_elsewhere(work.session, failed.reservation_id, work.clock.now())
    if failed.entry_id in held or any(collection.state in OPEN_STATES for collection in tried):
        raise Refused("collection: this bill is being collected or has been collected.")
    bill = standing_of(work.session, failed.reservation_id, failed.entry_id, work.clock.today())
    if bill.is_voided or bill.open_yen <= 0:
        raise Refused("collection: this bill has nothing left to pay.")
    attempt = max(collection.attempt for collection in tried) + 1
    reservation = locked(work.session, Reservation, failed.reservation_id)
    _write_collection(
        work,
        choice,
        reservation,
        BillToCollect(failed.entry_id, bill.due_on, bill.open_yen, attempt, False),
    )


def store_deadline(clock: Clock, due_on: date) -> datetime:
    """Return until when a store accepts payment: the end of the due day, at least in three days."""
    last_on = max(due_on, clock.today() + timedelta(days=3))
    until = datetime(last_on.year, last_on.month, last_on.day, 23, 59, tzinfo=JAPAN)
    return min(until, clock.now() + _STORE_MONTH)


def is_wanted(session: Session, collection: CollectionRecord, on: date) -> bool:
    """Return whether the amount of a collection is exactly what is open of its bill."""
    standing = standing_of(session, collection.reservation_id, collection.entry_id, on)
    return not standing.is_voided and standing.open_yen == collection.amount_yen


def note_answer(work: Work, collection_id: str, answer: ChargeAnswer) -> None:
    """Apply the provider's answer to a collection; one that ended before only records money.

    Money is recorded once, by the provider's id of the payment, whether its answer or its event
    comes first. Another amount than the one requested is not recorded: the collection stays open
    with that reason, so that the bill is not collected again before a person has looked at it.
    """
    known = collection_record(work.session, collection_id)
    reservation = locked(work.session, Reservation, known.reservation_id)
    row = _lock_collection(work.session, collection_id)
    row.intent = answer.intent or row.intent
    if answer.state is CollectionState.PAID:
        _note_money(work, row, answer)
    elif row.state not in OPEN_STATES:
        return
    elif answer.state is CollectionState.FAILED:
        _note_failed(work, reservation, row, answer.reason)
    elif answer.state is CollectionState.WAITING:
        is_new = row.state is not CollectionState.WAITING
        row.state, row.url, row.expires_at = CollectionState.WAITING, answer.url, answer.expires_at
        row.stores = {name: dict(codes) for name, codes in (answer.stores or {}).items()}
        if is_new:
            _mail_step(work, reservation, row, "number")
            put_call(
                work.session, work.clock, kind=LOOKING, subject_id=row.id, wait=timedelta(hours=6)
            )
    elif answer.state is CollectionState.CANCELLED:
        _end_collection(work, row, CollectionState.CANCELLED)
    work.session.flush()


def _note_money(work: Work, row: Collection, answer: ChargeAnswer) -> None:
    try:
        check_money(work.session, row.amount_yen, answer.intent, answer.amount_yen)
    except Refused as refusal:
        if row.state not in OPEN_STATES:
            raise
        row.state, row.failure = CollectionState.ASKED, refusal.message
        return
    note_provider_paid(
        work,
        intent=answer.intent,
        charge=answer.charge,
        entry_id=row.entry_id,
        amount_yen=answer.amount_yen,
        paid_at=None,
    )
    note_paid(work, row.id, answer.amount_yen)


def check_money(session: Session, asked_yen: int, intent: str, paid_yen: int) -> None:
    """Refuse another amount than the one requested, unless a person recorded it already."""
    if recorded_yen(session, intent) != paid_yen:
        check_paid_amount(paid_yen, asked_yen)


def note_paid(work: Work, collection_id: str, paid_yen: int) -> None:
    """End a collection whose payment is on the ledger, and send one mail of thanks.

    One of another amount, which a person placed, ends it without thanks; what is still open of the
    bill can then be collected.
    """
    row = _lock_collection(work.session, collection_id)
    if paid_yen != row.amount_yen:
        if row.state in OPEN_STATES:
            _end_collection(work, row, CollectionState.CANCELLED)
            work.session.flush()
        return
    if row.state is CollectionState.PAID:
        return
    row.failure = None
    _end_collection(work, row, CollectionState.PAID)
    reservation = work.session.scalars(
        select(Reservation).where(Reservation.id == row.reservation_id)
    ).one()
    _mail_step(work, reservation, row, "paid")
    work.session.flush()


def note_event_failed(work: Work, collection_id: str, reason: str | None) -> None:
    """Apply a provider's event that a collection failed."""
    known = collection_record(work.session, collection_id)
    reservation = locked(work.session, Reservation, known.reservation_id)
    row = _lock_collection(work.session, collection_id)
    if row.state in OPEN_STATES:
        _note_failed(work, reservation, row, reason, is_kept=True)
        work.session.flush()


def note_unknown(session: Session, collection_id: str, failure: str) -> None:
    """Note that it is unknown whether the provider took the money; it is not charged again."""
    _lock_collection(session, collection_id).failure = failure


def cancel_collection(work: Work, collection_id: str) -> None:
    """End a collection that was never requested of the provider, or that it cancelled."""
    row = _lock_collection(work.session, collection_id)
    if row.state in OPEN_STATES:
        _end_collection(work, row, CollectionState.CANCELLED)
        work.session.flush()


def _cancel_paid_numbers(work: Work, reservation_id: str) -> int:
    """Cancel the store numbers of bills paid in another way, so that they are not paid twice."""
    done = 0
    for entry_id, store_number in numbers_for_stores(work.session, reservation_id).items():
        standing = standing_of(work.session, reservation_id, entry_id, work.clock.today())
        if standing.is_voided or standing.open_yen != store_number.amount_yen:
            put_call(work.session, work.clock, kind=CANCELLING, subject_id=store_number.id)
            done += 1
    return done


def _end_collection(work: Work, row: Collection, state: CollectionState) -> None:
    row.state, row.ended_at = state, work.clock.now()
    facts = {"entry_id": row.entry_id, "amount_yen": row.amount_yen, "state": state.value}
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.COLLECTION_ENDED, about, after=facts)


def _note_failed(
    work: Work,
    reservation: Reservation,
    row: Collection,
    reason: str | None,
    *,
    is_kept: bool = False,
) -> None:
    row.state, row.ended_at, row.failure = CollectionState.FAILED, work.clock.now(), reason
    if not is_kept and row.intent:
        note_provider_failed(
            work,
            intent=row.intent,
            charge=None,
            entry_id=row.entry_id,
            amount_yen=row.amount_yen,
            failed_at=None,
            failure=reason,
        )
    facts = {"entry_id": row.entry_id, "amount_yen": row.amount_yen, "failure": reason}
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.COLLECTION_FAILED, about, after=facts)
    terms = collection_terms(work.session).terms
    failures = select(func.count()).where(
        Collection.entry_id == row.entry_id, Collection.state == CollectionState.FAILED
    )
    work.session.flush()
    is_repeated = (work.session.scalar(failures) or 0) < terms.attempts
    next_on = work.clock.today() + timedelta(days=terms.retry_days) if is_repeated else None
    _mail_step(work, reservation, row, "failed", next_on=next_on)


def _mail_step(
    work: Work,
    reservation: Reservation,
    row: Collection,
    step: str,
    *,
    last_digits: str = "",
    next_on: date | None = None,
) -> None:
    """Mail the step of a bill's collection in the resident's language; not without an address."""
    if not reservation.email:
        return
    brand, locale = branding(work.session), reservation.locale
    label = entry_record(work.session, row.entry_id).label
    pay_by = day_of(row.expires_at) if row.expires_at else None
    mail = mail_text(
        "bill-collection",
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=reservation.name,
        step=step,
        way=row.way.value,
        subject=label.in_language(locale) or "",
        yen=row.amount_yen,
        due_on=row.due_on,
        last_digits=last_digits,
        next_on=next_on,
        stores=StoreNumber(row.amount_yen, row.stores or {}, pay_by).lines(locale),
        number_url=row.url or "",
        pay_by=pay_by,
        link=tenancy_link(
            work.session, row.reservation_id, f"/invoices/{row.entry_id}", reservation.email
        ),
        **transfer_of_day(work.session, row.reservation_id, work.clock.today()).facts(locale),
    )
    put_mail(work.session, work.clock, recipient=reservation.email, **mail._asdict())


def collection_of_payment(
    session: Session, reservation_id: str, intent: str, collection_id: str | None
) -> CollectionRecord | None:
    """Return the collection of a reservation that a payment belongs to, by either of its ids."""
    named = is_id(collection_id or "")
    query = select(Collection.id).where(
        Collection.reservation_id == reservation_id,
        Collection.id == collection_id if named else Collection.intent == intent,
    )
    found = session.scalars(query.limit(1)).first()
    return collection_record(session, found) if found is not None else None


def _lock_collection(session: Session, collection_id: str) -> Collection:
    query: Select[Any] = select(Collection).where(Collection.id == collection_id).with_for_update()
    found: Collection = session.scalars(query.execution_options(populate_existing=True)).one()
    return found
