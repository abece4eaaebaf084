"""Lists resident records: a resident is a reservation (specification, Residents)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.find_units import is_building, is_unit
from pms.catalogue.models import Building, Unit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.paging import Paging
from pms.foundation.prepared import PreparedInWorkspace, among
from pms.foundation.search import finds
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.days import RecordedDay
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind


class ResidentSearch(NamedTuple):
    """What a list of residents asks for; unset filters keep everything."""

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
    """Return one page of the matching records, newest first, and how many match in all."""
    if search == _EVERYBODY:
        ((total,),) = _COUNT.all(session)
        offset = min(paging.offset, total)
        ids = [id_ for (id_,) in _PAGE.all(session, offset=offset, limit=paging.limit)]
        return _records(session, ids), total
    conditions = list(matching(search))
    is_placed = bool(search.building or search.unit or search.search)
    total = session.scalar(_from(select(func.count()), is_placed).where(*conditions)) or 0
    asked = (
        _from(select(Reservation.id), is_placed)
        .where(*conditions)
        .order_by(Reservation.id.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return _records(session, session.scalars(asked).all()), total


def resident_record(session: Session, reservation_id: str) -> ResidentRecord:
    """Return one record; raise `NotFound` for an id that is not of this workspace."""
    found = _records(session, [reservation_id]) if is_id(reservation_id) else []
    if not found:
        raise NotFound(
            "There is no resident '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return found[0]


def _from(question: Select[*tuple[Any, ...]], is_placed: bool) -> Select[*tuple[Any, ...]]:
    # Places are joined only when they are asked about, so that a deep page stays a walk of ids.
    question = question.select_from(Reservation)
    return question.join(Reservation.unit).join(Unit.building) if is_placed else question


def matching(search: ResidentSearch) -> Iterator[ColumnElement[bool]]:
    """Give the conditions of a search; those of places ask for the unit and its building."""
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


def _records(session: Session, ids: Sequence[str]) -> list[ResidentRecord]:
    rows = _RECORDS.all(session, ids=list(ids))
    named = _co_occupants(session, [row[0] for row in rows])
    return [ResidentRecord._make((*row, named[row[0]])) for row in rows]


def _co_occupants(session: Session, ids: list[str]) -> Mapping[str, list[str]]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for reservation_id, name in _NAMED.all(session, ids=ids):
        named[reservation_id].append(name)
    return named
