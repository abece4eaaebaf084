"""The co-occupants of a tenancy."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_difference, subject_of
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.reservations.changes import mark_changed
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import CoOccupant
from pms.reservations.residents import NamedPerson, check_people, write_co_occupants
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Lifecycle

_OPEN: Final = frozenset(
    {Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED}
)


def name_co_occupants(
    work: Work,
    *,
    reservation_id: str,
    people: Sequence[NamedPerson],
    expected_version: int | None = None,
) -> tuple[NamedPerson, ...]:
    """Replace the co-occupants of a reservation that is not over, in the given order.

    The price does not change: a surcharge is a price of its own.
    """
    named = check_people(people)
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if row.lifecycle not in _OPEN:
        raise Refused(
            "coOccupants: no co-occupant can be added to a tenancy that is {lifecycle}.",
            lifecycle=Lifecycle(row.lifecycle),
        )
    before = _names_of(work.session, row.id)
    for person in work.session.scalars(
        select(CoOccupant).where(CoOccupant.reservation_id == row.id)
    ):
        work.session.delete(person)
    work.session.flush()
    write_co_occupants(work.session, row.id, named)
    mark_changed(row, work.clock, work.actor)
    facts = {
        "before": {"co_occupants": before},
        "after": {"co_occupants": [person.name for person in named]},
    }
    note_difference(work, AuditEvent.CO_OCCUPANTS_NAMED, subject_of(row), **facts)
    work.session.flush()
    if before or named:
        mark_outdated(work, [row.id])
    return named


def _names_of(session: Session, reservation_id: str) -> list[str]:
    named = select(CoOccupant.name).where(CoOccupant.reservation_id == reservation_id)
    return list(session.scalars(named.order_by(CoOccupant.position)))
