"""Store the amounts of an offer as they were when it was made, as JSON in the row."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, NamedTuple

from msgspec import to_builtins
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.booking_checks import Booking, BookingFacts, check_booking
from pms.arrivals.offered_terms import OfferedTerms
from pms.availability.units import availability_of
from pms.availability.vacancies import vacancy_of
from pms.catalogue.checks import check_phone
from pms.contracts.models import ContractTemplate
from pms.contracts.screenings import open_screening
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.stored_forms import read_stored
from pms.foundation.work import locked
from pms.offers.models import ReservationLink
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.locks import lock_units
from pms.reservations.residents import NamedPerson
from pms.rules.enumerations import Locale, ReservationKind
from pms.rules.unit_stays import Stay
from pms.rules.vacancy import is_free_from


@dataclass(frozen=True, slots=True)
class FrozenTerms:
    """The amounts of an offer in whole yen: monthly, once, and the discount with its condition."""

    amounts: MonthlyAmounts
    fees: tuple[MonthlyFee, ...]
    discount: AgreedDiscount | None
    reservation_fee_yen: int
    deposit_yen: int

    @property
    def monthly_yen(self) -> int:
        """The sum of a whole month, before any discount."""
        own: dict[str, int] = asdict(self.amounts)
        return sum(own.values()) + sum(fee.amount_yen for fee in self.fees)


def usual_terms(offered: OfferedTerms, discount: AgreedDiscount | None = None) -> FrozenTerms:
    """Return the unit's current terms, with the discount if one is given."""
    return FrozenTerms(
        amounts=offered.amounts,
        fees=tuple(offered_fee.fee for offered_fee in offered.fees if offered_fee.is_asked),
        discount=discount,
        reservation_fee_yen=offered.reservation_fee_yen,
        deposit_yen=offered.deposit_yen,
    )


def freeze_terms(terms: FrozenTerms) -> dict[str, Any]:
    """Return the terms as JSON for the row."""
    kept: dict[str, Any] = to_builtins(terms)
    return kept


def thaw_terms(kept: Any) -> FrozenTerms:
    """Return the terms of a row; raise `StoredUnreadable`."""
    return read_stored(FrozenTerms, kept)


def link_to_accept(session: Session, link_id: str) -> ReservationLink:
    """Return the link like `locked`, after locking its unit against other bookings."""
    asked = select(ReservationLink.unit_id).where(ReservationLink.id == link_id)
    unit_id = session.scalar(asked) if is_id(link_id) else None
    if unit_id is not None:
        lock_units(session, [unit_id])
    return locked(session, ReservationLink, link_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDetails:
    """The person who moves in, how to reach them, when they arrive, and who moves in with them."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    arrival_on: date | None = None
    co_occupants: Sequence[str] = ()
    locale: Locale = Locale.JA


def kept_details(details: StatedDetails) -> dict[str, Any]:
    """Return the details as JSON for the row."""
    kept: dict[str, Any] = to_builtins(details)
    return kept


def stated_details(kept: Any) -> StatedDetails | None:
    """Return the details of a row, or `None` before any were entered; raise `StoredUnreadable`."""
    return read_stored(StatedDetails, kept) if kept else None


_NOBODY = "–"


def booking_of(row: ReservationLink, details: StatedDetails | None) -> BookingFacts:
    """Return the facts of the booking; without details, those that the office entered."""
    terms = thaw_terms(row.terms)
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


def state_details(session: Session, clock: Clock, *, link_id: str, details: StatedDetails) -> None:
    """Save the details, checked as the booking will check them; raise `Refused` naming a field."""
    row = locked(session, ReservationLink, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was already accepted.")
    if not details.email:
        raise Refused("email: an email address is needed to send documents and codes to.")
    if details.arrival_on is not None and details.arrival_on < row.move_in_on:
        raise Refused("arrivalDate: the unit is available from {day}.", day=row.move_in_on)
    sound = check_booking(Booking(**booking_of(row, details)))
    row.details = kept_details(
        StatedDetails(
            name=sound.name,
            name_kana=sound.name_kana,
            email=sound.email,
            phone=check_phone("phone", sound.phone),
            arrival_on=sound.arrival_date,
            co_occupants=[person.name for person in sound.co_occupants],
            locale=sound.locale,
        )
    )
    if row.screening_id is None:
        row.screening_id = open_screening(session, clock, by=f"applicant/{row.id}")
    session.flush()


class UnitGone(Refused):
    """The unit of an offer was taken before the offer was accepted."""


def refuse_unofferable(session: Session, unit_id: str, move_in_on: date, today: date) -> None:
    """Raise `Refused` unless the unit may be offered from the day (Availability; List units)."""
    if move_in_on < today:
        raise Refused("moveInDate: {day} is in the past.", day=move_in_on)
    found = availability_of(session, unit_id, today)
    if is_free_from(found, move_in_on):
        return
    if found.move_in_from is not None:
        raise Refused(
            "moveInDate: the unit is free from {free_from_on}. {day} is too early.",
            free_from_on=found.move_in_from,
            day=move_in_on,
        )
    raise Refused(
        "unitId: the unit is {state}. Only a unit that is confirmed free can be offered.",
        state=found.state,
    )


def is_unit_gone(
    session: Session, unit_id: str, move_in_on: date, contract_end_on: date | None, today: date
) -> bool:
    """Whether the unit is no longer free for the offer's days: let, or blocked otherwise."""
    return not vacancy_of(session, unit_id, Stay("", move_in_on, contract_end_on), today).is_free


class TemplateChoice(NamedTuple):
    """A template as a choice."""

    id: str
    name: str


def template_choices(session: Session) -> Sequence[TemplateChoice]:
    """Return the templates in use, the default one first."""
    asked = select(ContractTemplate.id, ContractTemplate.name)
    rows = session.execute(
        asked.where(ContractTemplate.archived_at.is_(None)).order_by(
            ContractTemplate.is_default.desc(), ContractTemplate.name, ContractTemplate.id
        )
    )
    return [TemplateChoice._make(row) for row in rows]
