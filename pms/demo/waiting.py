"""The rows of those who wait for a unit."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pms.catalogue.models import Building
from pms.demo.chance import Chance
from pms.demo.opened_workspace import OpenedWorkspace
from pms.demo.people import People
from pms.demo.rows import instant
from pms.demo.stay_plans import days_from
from pms.enquiries.models import WaitlistPlace
from pms.rules.enumerations import WaitlistState

_ANY, _BUILDING, _UNIT = "any", "building", "unit"


class _Wish(NamedTuple):
    """What somebody waits for, and days from today: when they asked, when they want to move in."""

    what: str
    asked_day: int
    wanted_day: int
    note: str | None = None
    state: WaitlistState = WaitlistState.WAITING


_WISHES: Final = (
    _Wish(_UNIT, -21, 40, "この部屋だけを希望。妹も同じ建物に入居中。"),
    _Wish(_BUILDING, -17, 12, "Second floor or higher, please."),
    _Wish(_ANY, -9, 25, "駅から徒歩10分以内なら建物は問わない。"),
    _Wish(_BUILDING, -6, 70),
    _Wish(_UNIT, -4, 9, None, WaitlistState.OFFERED),
    _Wish(_ANY, -2, 5, "Starts work next month, flexible about the building."),
    _Wish(_ANY, -30, -3, "別の物件に決めたとのこと。", WaitlistState.CLOSED),
)


def wait(opened: OpenedWorkspace, slug: str) -> None:
    """Keep the rows of a few people who wait."""
    # A chance of its own, so that nothing else of the demo changes with the waitlist.
    chance = Chance("waitlist", slug, opened.today)
    people = People(chance)
    for wish in _WISHES:
        _add_place(opened, wish, people, chance)


def _add_place(opened: OpenedWorkspace, wish: _Wish, people: People, chance: Chance) -> None:
    asked_at = instant(days_from(opened.today, wish.asked_day), 11)
    moved_at = asked_at if wish.state is WaitlistState.WAITING else opened.updated_at
    person = people.next()
    opened.rows.add(
        WaitlistPlace,
        asked_at,
        **_place(opened, wish, chance),
        name=person.name,
        email=person.email,
        phone=person.phone,
        wanted_from_on=days_from(opened.today, wish.wanted_day),
        note=wish.note,
        state=wish.state,
        added_at=asked_at,
        added_by="demo",
        changed_at=moved_at,
        changed_by="demo",
    )


def _place(opened: OpenedWorkspace, wish: _Wish, chance: Chance) -> dict[str, Any]:
    place: dict[str, Any] = {"unit_id": None, "building_id": None}
    if wish.what == _UNIT:
        place["unit_id"] = chance.one_of(opened.units).id
    elif wish.what == _BUILDING:
        place["building_id"] = chance.one_of(opened.rows.of(Building))["id"]
    return place
