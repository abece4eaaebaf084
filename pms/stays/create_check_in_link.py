"""Books a short stay for a guest and makes the link by which they check in."""

from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.arrivals.book_once import book_once
from pms.arrivals.booking_checks import check_nights
from pms.availability.vacancies import refuse_unless_free
from pms.catalogue.known_unit import known_unit
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.external_ids import known_once
from pms.foundation.ids import new_id
from pms.reservations.locks import lock_units
from pms.rules.contract_dates import Term
from pms.rules.enumerations import Locale, ReservationKind
from pms.rules.stays import Stay
from pms.stays.link_stay import checked_guests, link_stay
from pms.stays.models import CheckInLink
from pms.workspaces.queries import policy

_FIELDS: Final = {
    "dates": "checkIn",
    "moveInDate": "checkIn",
    "contractEndDate": "checkOut",
    "name": "guestName",
}
"""What a booking calls its fields, and what they are called of a stay."""


def create_check_in_link(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    unit_id: str,
    check_in: date,
    check_out: date,
    guest_name: str,
    guests: int = 1,
    email: str | None = None,
    locale: str = Locale.JA,
    new_reservation_id: str | None = None,
    external_id: str | None = None,
) -> str | None:
    """Return the id of the link of a new booking, None when this form booked it before.

    Nights are those between the two days. Raises `NotFound` for an unknown unit, `Refused` for bad
    facts, with the dates for nights that another reservation holds, and for a unit that somebody
    without a notice keeps from being free; and `Collision` for an
    `external_id` that came before.
    """
    checked_guests(guests)
    if check_out < clock.today():
        raise Refused("checkOut: {day} is past.", day=check_out)
    if check_out <= check_in:
        raise Refused("checkOut: the check-out comes after the check-in on {day}.", day=check_in)
    try:
        check_nights(ReservationKind.GUEST, Term(check_in, check_out), policy(session))
    except Refused as refusal:
        raise refusal.beside("checkOut") from refusal
    reservation_id = new_reservation_id or new_id()
    known_unit(session, unit_id)
    lock_units(session, [unit_id])
    wanted = Stay(reservation_id, check_in, check_out, kind=ReservationKind.GUEST)
    refuse_unless_free(session, unit_id, wanted, clock.today())
    with known_once(session, CheckInLink.external_id, external_id):
        try:
            booked = book_once(
                session,
                clock,
                actor,
                new_reservation_id=reservation_id,
                unit_id=unit_id,
                kind=ReservationKind.GUEST,
                name=guest_name,
                move_in_date=check_in,
                contract_end_date=check_out,
                email=email,
                locale=Locale(locale),
            )
        except Refused as refusal:
            field = _FIELDS.get(refusal.field or "")
            raise refusal.beside(field) if field else refusal from refusal
        if booked is None:
            return None
        return link_stay(
            session,
            clock,
            actor,
            reservation_id=reservation_id,
            guests=guests,
            external_id=external_id,
        )
