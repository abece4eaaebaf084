"""Names who lives with the resident (specification, Co-occupant)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import CoOccupant
from pms.rules.enumerations import Lifecycle

MOST_CO_OCCUPANTS: Final = 10
LONGEST_NAME: Final = 200
_OPEN: Final = frozenset(
    {Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED}
)


class NamedPerson(NamedTuple):
    """Somebody on the contract beside its holder."""

    name: str
    name_kana: str | None = None


def name_co_occupants(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    people: Sequence[NamedPerson],
    expected_version: int | None = None,
) -> tuple[NamedPerson, ...]:
    """Replace the co-occupants of a reservation that is not over, in the order given.

    Nobody is charged more by this: a surcharge is a price of its own.
    """
    named = checked_people(people)
    row = reservation_to_change(session, reservation_id, expected_version)
    if row.lifecycle not in _OPEN:
        raise Refused(f"coOccupants: nobody joins a tenancy that is {row.lifecycle}.")
    session.execute(delete(CoOccupant).where(CoOccupant.reservation_id == row.id))
    write_co_occupants(session, row.id, named)
    mark_changed(row, clock, actor)
    session.flush()
    return named


def write_co_occupants(
    session: Session, reservation_id: str, people: Sequence[NamedPerson]
) -> None:
    """Store people in their order; they were checked before."""
    rows = [
        {"id": new_id(), "reservation_id": reservation_id, "position": place}
        | {"name": person.name, "name_kana": person.name_kana}
        for place, person in enumerate(people, start=1)
    ]
    if rows:
        session.execute(insert(CoOccupant), rows)


def checked_people(people: Sequence[NamedPerson]) -> tuple[NamedPerson, ...]:
    """Return the people with their blanks trimmed, or raise `Refused`."""
    if len(people) > MOST_CO_OCCUPANTS:
        raise Refused(f"coOccupants: {len(people)} are more than {MOST_CO_OCCUPANTS}.")
    named = tuple(NamedPerson(name.strip(), (kana or "").strip() or None) for name, kana in people)
    for person in named:
        if not 0 < len(person.name) <= LONGEST_NAME:
            raise Refused(f"coOccupants: a name has 1 to {LONGEST_NAME} characters.")
        if len(person.name_kana or "") > LONGEST_NAME:
            raise Refused(f"coOccupants: a reading has at most {LONGEST_NAME} characters.")
    return named
