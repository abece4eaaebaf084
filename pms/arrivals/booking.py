"""What is stated when somebody books a unit."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Required, TypedDict

from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.name_co_occupants import NamedPerson
from pms.rules.contract_dates import Term
from pms.rules.enumerations import Locale, ReservationKind


class BookingFacts(TypedDict, total=False):
    """The facts of a booking by name; amounts are whole yen a month, days are days in Japan."""

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
    """A booking with every fact in its place.

    `follows` are the residents, month to month and without a notice, whom staff agreed to follow.
    `invoice_due_on` is the day the move-in invoice is due; None leaves it to the calendar of bills.
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
    def term(self) -> Term:
        """The contract as it is agreed; nothing is overridden yet."""
        return Term(self.move_in_date, self.contract_end_date)
