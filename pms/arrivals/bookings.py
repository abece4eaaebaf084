"""Booking a tenancy: its checks, its plan and its write."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, Unpack

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.arrivals.booking_checks import Booking, BookingFacts, check_booking, check_nights
from pms.availability.vacancies import refuse_following
from pms.catalogue.units import known_unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.numbering import PAYMENT_REFERENCES, take_count
from pms.foundation.work import Work
from pms.ledger.move_in_invoices import invoice_of, issue_move_in_invoice
from pms.ledger.planned_entries import PlannedEntry
from pms.ledger.repricing import RentFacts
from pms.pricing.agreed_price import (
    amounts_by_item,
    check_amounts,
    check_discount,
)
from pms.pricing.prices import AgreedPrice, freeze_price
from pms.reservations.changes import refuse_conflict, stored_without_overlap, unit_stays
from pms.reservations.locks import lock_units
from pms.reservations.models import Reservation
from pms.reservations.residents import write_co_occupants
from pms.rules.audit_events import AuditEvent
from pms.rules.days import readable
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from pms.rules.invoices import OneTimeAmounts, payment_reference
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Price
from pms.rules.unit_stays import Stay, TenancyFacts, is_unconfirmed
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.queries import policy
from pms.workspaces.tax_classes import workspace_taxes


@dataclass(frozen=True, slots=True)
class BookingPlan:
    """A booking that can be made, and its move-in invoice; without a price there is no invoice."""

    booking: Booking
    invoice: PlannedEntry | None


def plan_booking(
    session: Session,
    today: date,
    booking: Booking,
    *,
    reservation_id: str = "",
    is_written: bool = False,
    beside: Collection[str] = (),
) -> BookingPlan:
    """Return what booking would write; raise `Refused` or `NotFound` before anything is written.

    The reservations `beside` end before this one within the same act. With `is_written` the unit's
    row is locked, so that nobody else can take the nights in between.
    """
    sound = check_booking(booking)
    check_nights(sound.kind, sound.term, policy(session))
    known_unit(session, sound.unit_id)
    if is_written:
        lock_units(session, [sound.unit_id])
    stay = Stay(
        reservation_id,
        sound.move_in_date,
        sound.contract_end_date,
        kind=sound.kind,
        is_unconfirmed=is_unconfirmed(Lifecycle.BOOKED, sound.kind),
    )
    refuse_conflict(session, stay, sound.unit_id, today, beside)
    refuse_following(session, sound.unit_id, stay, today, beside=beside, follows=sound.follows)
    return BookingPlan(sound, _planned_invoice(session, sound, reservation_id, today))


def _planned_invoice(
    session: Session, booking: Booking, reservation_id: str, today: date
) -> PlannedEntry | None:
    """Return the move-in invoice, or None when nothing is billed, as for an owner resident."""
    if booking.kind == ReservationKind.OWNER_RESIDENT:
        return None
    starts = (readable(stay.start_on) for stay in unit_stays(session, booking.unit_id))
    successor_start_on = min(
        (day for day in starts if day and day > booking.move_in_date), default=None
    )
    tenancy = TenancyFacts(
        booking.term,
        booking.kind,
        successor_start_on=successor_start_on,
        is_unconfirmed=is_unconfirmed(Lifecycle.BOOKED, booking.kind),
    )
    if booking.amounts:
        # The price as it will be frozen.
        yen = dict(amounts_by_item(check_amounts(booking.amounts)))
        yen.update((fee.code, fee.amount_yen) for fee in booking.fees)
        price = Price(
            (PriceSpan(booking.move_in_date, None, yen),),
            check_discount(booking.discount) if booking.discount else None,
        )
        fees = {fee.code: fee for fee in booking.fees}
        agreed = AgreedPrice(price, (fees,), booking.discount.label if booking.discount else None)
    else:
        agreed = None
    figures, taxes = policy(session), workspace_taxes(session)
    facts = RentFacts(reservation_id, tenancy, agreed, (), figures, today, taxes)
    one_time = OneTimeAmounts(booking.reservation_fee_yen, booking.deposit_yen)
    invoice = invoice_of(facts, one_time, booking.invoice_due_on)
    return invoice if invoice.lines or invoice.rows else None


@dataclass(frozen=True, slots=True)
class Booked:
    """A new reservation, and its move-in invoice as issued."""

    reservation_id: str
    invoice: PlannedEntry | None
    invoice_id: str | None = None


def write_booking(work: Work, reservation_id: str, plan: BookingPlan) -> Booked:
    """Write a plan whose unit is still locked; a database constraint also rejects taken nights."""
    booking = plan.booking
    reference = payment_reference(take_count(work.session, PAYMENT_REFERENCES))
    with stored_without_overlap(work.session):
        work.session.add(
            _build_reservation(reservation_id, booking, reference, work.clock, work.actor)
        )
    write_co_occupants(work.session, reservation_id, booking.co_occupants)
    if booking.amounts is not None:
        freeze_price(
            work.session,
            work.clock,
            reservation_id=reservation_id,
            first_on=booking.move_in_date,
            amounts=booking.amounts,
            fees=booking.fees,
            discount=booking.discount,
        )
    invoice_id = None
    if plan.invoice is not None:
        invoice_id = issue_move_in_invoice(
            work, reservation_id=reservation_id, due_on=booking.invoice_due_on
        )
    about, facts = of_reservation(reservation_id), _booking_facts(plan)
    note_audit_event(work, AuditEvent.RESERVATION_BOOKED, about, after=facts)
    tend_turnovers(work.session, [booking.unit_id])
    return Booked(reservation_id, plan.invoice, invoice_id)


def _booking_facts(plan: BookingPlan) -> dict[str, Any]:
    """Return the audit facts of a booking; contact data is kept out of the audit event."""
    booking = plan.booking
    return {
        "unit_id": booking.unit_id,
        "kind": booking.kind,
        "name": booking.name,
        "move_in_date": booking.move_in_date,
        "contract_end_date": booking.contract_end_date,
        "base_rent_yen": booking.amounts.base_rent_yen if booking.amounts else None,
        "deposit_yen": booking.deposit_yen,
        "move_in_invoice_yen": plan.invoice.total_yen if plan.invoice else None,
        **({"follows": ", ".join(booking.follows)} if booking.follows else {}),
    }


def _build_reservation(
    reservation_id: str, booking: Booking, reference: str, clock: Clock, actor: str
) -> Reservation:
    return Reservation(
        id=reservation_id,
        unit_id=booking.unit_id,
        kind=booking.kind,
        lifecycle=Lifecycle.BOOKED,
        name=booking.name,
        name_kana=booking.name_kana,
        email=booking.email,
        phone=booking.phone,
        locale=booking.locale,
        move_in_date=booking.move_in_date,
        contract_end_date=booking.contract_end_date,
        arrival_date=booking.arrival_date,
        reservation_fee_yen=booking.reservation_fee_yen,
        deposit_yen=booking.deposit_yen,
        payment_reference=reference,
        payment_status=PaymentStatus.PENDING,
        esign_status=EsignStatus.PENDING,
        note=booking.note,
        created_at=clock.now(),
        updated_at=clock.now(),
        updated_by=actor,
    )


def book(work: Work, **facts: Unpack[BookingFacts]) -> Booked:
    """Book a tenancy; return the id of the new reservation, and its move-in invoice as issued.

    An owner resident has no invoice, nor has a guest without a price. Raises `NotFound` for an
    unknown unit, and `Refused` for bad facts and for nights that another reservation takes. A
    tenancy that is forced month to month takes all following nights.
    """
    id_ = new_id()
    plan = plan_booking(
        work.session, work.clock.today(), Booking(**facts), reservation_id=id_, is_written=True
    )
    return write_booking(work, id_, plan)


def book_once(
    work: Work, *, new_reservation_id: str, **facts: Unpack[BookingFacts]
) -> Booked | None:
    """Book under this id; return None when a booking was already made under it.

    Raises what `book` raises.
    """
    if not is_id(new_reservation_id):
        raise Refused("The form was not loaded completely. Open it again.")
    # A concurrent submission of the same form waits for this lock, and then finds the booking.
    if is_id(facts["unit_id"]):
        lock_units(work.session, [facts["unit_id"]])
    asked = select(Reservation.id).where(Reservation.id == new_reservation_id)
    if work.session.scalar(asked) is not None:
        return None
    plan = plan_booking(
        work.session,
        work.clock.today(),
        Booking(**facts),
        reservation_id=new_reservation_id,
        is_written=True,
    )
    return write_booking(work, new_reservation_id, plan)


def preview_booking(session: Session, clock: Clock, **facts: Unpack[BookingFacts]) -> BookingPlan:
    """Return the plan that `book` with the same facts would write today."""
    return plan_booking(session, clock.today(), Booking(**facts))


@contextmanager
def writing_at_once(session: Session) -> Iterator[None]:
    """Flush at the end of the block; raise `Collision` if a concurrent write conflicts with it."""
    try:
        yield
        session.flush()
    except IntegrityError as refusal:
        raise Collision(
            "These records were changed in the meantime. Check the preview again."
        ) from refusal
