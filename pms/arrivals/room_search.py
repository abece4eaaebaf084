"""Room search over all buildings."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.free_units import FollowedResident, followed_residents
from pms.availability.vacancies import vacancies
from pms.catalogue.models import Building, Unit
from pms.catalogue.units import UnitFacts, find_units
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.rules.enumerations import (
    AvailabilityState,
    UnitType,
)
from pms.rules.unit_stays import Stay
from pms.rules.vacancy import Vacancy
from pms.rules.visitor_wishes import Trait, tells_trait, walk_minutes
from pms.workspaces.queries import counters


class RoomSearch(NamedTuple):
    """The requested nights and the required facts of a room; an unset wish excludes nothing.

    The reservations `beside` are taken to end before, within the same act. With `every` also rooms
    are found that are not free although no reservation takes the nights.
    """

    first_on: date
    last_on: date | None = None
    facts: UnitFacts = UnitFacts()
    traits: tuple[Trait, ...] = ()
    station_minutes: int | None = None
    beside: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    every: bool = False


class FoundRoom(NamedTuple):
    """A room whose nights no reservation takes; yen a month, minutes on foot to a station.

    It is free only when its state says so. Otherwise residents without a notice (`followed`) come
    before, or a block takes some of the nights outside the service. `free_from_on` is the day in
    its state; a room that somebody leaves today is not free now.
    """

    id: str
    name: str
    type: UnitType
    layout: str | None
    size_centi_sqm: int | None
    rent_yen: int | None
    building_id: str
    building: Bilingual
    area: Bilingual
    station_minutes: int | None
    is_free: bool
    is_blocked: bool
    free_from_on: date | None
    is_free_now: bool
    followed: Sequence[FollowedResident]


class FoundRooms(NamedTuple):
    """One page of rooms, the free ones first, and how many are free and how many are not."""

    rooms: Sequence[FoundRoom]
    free: int
    others: int
    total: int


class _RoomOrder(NamedTuple):
    """The ids of the rooms whose nights no reservation takes, ordered by rent."""

    free: Sequence[str]
    others: Sequence[str]


_SEARCHES: Final = KeptAnswers()


def find_rooms(session: Session, search: RoomSearch, today: date, paging: Paging) -> FoundRooms:
    """Return the rooms ordered by rent, in about a dozen queries whatever their number.

    While units and stays are unchanged, other pages of the list are served from a cache.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    order = _SEARCHES.answer(
        session, (search, today), state, lambda: _order_rooms(session, search, today)
    )
    listed = [*order.free, *order.others] if search.every else order.free
    shown = listed[paging.offset : paging.offset + paging.limit]
    found = vacancies(session, shown, _wanted_stay(search), today, search.beside)
    asked = select(Unit, Building).join(Unit.building).where(one_of(Unit.id, shown))
    rows = {unit.id: (unit, building) for unit, building in session.execute(asked)}
    followed = followed_residents(
        session, {id_: found[id_] for id_ in shown}, search.first_on, today
    )
    rooms = [_build_room(*rows[id_], found[id_], followed[id_]) for id_ in shown if id_ in rows]
    return FoundRooms(rooms, len(order.free), len(order.others), len(listed))


def _order_rooms(session: Session, search: RoomSearch, today: date) -> _RoomOrder:
    named = [id_ for id_ in find_units(session, search.facts, today) if id_ not in search.left_out]
    ids = _keep_confirmed_rooms(session, named, search)
    found = vacancies(session, ids, _wanted_stay(search), today, search.beside)
    return _RoomOrder(
        [id_ for id_ in ids if found[id_].is_free],
        [id_ for id_ in ids if not found[id_].is_free and not found[id_].conflicts],
    )


def _wanted_stay(search: RoomSearch) -> Stay:
    return Stay("", search.first_on, search.last_on)


def _keep_confirmed_rooms(
    session: Session, ids: Sequence[str], search: RoomSearch
) -> Sequence[str]:
    """Return the rooms whose listing confirms every wished trait; a missing statement is a no."""
    if not search.traits and search.station_minutes is None:
        return ids
    asked = select(
        Unit.id,
        Unit.features,
        Unit.features_en,
        Unit.description_ja,
        Unit.description_en,
        Building.access_ja,
        Building.access_en,
    ).join(Unit.building)
    texts = {
        row.id
        for row in session.execute(asked.where(one_of(Unit.id, ids)))
        if _has_traits([*row[1], *row[2], *filter(None, row[3:5])], search.traits)
        and _is_near(walk_minutes(filter(None, row[5:])), search.station_minutes)
    }
    return [id_ for id_ in ids if id_ in texts]


def _has_traits(texts: Sequence[str], traits: Iterable[Trait]) -> bool:
    return all(tells_trait(trait, texts) for trait in traits)


def _is_near(minutes: int | None, most: int | None) -> bool:
    return most is None or (minutes is not None and minutes <= most)


def _build_room(
    unit: Unit, building: Building, vacancy: Vacancy, followed: Sequence[FollowedResident]
) -> FoundRoom:
    return FoundRoom(
        id=unit.id,
        name=unit.name,
        type=unit.type,
        layout=unit.layout,
        size_centi_sqm=unit.size_centi_sqm,
        rent_yen=unit.rent_yen,
        building_id=building.id,
        building=Bilingual(building.name, building.name_en),
        area=Bilingual(building.area, building.area_en),
        station_minutes=walk_minutes(filter(None, (building.access_ja, building.access_en))),
        is_free=vacancy.is_free,
        is_blocked=vacancy.is_blocked,
        free_from_on=vacancy.availability.move_in_from,
        is_free_now=vacancy.availability.state == AvailabilityState.AVAILABLE_NOW,
        followed=followed,
    )
