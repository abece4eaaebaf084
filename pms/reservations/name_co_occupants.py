"""Names who lives with the resident (specification, Co-occupant)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_difference, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import CoOccupant
from pms.rules.deeds import Deed
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
        raise Refused(
            "coOccupants: nobody joins a tenancy that is {lifecycle}.",
            lifecycle=Lifecycle(row.lifecycle),
        )
    before = _names_of(session, row.id)
    # One by one: of a statement nobody could tell whose people went, and all would be compared.
    for person in session.scalars(select(CoOccupant).where(CoOccupant.reservation_id == row.id)):
        session.delete(person)
    session.flush()
    write_co_occupants(session, row.id, named)
    mark_changed(row, clock, actor)
    facts = {
        "before": {"co_occupants": before},
        "after": {"co_occupants": [person.name for person in named]},
    }
    note_difference(session, clock, actor, Deed.CO_OCCUPANTS_NAMED, subject_of(row), **facts)
    session.flush()
    return named


def _names_of(session: Session, reservation_id: str) -> list[str]:
    named = select(CoOccupant.name).where(CoOccupant.reservation_id == reservation_id)
    return list(session.scalars(named.order_by(CoOccupant.position)))


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
        raise Refused(
            "coOccupants: {found_people} are more than {most_people}.",
            found_people=len(people),
            most_people=MOST_CO_OCCUPANTS,
        )
    named = tuple(NamedPerson(name.strip(), (kana or "").strip() or None) for name, kana in people)
    for person in named:
        if not 0 < len(person.name) <= LONGEST_NAME:
            raise Refused(
                "coOccupants: a name has 1 to {most_characters} characters.",
                most_characters=LONGEST_NAME,
            )
        if len(person.name_kana or "") > LONGEST_NAME:
            raise Refused(
                "coOccupants: a reading has at most {most_characters} characters.",
                most_characters=LONGEST_NAME,
            )
    return named
