"""Searches units with their availability: one question for facts, two for what takes them."""

from collections.abc import Container, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.availability.queries import Taken, taken
from pms.catalogue.find_units import UnitFacts, find_units
from pms.rules.availability import Availability, decide
from pms.rules.availability_view import is_shown, matches_available_now, matches_move_in_by
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import Policy
from pms.workspaces.queries import policy as policy_of

_FEW = 50
_FREE: tuple[()] = ()


class UnitSearch(NamedTuple):
    """What a list of units asks for (specification, List units; Availability)."""

    facts: UnitFacts = UnitFacts()
    available_now: bool = False
    move_in_by: date | None = None
    excluded: tuple[ReservationKind, ...] = (ReservationKind.OWNER_RESIDENT,)


class FoundUnit(NamedTuple):
    """A unit that matches, with its availability."""

    id: str
    availability: Availability


class FoundUnits(NamedTuple):
    """The whole match in its order, with how many are confirmed free and how many possibly."""

    units: Sequence[FoundUnit]
    confirmed: int
    possible: int


def search_units(session: Session, search: UnitSearch, today: date) -> FoundUnits:
    """Return every unit that matches; three or four questions, however many units there are."""
    ids = find_units(session, search.facts, today)
    policy = policy_of(session)
    what_takes = taken(session, today, policy, ids if len(ids) <= _FEW else None)
    units = [
        found
        for found in _decided(ids, what_takes, search.excluded, today, policy)
        if _matches(found.availability, search)
    ]
    return FoundUnits(
        units,
        confirmed=sum(unit.availability.move_in_from is not None for unit in units),
        possible=sum(
            unit.availability.state == AvailabilityState.POSSIBLY_AVAILABLE for unit in units
        ),
    )


def availability_of(session: Session, unit_id: str, today: date) -> Availability:
    """Return the availability of one unit."""
    policy = policy_of(session)
    what_takes = taken(session, today, policy, [unit_id])
    stays, blocks = what_takes.stays.get(unit_id, _FREE), what_takes.blocks.get(unit_id, _FREE)
    return decide(stays, blocks, today, policy)


def _decided(
    ids: Sequence[str],
    what_takes: Taken,
    excluded: Container[ReservationKind],
    today: date,
    policy: Policy,
) -> Iterator[FoundUnit]:
    stays_of, blocks_of = what_takes
    for unit_id in ids:
        stays = stays_of.get(unit_id, _FREE)
        if stays and not is_shown(stays, excluded, today, policy):
            continue
        yield FoundUnit(unit_id, decide(stays, blocks_of.get(unit_id, _FREE), today, policy))


def _matches(availability: Availability, search: UnitSearch) -> bool:
    if search.available_now and not matches_available_now(availability):
        return False
    return search.move_in_by is None or matches_move_in_by(availability, search.move_in_by)
