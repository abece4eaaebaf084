"""The operators of the demo, their houses, and what each unit of a house is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pms.demo.data_files import read_toml
from pms.demo.rows import Chance
from pms.rules.enumerations import UnitType


@dataclass(frozen=True)
class HousePlan:
    """One building record: its words, its rooms and its pictures."""

    slug: str
    name: str
    name_kana: str
    name_en: str
    area: str
    area_en: str
    postcode: str
    address: str
    address_en: str
    access_ja: str
    access_en: str
    description_ja: str
    description_en: str
    type: UnitType
    owner: int
    floors: tuple[int, ...]
    layouts: tuple[str, ...]
    pictures: tuple[str, ...]
    room_name: str = "{floor}{number:02}"


@dataclass(frozen=True)
class OperatorPlan:
    """One workspace: its words and its houses."""

    slug: str
    name: str
    name_en: str
    brand_hue: int
    tagline_ja: str
    tagline_en: str
    address_ja: str
    address_en: str
    email: str
    phone: str
    qualified_invoice_number: str
    bank_details: str
    houses: tuple[HousePlan, ...]


def _house(row: dict[str, Any]) -> HousePlan:
    lists = {name: tuple(row[name]) for name in ("floors", "layouts", "pictures")}
    return HousePlan(**row | lists | {"type": UnitType(row["type"])})


def _operator(row: dict[str, Any]) -> OperatorPlan:
    houses = {"houses": tuple(map(_house, row["house"]))}
    return OperatorPlan(**{key: row[key] for key in row if key != "house"} | houses)


OPERATORS = tuple(map(_operator, read_toml("houses")["operator"]))


Pair = tuple[str, str]

_ROOMS = read_toml("rooms")
_LAYOUTS = {row["layout"]: row for row in _ROOMS["layout"]}


@dataclass(frozen=True)
class RoomPlan:
    """One unit record before it has an id."""

    name: str
    floor: int
    layout: str
    bedrooms: int
    size_centi_sqm: int
    rent_yen: int
    utilities_yen: int
    maintenance_yen: int
    deposit_yen: int
    reservation_fee_yen: int
    minimum_stay_days: int
    features: tuple[Pair, ...]
    description: Pair


def rooms_of(house: HousePlan, chance: Chance) -> Iterator[RoomPlan]:
    """The rooms of a house, floor by floor."""
    for floor, count in enumerate(house.floors, start=1):
        for number in range(1, count + 1):
            layout = chance.one_of(house.layouts)
            name = house.room_name.format(floor=floor, number=number, letter="ABCDEFGH"[floor - 1])
            yield _room(house.type, name, floor, layout, chance)


def _room(type_: UnitType, name: str, floor: int, layout: str, chance: Chance) -> RoomPlan:
    kind = _LAYOUTS[layout]
    size = round(chance.between(kind["sqm_from"], kind["sqm_to"]) * 100)
    is_shared = type_ is UnitType.SHAREHOUSE
    return RoomPlan(
        name=name,
        floor=floor,
        layout=layout,
        bedrooms=kind["bedrooms"],
        size_centi_sqm=size,
        rent_yen=_shared_rent(size, chance) if is_shared else _home_rent(size, floor, chance),
        utilities_yen=12_000 if is_shared else chance.one_of((0, 3_000)),
        maintenance_yen=5_000 if is_shared else chance.one_of((6_000, 8_000, 10_000)),
        deposit_yen=30_000 if is_shared else chance.one_of((80_000, 100_000)),
        reservation_fee_yen=15_000 if is_shared else 33_000,
        minimum_stay_days=chance.one_of((30, 30, 90))
        if is_shared
        else chance.one_of((90, 180, 365)),
        features=tuple(_features(is_shared, chance)),
        description=_described(is_shared, chance),
    )


def _shared_rent(size_centi_sqm: int, chance: Chance) -> int:
    asked = 24_000 + size_centi_sqm * 25 + chance.whole(-3, 4) * 1_000
    return min(75_000, max(40_000, round(asked, -3)))


def _home_rent(size_centi_sqm: int, floor: int, chance: Chance) -> int:
    asked = 42_000 + size_centi_sqm * 23 + floor * 1_500 + chance.whole(-4, 6) * 1_000
    return min(190_000, max(80_000, round(asked, -3)))


def _features(is_shared: bool, chance: Chance) -> Iterator[Pair]:
    pool = _ROOMS["shared_features" if is_shared else "home_features"]
    return ((ja, en) for ja, en in chance.some_of(pool, chance.whole(3, 6)))


def _described(is_shared: bool, chance: Chance) -> Pair:
    pools = ("light", "shared_life" if is_shared else "home_life", "closing")
    parts = [chance.one_of(_ROOMS[pool]) for pool in pools]
    return "".join(ja for ja, _ in parts), " ".join(en for _, en in parts)
