"""Says what booking an offer would be told: the terms as frozen, the person as stated."""

from pms.arrivals.booking import BookingFacts
from pms.offers.frozen_terms import thawed
from pms.offers.models import ReservationLink
from pms.offers.stated_details import StatedDetails
from pms.reservations.name_co_occupants import NamedPerson
from pms.rules.enumerations import Locale, ReservationKind

_NOBODY = "–"


def booking_of(row: ReservationLink, details: StatedDetails | None) -> BookingFacts:
    """Return the facts of the booking; before anything is stated, the office's word counts."""
    terms = thawed(row.terms)
    stated = details or StatedDetails(
        name=row.name or _NOBODY, email=row.email, locale=Locale(row.locale)
    )
    return {
        "unit_id": row.unit_id,
        "kind": ReservationKind.RESIDENT,
        "move_in_date": row.move_in_on,
        "contract_end_date": row.contract_end_on,
        "arrival_date": stated.arrival_on,
        "name": stated.name,
        "name_kana": stated.name_kana,
        "email": stated.email,
        "phone": stated.phone,
        "locale": stated.locale,
        "co_occupants": [NamedPerson(name) for name in stated.co_occupants],
        "amounts": terms.amounts,
        "fees": terms.fees,
        "discount": terms.discount,
        "reservation_fee_yen": terms.reservation_fee_yen,
        "deposit_yen": terms.deposit_yen,
    }
