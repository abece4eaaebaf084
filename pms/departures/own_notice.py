"""Where a resident's own move-out stands: whether they can file, or why the office does it."""

from datetime import date
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.reservations.changing import lifecycle_now
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationKind


class OwnNotice(StrEnum):
    """What the page of a departure offers."""

    FILEABLE = "fileable"
    FILED = "filed"
    GUEST = "guest"
    OWNER = "owner"
    NOT_MOVED_IN = "not_moved_in"
    ENDED = "ended"


def own_notice(row: Reservation, today: date) -> OwnNotice:
    """Return what a resident can do about leaving (States and transitions)."""
    kind, state = ReservationKind(row.kind), lifecycle_now(row, today)
    if kind is ReservationKind.GUEST:
        return OwnNotice.GUEST
    if state is Lifecycle.NOTICE_FILED:
        return OwnNotice.FILED
    if state in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        return OwnNotice.NOT_MOVED_IN
    if state is not Lifecycle.LIVING:
        return OwnNotice.ENDED
    return OwnNotice.OWNER if kind is ReservationKind.OWNER_RESIDENT else OwnNotice.FILEABLE


def refuse_unless_own(row: Reservation, today: date) -> None:
    """Raise `Refused` where the office ends the tenancy, or nobody can."""
    if own_notice(row, today) not in {OwnNotice.FILEABLE, OwnNotice.FILED}:
        raise Refused("notice: this tenancy gives no notice here; ask the office.")


def refuse_own_day(move_out_on: date, today: date) -> None:
    """Raise `Refused` for a day that is over: what is past, the office files."""
    if move_out_on < today:
        raise Refused(
            "moveOutDate: {day} is past; {today} or a later day.", day=move_out_on, today=today
        )


def own_notice_of(session: Session, reservation_id: str, today: date) -> OwnNotice:
    """Return what the resident of a reservation can do about leaving."""
    found = select(Reservation).where(Reservation.id == reservation_id)
    return own_notice(session.scalars(found).one(), today)
