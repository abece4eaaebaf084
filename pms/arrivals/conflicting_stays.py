"""Names the stays that hold a unit on nights somebody else asks for, for the office's eyes."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.reservations.unit_conflicts import conflicts_of
from pms.rules.contract_dates import Term, refusal_of_term
from pms.rules.stays import Stay


class ConflictingStay(NamedTuple):
    """A reservation in the way; `free_from_on` is None while no end is known.

    Somebody who lives there keeps the unit until a notice is filed, whatever the contract says.
    """

    reservation_id: str
    name: str
    first_on: date
    free_from_on: date | None
    lacks_notice: bool


def conflicting_stays(
    session: Session,
    unit_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[ConflictingStay]:
    """Return who holds the unit on some of the nights, the earliest first, the `beside` left out."""
    if not is_id(unit_id) or refusal_of_term(Term(first_on, last_on)) is not None:
        return ()
    met = conflicts_of(session, Stay("", first_on, last_on), unit_id, today, beside)
    if not met:
        return ()
    ids = [span.id for span in met]
    asked = select(Reservation.id, Reservation.name, Reservation.ends_on)
    rows = {row.id: row for row in session.execute(asked.where(Reservation.id.in_(ids)))}
    return [
        ConflictingStay(
            span.id,
            rows[span.id].name,
            span.first_on,
            span.free_from_on,
            span.first_on <= today and rows[span.id].ends_on is None,
        )
        for span in met
    ]


def next_start(session: Session, unit_id: str, after: date) -> date | None:
    """Return the first day after another on which somebody moves into the unit."""
    return session.scalar(
        select(func.min(Reservation.starts_on)).where(
            Reservation.unit_id == unit_id,
            Reservation.starts_on > after,
            Reservation.cancelled_at.is_(None),
        )
    )
