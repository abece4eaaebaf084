"""Refuses what cannot be booked, naming the field, the value and what is allowed."""

from dataclasses import replace
from datetime import date
from typing import Final

from pms.arrivals.booking import Booking
from pms.arrivals.sheets.cells import email
from pms.arrivals.sheets.reasons import Unreadable
from pms.foundation.errors import Refused
from pms.pricing.agreed_price import (
    AgreedDiscount,
    checked_amounts,
    checked_discount,
    checked_fees,
    checked_yen,
)
from pms.reservations.name_co_occupants import LONGEST_NAME, checked_people
from pms.rules.contract_dates import Term, refusal_of_term
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.rules.discounts import earns_discount
from pms.rules.enumerations import ReservationKind

_LONGEST_PHONE: Final = 50
_LONGEST_NOTE: Final = 10_000


def checked_booking(booking: Booking) -> Booking:
    """Return the booking with its texts trimmed, or raise `Refused` naming what is wrong."""
    _check_dates(booking)
    _check_amounts(booking)
    return replace(
        booking,
        kind=ReservationKind(booking.kind),
        name=_name(booking.name),
        name_kana=_text("nameKana", booking.name_kana, LONGEST_NAME),
        email=_email(booking.email),
        phone=_text("phone", booking.phone, _LONGEST_PHONE),
        note=_text("note", booking.note, _LONGEST_NOTE),
        co_occupants=checked_people(booking.co_occupants),
    )


def check_day(field: str, day: date) -> None:
    """Raise `Refused` for a day outside the years the service reads."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refused(f"{field}: {day} is not between {FIRST_DAY} and {LAST_DAY}.")


def check_term(term: Term, kind: ReservationKind) -> None:
    """Raise `Refused` for dates that are no contract (specification, Contract dates; Guest)."""
    if refusal_of_term(term) is not None:
        raise Refused(
            f"contractEndDate: {term.end_on} is before the move-in on {term.start_on};"
            " a contract ends on its first day or later."
        )
    is_night = term.end_on is not None and term.end_on > term.start_on
    if kind == ReservationKind.GUEST and not is_night:
        raise Refused(
            f"contractEndDate: a guest stays nights and checks out after {term.start_on};"
            f" '{term.end_on or ''}' is no such day."
        )


def _check_dates(booking: Booking) -> None:
    check_day("moveInDate", booking.move_in_date)
    for field, day in (
        ("contractEndDate", booking.contract_end_date),
        ("arrivalDate", booking.arrival_date),
    ):
        if day is not None:
            check_day(field, day)
    check_term(booking.term, booking.kind)


def _check_amounts(booking: Booking) -> None:
    checked_yen("reservationFeeYen", booking.reservation_fee_yen)
    checked_yen("depositYen", booking.deposit_yen)
    if booking.kind == ReservationKind.OWNER_RESIDENT and booking.deposit_yen:
        raise Refused("depositYen: an owner resident pays no refundable deposit; state 0.")
    if booking.amounts is None:
        _check_without_price(booking)
        return
    checked_amounts(booking.amounts)
    checked_fees(booking.fees)
    if booking.discount is not None:
        _check_discount(booking.discount, booking.term)


def _check_discount(agreed: AgreedDiscount, term: Term) -> None:
    if not earns_discount(checked_discount(agreed), term):
        raise Refused(
            f"discount: it is earned by a stay of {agreed.minimum_stay_days} days, both ends"
            f" counted; the contract runs from {term.start_on} to {term.end_on or 'no set day'}."
        )


def _check_without_price(booking: Booking) -> None:
    if booking.kind == ReservationKind.RESIDENT:
        raise Refused("amounts: a resident agrees to a rent; state the monthly amounts.")
    if booking.fees or booking.discount is not None:
        raise Refused("amounts: fees and a discount belong to a price; state the monthly amounts.")


def _name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(f"name: a reservation is in a name of 1 to {LONGEST_NAME} characters.")
    return name


def _text(field: str, text: str | None, longest: int) -> str | None:
    text = (text or "").strip()
    if len(text) > longest:
        raise Refused(f"{field}: {len(text)} characters are more than {longest}.")
    return text or None


def _email(address: str | None) -> str | None:
    try:
        return email(address) if address and address.strip() else None
    except Unreadable as refusal:
        raise Refused(f"email: '{address}' is not an e-mail address.") from refusal
