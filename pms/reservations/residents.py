"""Residents: lists, names, co-occupants."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, insert, select
from sqlalchemy.orm import Session, aliased

from pms.access.models import ApiKey, Member, Person
from pms.catalogue.models import Building, Owner, Unit
from pms.catalogue.units import is_building, is_unit
from pms.foundation.audit import Subject
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import PreparedInWorkspace, among
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.days import RecordedDay
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from pms.workspaces.models import Fee

MOST_CO_OCCUPANTS: Final = 10
LONGEST_NAME: Final = 200


class NamedPerson(NamedTuple):
    """A person on the contract besides its holder."""

    name: str
    name_kana: str | None = None


def write_co_occupants(
    session: Session, reservation_id: str, people: Sequence[NamedPerson]
) -> None:
    """Store people in their order; they are validated already."""
    rows = [
        {"id": new_id(), "reservation_id": reservation_id, "position": place}
        | {"name": person.name, "name_kana": person.name_kana}
        for place, person in enumerate(people, start=1)
    ]
    if rows:
        session.execute(insert(CoOccupant), rows)


def check_people(people: Sequence[NamedPerson]) -> tuple[NamedPerson, ...]:
    """Return the people with trimmed names, or raise `Refused`."""
    if len(people) > MOST_CO_OCCUPANTS:
        raise Refused(
            "coOccupants: {found_people} people are more than {most_people}.",
            found_people=len(people),
            most_people=MOST_CO_OCCUPANTS,
        )
    named = tuple(NamedPerson(name.strip(), (kana or "").strip() or None) for name, kana in people)
    for person in named:
        if not 0 < len(person.name) <= LONGEST_NAME:
            raise Refused(
                "coOccupants: enter a name of 1 to {most_characters} characters.",
                most_characters=LONGEST_NAME,
            )
        if len(person.name_kana or "") > LONGEST_NAME:
            raise Refused(
                "coOccupants: enter a reading of at most {most_characters} characters.",
                most_characters=LONGEST_NAME,
            )
    return named


def co_occupants(session: Session, reservation_id: str) -> Sequence[NamedPerson]:
    """Return the co-occupants of a reservation in their order."""
    rows = session.execute(
        select(CoOccupant.name, CoOccupant.name_kana)
        .where(CoOccupant.reservation_id == reservation_id)
        .order_by(CoOccupant.position)
    )
    return [NamedPerson._make(row) for row in rows]


Question = Select[*tuple[Any, ...]]


def _select_unit_names() -> Question:
    return select(Unit.id, Building.name, Building.name_en, Unit.name).join(Unit.building)


def _select_member_names() -> Question:
    return select(Member.id, Person.name, Person.name).join(Person, Person.id == Member.person_id)


_QUESTIONS: Final[Mapping[str, tuple[Any, Callable[[], Question]]]] = {
    "reservation": (
        Reservation.id,
        lambda: select(Reservation.id, Reservation.name, Reservation.name),
    ),
    "unit": (Unit.id, _select_unit_names),
    "building": (Building.id, lambda: select(Building.id, Building.name, Building.name_en)),
    "owner": (Owner.id, lambda: select(Owner.id, Owner.name, Owner.name)),
    "fee": (Fee.id, lambda: select(Fee.id, Fee.label_ja, Fee.label_en)),
    "api_key": (ApiKey.id, lambda: select(ApiKey.id, ApiKey.name, ApiKey.name)),
    "member": (Member.id, _select_member_names),
}


def subject_names(session: Session, subjects: Iterable[Subject]) -> Mapping[Subject, Bilingual]:
    """Return the names of those subjects that have one and still exist, one query per kind."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for kind, id_ in subjects:
        if kind in _QUESTIONS and is_id(id_):
            wanted[kind].add(id_)
    return {
        (kind, row[0]): _build_subject_name(row[1:])
        for kind, ids in wanted.items()
        for row in session.execute(_select_subject_names(kind, ids))
    }


def _select_subject_names(kind: str, ids: set[str]) -> Question:
    column, question = _QUESTIONS[kind]
    return question().where(column.in_(ids))


def _build_subject_name(parts: tuple[str, ...]) -> Bilingual:
    ja, en, *room = parts
    return Bilingual(" ".join((ja, *room)), " ".join((en or ja, *room)))


class ResidentSearch(NamedTuple):
    """Filters of a list of residents; unset ones match everything."""

    building: str | None = None
    unit: str | None = None
    email: str | None = None
    search: str | None = None
    payment_status: PaymentStatus | None = None
    esign_status: EsignStatus | None = None


