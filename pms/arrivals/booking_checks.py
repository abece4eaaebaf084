"""The facts of a booking, and the checks of its dates and amounts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Required, TypedDict

from pms.arrivals.contacts import HolderContact, check_contact
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.pricing.agreed_price import (
    AgreedDiscount,
    MonthlyAmounts,
    MonthlyFee,
    check_amounts,
    check_discount,
    check_fees,
    check_yen,
)
from pms.reservations.residents import NamedPerson, check_people
from pms.rules.contract_dates import ContractTerm, refusal_of_term
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.rules.enumerations import Locale, ReservationKind
from pms.rules.policy import Policy
from pms.rules.rent_lines import earns_discount


class BookingFacts(TypedDict, total=False):
    """The keyword arguments of a booking; amounts are whole yen a month, days are days in Japan."""

    unit_id: Required[str]
    kind: Required[ReservationKind]
    name: Required[str]
    move_in_date: Required[date]
    contract_end_date: date | None
    arrival_date: date | None
    name_kana: str | None
    email: str | None
    phone: str | None
    locale: Locale
    amounts: MonthlyAmounts | None
    fees: Sequence[MonthlyFee]
    discount: AgreedDiscount | None
    reservation_fee_yen: int
    deposit_yen: int
    co_occupants: Sequence[NamedPerson]
    note: str | None
    follows: Collection[str]
    invoice_due_on: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """A booking with every fact filled in.

    `follows` are the month-to-month residents without a notice whom staff agreed this booking may
    follow. `invoice_due_on` is the due day of the move-in invoice; with None the bill calendar sets
    it.
    """

    unit_id: str
    kind: ReservationKind
    name: str
    move_in_date: date
    contract_end_date: date | None = None
    arrival_date: date | None = None
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    amounts: MonthlyAmounts | None = None
    fees: Sequence[MonthlyFee] = ()
    discount: AgreedDiscount | None = None
    reservation_fee_yen: int = 0
    deposit_yen: int = 0
    co_occupants: Sequence[NamedPerson] = ()
    note: str | None = None
    follows: Collection[str] = ()
    invoice_due_on: date | None = None

    @property
    def term(self) -> ContractTerm:
        """The agreed contract term, without overrides."""
        return ContractTerm(self.move_in_date, self.contract_end_date)


def check_booking(booking: Booking) -> Booking:
    """Return the booking with its texts trimmed; raise `Refused` naming what is wrong."""
    check_day("moveInDate", booking.move_in_date)
    for field, day in (
        ("contractEndDate", booking.contract_end_date),
        ("arrivalDate", booking.arrival_date),
        ("invoiceDueOn", booking.invoice_due_on),
    ):
        if day is not None:
            check_day(field, day)
    check_term(booking.term, booking.kind)
    _check_amounts(booking)
    contact = check_contact(
        HolderContact(
            name=booking.name,
            name_kana=booking.name_kana,
            email=booking.email,
            phone=booking.phone,
            locale=booking.locale,
            note=booking.note,
        )
    )
    return replace(
        booking,
        kind=ReservationKind(booking.kind),
        name=contact.name,
        name_kana=contact.name_kana,
        email=contact.email,
        phone=contact.phone,
        note=contact.note,
        co_occupants=check_people(booking.co_occupants),
    )


def check_day(field: str, day: date) -> None:
    """Raise `Refused` for a day outside the years the service supports."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refused(
            "{field}: {day} is not between {earliest_on} and {latest_on}.",
            field=field,
            day=day,
            earliest_on=FIRST_DAY,
            latest_on=LAST_DAY,
        )


def check_term(term: ContractTerm, kind: ReservationKind) -> None:
    """Raise `Refused` for dates that form no contract (specification, Contract dates; Guest)."""
    if refusal_of_term(term) is not None:
        raise Refused(
            "contractEndDate: {end_on} is before the move-in on {start_on}. Choose {start_on} "
            "or later.",
            end_on=term.end_on,
            start_on=term.start_on,
        )
    is_night = term.end_on is not None and term.end_on > term.start_on
    if kind == ReservationKind.GUEST and not is_night:
        raise Refused(
            "contractEndDate: A guest checks out after {start_on}. '{end_on}' is not possible.",
            start_on=term.start_on,
            end_on=term.end_on or "",
        )


def check_nights(kind: ReservationKind, term: ContractTerm, policy: Policy) -> None:
    """Raise `Refused` for a guest stay of more nights than the workspace allows (Guest)."""
    if kind != ReservationKind.GUEST or term.end_on is None:
        return
    nights = (term.end_on - term.start_on).days
    if nights > policy.longest_guest_stay:
        raise Refused(
            "contractEndDate: {end_on} is {nights} nights after {start_on}; a guest can stay "
            "at most {most} nights. A longer stay needs a resident's contract.",
            end_on=term.end_on,
            nights=nights,
            start_on=term.start_on,
            most=policy.longest_guest_stay,
        )


def _check_amounts(booking: Booking) -> None:
    check_yen(Phrase("reservationFeeYen"), booking.reservation_fee_yen)
    check_yen(Phrase("depositYen"), booking.deposit_yen)
    if booking.kind == ReservationKind.OWNER_RESIDENT and booking.deposit_yen:
        raise Refused("depositYen: An owner resident pays no refundable deposit. Enter 0.")
    if booking.amounts is None:
        if booking.kind == ReservationKind.RESIDENT:
            raise Refused("amounts: A resident agrees to a rent. Enter the monthly amounts.")
        if booking.fees or booking.discount is not None:
            raise Refused(
                "amounts: Fees and a discount belong to a price. Enter the monthly amounts."
            )
        return
    check_amounts(booking.amounts)
    check_fees(booking.fees)
    if booking.discount is not None:
        term = booking.term
        if not earns_discount(check_discount(booking.discount), term):
            raise Refused(
                "discount: The discount needs a stay of {minimum_days} days, both ends "
                "counted. The contract runs from {start_on} to {end_on}.",
                minimum_days=booking.discount.minimum_stay_days,
                start_on=term.start_on,
                end_on=term.end_on or Phrase("no end date"),
            )
