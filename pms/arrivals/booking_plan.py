"""Works out a booking before anything is written: the preview and the deed share it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking
from pms.arrivals.booking_checks import checked_booking
from pms.availability.vacancies import refuse_following
from pms.catalogue.known_unit import known_unit
from pms.ledger.issue_move_in_invoice import invoice_of
from pms.ledger.planned_entries import PlannedEntry
from pms.ledger.rent_facts import RentFacts
from pms.pricing.agreed_price import (
    MonthlyAmounts,
    amounts_by_item,
    checked_amounts,
    checked_discount,
)
from pms.pricing.queries import AgreedPrice
from pms.reservations.locks import lock_units
from pms.reservations.unit_conflicts import refuse_conflict
from pms.reservations.unit_stays import unit_stays
from pms.rules.days import readable
from pms.rules.enumerations import ReservationKind
from pms.rules.month_to_month import Tenancy
from pms.rules.move_in_invoice import OneTimeAmounts
from pms.rules.price_timeline import PricePeriod
from pms.rules.rent_lines import Price
from pms.rules.stays import Stay
from pms.workspaces.queries import policy


@dataclass(frozen=True, slots=True)
class BookingPlan:
    """A booking that may be made, and its move-in invoice; without a price there is none."""

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

    The stays `beside` end before this one by the same deed. The unit's row is locked when the
    booking `is_written`, so that nobody takes the nights in between.
    """
    sound = checked_booking(booking)
    known_unit(session, sound.unit_id)
    if is_written:
        lock_units(session, [sound.unit_id])
    stay = Stay(reservation_id, *_held_days(sound), kind=sound.kind)
    refuse_conflict(session, stay, sound.unit_id, today, beside)
    refuse_following(session, sound.unit_id, stay, today, beside=beside, follows=sound.follows)
    return BookingPlan(sound, _planned_invoice(session, sound, reservation_id, today))


def _held_days(booking: Booking) -> tuple[date, date | None]:
    return booking.move_in_date, booking.contract_end_date


def _planned_invoice(
    session: Session, booking: Booking, reservation_id: str, today: date
) -> PlannedEntry | None:
    """The move-in invoice, if there is something to bill; an owner resident is billed nothing."""
    if booking.kind == ReservationKind.OWNER_RESIDENT:
        return None
    tenancy = Tenancy(booking.term, booking.kind, successor_start_on=_successor(session, booking))
    agreed = _agreed_price(booking, booking.amounts) if booking.amounts else None
    facts = RentFacts(reservation_id, tenancy, agreed, (), policy(session), today)
    one_time = OneTimeAmounts(booking.reservation_fee_yen, booking.deposit_yen)
    invoice = invoice_of(facts, one_time, booking.invoice_due_on)
    return invoice if invoice.lines or invoice.rows else None


def _successor(session: Session, booking: Booking) -> date | None:
    starts = (readable(stay.start_on) for stay in unit_stays(session, booking.unit_id))
    return min((day for day in starts if day and day > booking.move_in_date), default=None)


def _agreed_price(booking: Booking, amounts: MonthlyAmounts) -> AgreedPrice:
    """The price as it reads once it is frozen."""
    yen = dict(amounts_by_item(checked_amounts(amounts)))
    yen.update((fee.code, fee.amount_yen) for fee in booking.fees)
    price = Price(
        (PricePeriod(booking.move_in_date, None, yen),),
        checked_discount(booking.discount) if booking.discount else None,
    )
    fees = {fee.code: fee for fee in booking.fees}
    return AgreedPrice(price, (fees,), booking.discount.label if booking.discount else None)