class ResidentRecord(NamedTuple):
    """One reservation with its place; days as recorded."""

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    move_in_date: RecordedDay
    override_move_in_date: RecordedDay
    arrival_date: RecordedDay
    contract_end_date: RecordedDay
    override_contract_end_date: RecordedDay
    move_out_date: RecordedDay
    expected_departure_date: RecordedDay
    forced_on: date | None
    cancelled_at: datetime | None
    payment_status: PaymentStatus
    esign_status: EsignStatus
    created_at: datetime
    updated_at: datetime
    unit_id: str
    unit_name: str
    building_id: str
    building_name: str
    later_terms_from: str | None
    successor_start_on: date | None
    co_occupants: Sequence[str]


_Successor = aliased(Reservation)
_SUCCESSOR_START = (
    select(func.min(_Successor.starts_on))
    .where(
        _Successor.workspace_id == Reservation.workspace_id,
        _Successor.unit_id == Reservation.unit_id,
        _Successor.starts_on > Reservation.starts_on,
        _Successor.cancelled_at.is_(None),
    )
    .scalar_subquery()
)
_RECORDS = PreparedInWorkspace(
    select(
        Reservation.id,
        Reservation.kind,
        Reservation.lifecycle,
        Reservation.name,
        Reservation.name_kana,
        Reservation.email,
        Reservation.phone,
        Reservation.move_in_date,
        Reservation.override_move_in_date,
        Reservation.arrival_date,
        Reservation.contract_end_date,
        Reservation.override_contract_end_date,
        Reservation.move_out_date,
        Reservation.expected_departure_date,
        Reservation.forced_on,
        Reservation.cancelled_at,
        Reservation.payment_status,
        Reservation.esign_status,
        Reservation.created_at,
        Reservation.updated_at,
        Unit.id,
        Unit.name,
        Building.id,
        Building.name,
        Reservation.later_terms_from,
        _SUCCESSOR_START,
    )
    .join(Reservation.unit)
    .join(Unit.building)
    .where(among(Reservation.id, "ids"))
    .order_by(Reservation.id.desc())
)

_EVERYBODY = ResidentSearch()
_COUNT = PreparedInWorkspace(select(func.count()).select_from(Reservation))
_PAGE = PreparedInWorkspace(
    select(Reservation.id)
    .order_by(Reservation.id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_NAMED = PreparedInWorkspace(
    select(CoOccupant.reservation_id, CoOccupant.name)
    .where(among(CoOccupant.reservation_id, "ids"))
    .order_by(CoOccupant.position, CoOccupant.id)
)


def list_residents(
    session: Session, search: ResidentSearch, paging: Paging
) -> tuple[Sequence[ResidentRecord], int]:
    """Return one page of the matching records, newest first, and the total count."""
    if search == _EVERYBODY:
        ((total,),) = _COUNT.all(session)
        offset = min(paging.offset, total)
        ids = [id_ for (id_,) in _PAGE.all(session, offset=offset, limit=paging.limit)]
        return _read_records(session, ids), total
    conditions = list(matching(search))
    is_placed = bool(search.building or search.unit or search.search)
    total = (
        session.scalar(
            _select_from_reservations(select(func.count()), is_placed).where(*conditions)
        )
        or 0
    )
    asked = (
        _select_from_reservations(select(Reservation.id), is_placed)
        .where(*conditions)
        .order_by(Reservation.id.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return _read_records(session, session.scalars(asked).all()), total


def resident_record(session: Session, reservation_id: str) -> ResidentRecord:
    """Return one record; raise `NotFound` for an id that is not of this workspace."""
    found = _read_records(session, [reservation_id]) if is_id(reservation_id) else []
    if not found:
        raise no_such("resident", reservation_id)
    return found[0]


def _select_from_reservations(
    question: Select[*tuple[Any, ...]], is_placed: bool
) -> Select[*tuple[Any, ...]]:
    # Places are joined only when needed, so that a deep page reads ids only.
    question = question.select_from(Reservation)
    return question.join(Reservation.unit).join(Unit.building) if is_placed else question


def matching(search: ResidentSearch) -> Iterator[ColumnElement[bool]]:
    """Return the conditions of a search; those on places need the unit and its building joined."""
    if search.building:
        yield is_building(search.building)
    if search.unit:
        yield is_unit(search.unit)
    if search.email:
        yield Reservation.email_key == search.email.casefold()
    if search.search:
        yield finds(search.search, Reservation.search_text, Unit.name_text, Building.name_text)
    if search.payment_status:
        yield Reservation.payment_status == search.payment_status
    if search.esign_status:
        yield Reservation.esign_status == search.esign_status


def _read_records(session: Session, ids: Sequence[str]) -> list[ResidentRecord]:
    rows = _RECORDS.all(session, ids=list(ids))
    named = _co_occupants(session, [row[0] for row in rows])
    return [ResidentRecord._make((*row, named[row[0]])) for row in rows]


def _co_occupants(session: Session, ids: list[str]) -> Mapping[str, list[str]]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for reservation_id, name in _NAMED.all(session, ids=ids):
        named[reservation_id].append(name)
    return named
