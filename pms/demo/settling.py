"""Moves people in: gives each unit a situation of today, then a history, up to a count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from pms.demo.chance import Chance
from pms.demo.histories import cancelled_booking, former_stay, room_change
from pms.demo.opened_workspace import OpenedUnit
from pms.demo.stay_plans import BlockPlan, StayPlan, days_from
from pms.demo.tenancies import Tenancies
from pms.demo.unit_stories import SITUATIONS, Story, living, vacant
from pms.rules.enumerations import ReservationKind

_CANCELLED_SHARE = 0.035


@dataclass
class FilledUnit:
    """A unit, the situation it is in, and the day its known past begins."""

    unit: OpenedUnit
    story: Story
    stays: list[StayPlan]
    blocks: Sequence[BlockPlan]
    edge: date


def situations_for(count: int) -> list[Story]:
    """The situations of that many units in the proportions of the demo."""
    whole = sum(SITUATIONS.values())
    dealt: list[Story] = []
    reached = 0
    for story, weight in SITUATIONS.items():
        reached += weight
        dealt += [story] * (round(reached * count / whole) - len(dealt))
    return dealt


def fill(
    units: Sequence[OpenedUnit],
    stories: Sequence[Story],
    reservations: int,
    today: date,
    chance: Chance,
) -> list[FilledUnit]:
    """Tell every unit's story and add former stays until the count is reached."""
    filled = [_told(unit, story, today, chance) for unit, story in zip(units, stories, strict=True)]
    _change_rooms(filled, today, chance)
    _return_somebody(filled, today, chance)
    for number in range(round(reservations * _CANCELLED_SHARE)):
        chance.one_of(filled).stays.append(cancelled_booking(number, today, chance))
    total = sum(len(one.stays) for one in filled)
    while total < reservations:
        one = _least_told(filled, chance)
        _add_former(one, former_stay(one.edge, today, chance))
        total += 1
    return filled


def add_rows(filled: Sequence[FilledUnit], tenancies: Tenancies) -> None:
    """Keep the rows of all stays, those of a unit from the first to the last."""
    for one in filled:
        tenancies.add_blocks(one.unit, one.blocks)
        for plan in sorted(one.stays, key=lambda plan: plan.booked_on):
            tenancies.add(one.unit, plan)


def _told(unit: OpenedUnit, story: Story, today: date, chance: Chance) -> FilledUnit:
    told = story(today, chance)
    return FilledUnit(unit, story, list(told.stays), told.blocks, told.earliest(today))


def _add_former(one: FilledUnit, plan: StayPlan) -> None:
    one.stays.append(plan)
    one.edge = min(one.edge, plan.starts_on or one.edge)


def _least_told(filled: Sequence[FilledUnit], chance: Chance) -> FilledUnit:
    """The unit of three whose past is known least far back."""
    return max((chance.one_of(filled) for _ in range(3)), key=lambda one: one.edge)


def _change_rooms(filled: Sequence[FilledUnit], today: date, chance: Chance) -> None:
    """Two people moved from a unit that is vacant now to the one they live in."""
    left = [one for one in filled if one.story is vacant]
    taken = [one for one in filled if one.story is living]
    for old_unit, new_unit in list(zip(left, taken, strict=False))[:2]:
        old, new = room_change(new_unit.stays[0], today, chance)
        new_unit.stays[0] = new
        _add_former(old_unit, old)


def _return_somebody(filled: Sequence[FilledUnit], today: date, chance: Chance) -> None:
    """Somebody who lives in one unit today lived in another before."""
    here = [one for one in filled if one.story is living][2:4]
    there = [one for one in filled if one.story is vacant][2:4]
    for now, before in zip(here, there, strict=False):
        person = f"returned-{chance.bits(32)}"
        now.stays[0] = replace(now.stays[0], person=person)
        start = now.stays[0].starts_on or today
        plan = former_stay(min(before.edge, days_from(start, -60)), today, chance)
        _add_former(before, replace(plan, kind=ReservationKind.RESIDENT, person=person))
