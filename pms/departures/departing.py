"""Gathers what the rules ask about a reservation whose resident leaves."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.departures.queries import notice_in_force
from pms.pricing.queries import prices_of
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.reservations.tenancy_facts import tenancy_of
from pms.rules.days import day_of
from pms.rules.enumerations import ReservationKind
from pms.rules.month_to_month import Tenancy
from pms.rules.notice_edits import FiledNotice
from pms.rules.notice_period import ForcedFlag
from pms.rules.penalties import Departure
from pms.rules.policy import Policy
from pms.rules.rent_lines import Price
from pms.workspaces.queries import policy


@dataclass(frozen=True, slots=True)
class Departing:
    """A reservation, its tenancy and price as they stand, and the notice in force, if any."""

    row: Reservation
    tenancy: Tenancy
    flags: Sequence[ForcedFlag]
    price: Price | None
    policy: Policy
    notice: MoveOutNotice | None

    def forced_on(self, day: date) -> ForcedFlag | None:
        """Return the flag that was set on a day, or None (Move-out penalties 5)."""
        return next((flag for flag in self.flags if flag.is_set_on(day)), None)

    def departure(self, filed: FiledNotice) -> Departure:
        """Return the departure that a filed notice is."""
        return Departure(
            term=self.tenancy.term,
            filed_on=filed.filed_on,
            move_out_on=filed.move_out_on,
            kind=ReservationKind(self.row.kind),
            forced=self.forced_on(filed.filed_on),
        )

    def tenancy_after(self, filed: FiledNotice | None) -> Tenancy:
        """Return the tenancy as it stands with a notice, or once there is none."""
        days = (filed.filed_on, filed.move_out_on) if filed else (None, None)
        return replace(self.tenancy, filed_on=days[0], move_out_on=days[1])


def departing(session: Session, row: Reservation, today: date) -> Departing:
    """Return the facts of a departure as they stand today; a damaged day is `Refused`."""
    return Departing(
        row=row,
        tenancy=tenancy_of(session, row.id, today),
        flags=_flags(session, row.id),
        price=prices_of(session, (row.id,)).get(row.id),
        policy=policy(session),
        notice=notice_in_force(session, row.id),
    )


def _flags(session: Session, reservation_id: str) -> list[ForcedFlag]:
    """Every time staff forced the tenancy, on the Japan days of setting and clearing."""
    rows = session.scalars(
        select(ForcedMonthToMonth).where(ForcedMonthToMonth.reservation_id == reservation_id)
    )
    return [
        ForcedFlag(day_of(row.set_at), row.cleared_at and day_of(row.cleared_at)) for row in rows
    ]
