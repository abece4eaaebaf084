"""Writes a planned booking: the reservation, who lives there, the frozen price and the invoice."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking
from pms.arrivals.booking_plan import BookingPlan
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.ledger.issue_move_in_invoice import issue_move_in_invoice
from pms.ledger.planned_entries import PlannedEntry
from pms.pricing.freeze_price import freeze_price
from pms.reservations.models import Reservation
from pms.reservations.name_co_occupants import write_co_occupants
from pms.reservations.unit_conflicts import stored_without_overlap
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus


@dataclass(frozen=True, slots=True)
class Booked:
    """A reservation that was made, and its move-in invoice as it was issued."""

    reservation_id: str
    invoice: PlannedEntry | None
    invoice_id: str | None = None


def write_booking(
    session: Session, clock: Clock, actor: str, reservation_id: str, plan: BookingPlan
) -> Booked:
    """Write a plan whose unit is still locked; the database's constraint stands behind it."""
    booking = plan.booking
    with stored_without_overlap(session):
        session.add(_row(reservation_id, booking, clock, actor))
    write_co_occupants(session, reservation_id, booking.co_occupants)
    if booking.amounts is not None:
        freeze_price(
            session,
            clock,
            reservation_id=reservation_id,
            first_on=booking.move_in_date,
            amounts=booking.amounts,
            fees=booking.fees,
            discount=booking.discount,
        )
    invoice_id = None
    if plan.invoice is not None:
        invoice_id = issue_move_in_invoice(
            session,
            clock,
            actor,
            reservation_id=reservation_id,
            due_on=booking.invoice_due_on,
        )
    about, told = of_reservation(reservation_id), _told(plan)
    note_deed(session, clock, actor, Deed.RESERVATION_BOOKED, about, after=told)
    return Booked(reservation_id, plan.invoice, invoice_id)


def _told(plan: BookingPlan) -> dict[str, Any]:
    """What the audit tells of a booking; how to reach its people stays with the reservation."""
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


def _row(reservation_id: str, booking: Booking, clock: Clock, actor: str) -> Reservation:
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
        payment_status=PaymentStatus.PENDING,
        esign_status=EsignStatus.PENDING,
        note=booking.note,
        created_at=clock.now(),
        updated_at=clock.now(),
        updated_by=actor,
    )
