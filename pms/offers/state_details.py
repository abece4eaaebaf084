"""Keeps what an applicant states of themselves; nothing is booked by it."""

from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking
from pms.arrivals.booking_checks import checked_booking
from pms.catalogue.checked_texts import checked_phone
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.offers.link_in_hand import link_to_change
from pms.offers.stated_booking import booking_of
from pms.offers.stated_details import StatedDetails, kept_details


def state_details(session: Session, clock: Clock, *, link_id: str, details: StatedDetails) -> None:
    """Keep the details, checked as the booking will check them; raise `Refused` naming a field."""
    row = link_to_change(session, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was accepted already.")
    if not details.email:
        raise Refused("email: papers and codes are sent to it.")
    if details.arrival_on is not None and details.arrival_on < row.move_in_on:
        raise Refused("arrivalDate: the unit is yours from {day}.", day=row.move_in_on)
    sound = checked_booking(Booking(**booking_of(row, details)))
    row.details = kept_details(
        StatedDetails(
            name=sound.name,
            name_kana=sound.name_kana,
            email=sound.email,
            phone=checked_phone("phone", sound.phone),
            arrival_on=sound.arrival_date,
            co_occupants=[person.name for person in sound.co_occupants],
            locale=sound.locale,
        )
    )
    session.flush()
