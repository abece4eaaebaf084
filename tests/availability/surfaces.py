"""What each surface says about a unit, to be compared with the others."""

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.room_search import RoomSearch, find_rooms
from pms.availability.busy_nights import busy_nights
from pms.availability.timeline import timeline
from pms.availability.units import (
    UnitSearch,
    availability_of,
    explain_unit,
    search_units,
    unit_labels,
)
from pms.availability.vacancies import vacancies
from pms.catalogue.models import ExternalBlock
from pms.foundation.lists import Paging
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.unit_stays import Stay

NIGHTS = 40


def differing_answers(session: Session, unit_ids: Sequence[str], today: date) -> list[str]:
    """Return what two surfaces answer differently, unit by unit."""
    labels = unit_labels(session, unit_ids, today)
    listed = dict(search_units(session, UnitSearch(excluded=()), today).units)
    search = RoomSearch(first_on=today, every=True)
    rooms = {room.id: room for room in find_rooms(session, search, today, Paging(1, 1_000)).rooms}
    bars = timeline(session, unit_ids, today, today + timedelta(days=NIGHTS), today)
    vacant = {}
    for night in _nights(today, None, today, is_block=False):
        wanted = Stay("", night, night + timedelta(days=1), kind=ReservationKind.GUEST)
        vacant[night] = vacancies(session, unit_ids, wanted, today)
    found: list[str] = []
    for unit_id in unit_ids:
        label, name = labels[unit_id], f"{unit_id}: {labels[unit_id]}"
        same = [
            listed[unit_id],
            availability_of(session, unit_id, today),
            explain_unit(session, unit_id, today).availability,
        ]
        if any(answer != label for answer in same):
            found.append(f"{name}: list, API and page differ: {same}")
        room = rooms.get(unit_id)
        is_free_today = label.move_in_from is not None and label.move_in_from <= today
        if (room is not None and room.is_free) != is_free_today:
            found.append(f"{name}: find-a-room says free: {room is not None and room.is_free}")
        is_now = room is not None and room.is_free and room.is_free_now
        if is_now != (label.state == AvailabilityState.AVAILABLE_NOW):
            found.append(f"{name}: find-a-room says now: {is_now}")
        shown = {
            night
            for bar in bars.get(unit_id, ())
            for night in _nights(bar.first_on, bar.last_on, today, is_block=bar.is_block)
        }
        found += [
            f"{name}: {difference}"
            for difference in _differing_nights(
                label,
                {night: vacancy[unit_id].is_free for night, vacancy in vacant.items()},
                shown,
                None if _has_blocks(session, unit_id) else _published(session, unit_id, today),
            )
        ]
    return found


def _has_blocks(session: Session, unit_id: str) -> bool:
    """A stay may not end on the day on which a block begins; a channel's guest may."""
    blocks = select(ExternalBlock.id).where(ExternalBlock.unit_id == unit_id)
    return session.scalars(blocks).first() is not None


def _published(session: Session, unit_id: str, today: date) -> set[date]:
    return {
        night
        for run in busy_nights(session, unit_id, today)
        for night in _nights(run.first_on, run.free_from_on, today, is_block=False)
    }


def _differing_nights(
    label: Availability,
    free: Mapping[date, bool],
    shown: Container[date],
    published: Container[date] | None,
) -> Iterator[str]:
    for night, is_free in free.items():
        if published is not None and is_free == (night in published):
            yield f"{night} is free: {is_free}, published as taken: {night in published}"
        is_offered = label.move_in_from is not None and label.move_in_from <= night
        if is_offered and not is_free:
            yield f"{night} is offered and not free"
        if label.state == AvailabilityState.OCCUPIED and is_free:
            yield f"{night} is free although the unit is occupied"
        if night in shown and is_free:
            yield f"{night} is free, and the calendar shows it taken"
        if label.state == AvailabilityState.OCCUPIED and night not in shown:
            yield f"{night} is blank in the calendar although it is occupied"


def _nights(first_on: date, until_on: date | None, today: date, *, is_block: bool) -> list[date]:
    last_on = today + timedelta(days=NIGHTS)
    end_on = last_on if until_on is None else min(until_on + timedelta(days=int(is_block)), last_on)
    start_on = max(first_on, today)
    if until_on is not None and until_on == first_on and not is_block:
        end_on = first_on + timedelta(days=1)
    return [start_on + timedelta(days=place) for place in range((end_on - start_on).days)]
