"""What billing knows of a reservation on a day: its tenancy, its price, and its rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.ledger.queries import StandingRow, standing_rows
from pms.pricing.prices import AgreedPrice, agreed_prices
from pms.reservations.models import Reservation
from pms.reservations.tenancies import read_tenancies
from pms.rules.enumerations import ReservationKind
from pms.rules.month_to_month import BillableSpan, Tenancy, billable_span
from pms.rules.move_in_invoice import OneTimeAmounts
from pms.rules.policy import Policy
from pms.workspaces.queries import policy


@dataclass(frozen=True, slots=True)
class RentFacts:
    """One reservation: its tenancy, its price if it has one, and its present rows."""

    reservation_id: str
    tenancy: Tenancy
    agreed: AgreedPrice | None
    rows: tuple[StandingRow, ...]
    policy: Policy
    on: date

    @property
    def span(self) -> BillableSpan | None:
        """The days to bill; guests get no rows automatically."""
        if self.tenancy.kind == ReservationKind.GUEST:
            return None
        return billable_span(self.tenancy, self.on, self.policy)

    @property
    def price(self) -> AgreedPrice:
        """The price; raise `Refused` without one."""
        if self.agreed is None:
            raise Refused(
                "Reservation {reservation_id} has no price.", reservation_id=self.reservation_id
            )
        return self.agreed


@dataclass(frozen=True, slots=True)
class RentReading:
    """The facts of the readable reservations, and the damage of the others."""

    facts: Mapping[str, RentFacts]
    damaged: Mapping[str, Refused]


def read_rent_facts(session: Session, reservation_ids: Iterable[str], on: date) -> RentReading:
    """Return the facts of many reservations on a day."""
    ids = list(reservation_ids)
    figures, reading = policy(session), read_tenancies(session, ids)
    prices, rows = agreed_prices(session, ids), standing_rows(session, ids)
    facts = {
        id_: RentFacts(id_, tenancy, prices.get(id_), rows.get(id_, ()), figures, on)
        for id_, tenancy in reading.tenancies.items()
    }
    return RentReading(facts, reading.damaged)


def rent_facts(
    session: Session, reservation_id: str, on: date, tenancy: Tenancy | None = None
) -> RentFacts:
    """Return the facts of one reservation; for a preview `tenancy` is the changed one."""
    if tenancy is None:
        reading = read_rent_facts(session, [reservation_id], on)
        for refusal in reading.damaged.values():
            raise refusal
        return reading.facts[reservation_id]
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    rows = standing_rows(session, [reservation_id]).get(reservation_id, ())
    return RentFacts(reservation_id, tenancy, agreed, rows, policy(session), on)


def one_time_amounts(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, OneTimeAmounts]:
    """Return the reservation fees and deposits, by reservation."""
    found = session.execute(
        select(Reservation.id, Reservation.reservation_fee_yen, Reservation.deposit_yen).where(
            one_of(Reservation.id, reservation_ids)
        )
    )
    return {id_: OneTimeAmounts(fee_yen, deposit_yen) for id_, fee_yen, deposit_yen in found}
