"""Names what deeds are about: people, rooms, houses, owners, fees and keys, by their ids."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, Member, Person
from pms.catalogue.models import Building, Owner, Unit
from pms.foundation.audit import Subject
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.workspaces.models import Fee

Question = Select[*tuple[Any, ...]]


def _units() -> Question:
    return select(Unit.id, Building.name, Building.name_en, Unit.name).join(Unit.building)


def _people() -> Question:
    return select(Member.id, Person.name, Person.name).join(Person, Person.id == Member.person_id)


_QUESTIONS: Final[Mapping[str, tuple[Any, Callable[[], Question]]]] = {
    "reservation": (
        Reservation.id,
        lambda: select(Reservation.id, Reservation.name, Reservation.name),
    ),
    "unit": (Unit.id, _units),
    "building": (Building.id, lambda: select(Building.id, Building.name, Building.name_en)),
    "owner": (Owner.id, lambda: select(Owner.id, Owner.name, Owner.name)),
    "fee": (Fee.id, lambda: select(Fee.id, Fee.label_ja, Fee.label_en)),
    "api_key": (ApiKey.id, lambda: select(ApiKey.id, ApiKey.name, ApiKey.name)),
    "member": (Member.id, _people),
}


def subject_names(session: Session, subjects: Iterable[Subject]) -> Mapping[Subject, Bilingual]:
    """Return the names of those subjects that have one and still exist, a question a kind."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for kind, id_ in subjects:
        if kind in _QUESTIONS and is_id(id_):
            wanted[kind].add(id_)
    return {
        (kind, row[0]): _name(row[1:])
        for kind, ids in wanted.items()
        for row in session.execute(_of(kind, ids))
    }


def _of(kind: str, ids: set[str]) -> Question:
    column, question = _QUESTIONS[kind]
    return question().where(column.in_(ids))


def _name(parts: tuple[str, ...]) -> Bilingual:
    ja, en, *room = parts
    return Bilingual(" ".join((ja, *room)), " ".join((en or ja, *room)))
