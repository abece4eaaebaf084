"""The stays that conflict with a booking."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.ids import is_id
from pms.reservations.changes import conflicts_of
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm, refusal_of_term
from pms.rules.unit_stays import Stay, is_unconfirmed


class ConflictingStay(NamedTuple):
    """A conflicting reservation; `free_from_on` is None while no end is known.

    A resident takes the unit until a notice is filed, whatever the agreed contract end.
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
    """Return who takes the unit on some of the nights, earliest first, without `beside`."""
    if not is_id(unit_id) or refusal_of_term(ContractTerm(first_on, last_on)) is not None:
        return ()
    conflicts = conflicts_of(session, Stay("", first_on, last_on), unit_id, today, beside)
    if not conflicts:
        return ()
    ids = [span.id for span in conflicts]
    asked = select(
        Reservation.id,
        Reservation.name,
        Reservation.ends_on,
        Reservation.lifecycle,
        Reservation.kind,
    )
    rows = {row.id: row for row in session.execute(asked.where(Reservation.id.in_(ids)))}
    return [
        ConflictingStay(
            span.id,
            rows[span.id].name,
            span.first_on,
            span.free_from_on,
            span.first_on <= today
            and rows[span.id].ends_on is None
            and not is_unconfirmed(rows[span.id].lifecycle, rows[span.id].kind),
        )
        for span in conflicts
    ]
