"""The operators of the demo: their workspaces with policy, fees and owners, their houses and rooms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from pms.catalogue.models import Building, HandbookPage, ManagementFormRow, Owner, Unit, UnitFee
from pms.demo.people import OWNERS
from pms.demo.rows import (
    Album,
    Chance,
    IdMaker,
    Rows,
    hang_house,
    hang_room,
    instant,
    read_toml,
    scenes_of,
)
from pms.demo.stay_plans import days_from
from pms.foundation.phrases import Bilingual
from pms.pricing.agreed_price import MonthlyFee
from pms.rules.days import day_of
from pms.rules.enumerations import FeeCategory, HandbookTopic, TaxTreatment, UnitType
from pms.rules.management_forms import ManagementForm
from pms.workspaces.models import Fee, PolicyRow


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

    @property
    def website(self) -> str:
        """The address of the operator's website."""
        return f"https://www.{self.email.partition('@')[2]}"


def _parse_house(row: dict[str, Any]) -> HousePlan:
    lists = {name: tuple(row[name]) for name in ("floors", "layouts", "pictures")}
    return HousePlan(**row | lists | {"type": UnitType(row["type"])})


def _parse_operator(row: dict[str, Any]) -> OperatorPlan:
    houses = {"houses": tuple(map(_parse_house, row["house"]))}
    return OperatorPlan(**{key: row[key] for key in row if key != "house"} | houses)


OPERATORS = tuple(map(_parse_operator, read_toml("houses")["operator"]))


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


def rooms_of(house: HousePlan, rng: Chance) -> Iterator[RoomPlan]:
    """The rooms of a house, floor by floor."""
    for floor, count in enumerate(house.floors, start=1):
        for number in range(1, count + 1):
            layout = rng.one_of(house.layouts)
            name = house.room_name.format(floor=floor, number=number, letter="ABCDEFGH"[floor - 1])
            yield _build_room(house.type, name, floor, layout, rng)


def _build_room(type_: UnitType, name: str, floor: int, layout: str, rng: Chance) -> RoomPlan:
    kind = _LAYOUTS[layout]
    size = round(rng.between(kind["sqm_from"], kind["sqm_to"]) * 100)
    is_shared = type_ is UnitType.SHAREHOUSE
    pool = _ROOMS["shared_features" if is_shared else "home_features"]
    features = ((ja, en) for ja, en in rng.some_of(pool, rng.whole(3, 6)))
    if is_shared:
        rent_asked = 24_000 + size * 25 + rng.whole(-3, 4) * 1_000
        rent_yen = min(75_000, max(40_000, round(rent_asked, -3)))
    else:
        asked = 42_000 + size * 23 + floor * 1_500 + rng.whole(-4, 6) * 1_000
        rent_yen = min(190_000, max(80_000, round(asked, -3)))
    pools = ("light", "shared_life" if is_shared else "home_life", "closing")
    parts = [rng.one_of(_ROOMS[pool]) for pool in pools]
    description = "".join(ja for ja, _ in parts), " ".join(en for _, en in parts)
    return RoomPlan(
        name=name,
        floor=floor,
        layout=layout,
        bedrooms=kind["bedrooms"],
        size_centi_sqm=size,
        rent_yen=rent_yen,
        utilities_yen=12_000 if is_shared else rng.one_of((0, 3_000)),
        maintenance_yen=5_000 if is_shared else rng.one_of((6_000, 8_000, 10_000)),
        deposit_yen=30_000 if is_shared else rng.one_of((80_000, 100_000)),
        reservation_fee_yen=15_000 if is_shared else 33_000,
        minimum_stay_days=rng.one_of((30, 30, 90)) if is_shared else rng.one_of((90, 180, 365)),
        features=tuple(features),
        description=description,
    )


_OPENED_DAYS_AGO = 6 * 365
_MONEY = read_toml("money")
_HANDBOOK = read_toml("website")["handbook"]


def _read_internet_fee() -> MonthlyFee:
    """What some residents pay each month besides what every price holds."""
    fee = next(row for row in _MONEY["fee"] if row["code"] == "internet")
    return MonthlyFee(
        fee["code"],
        Bilingual(fee["label_ja"], fee["label_en"]),
        FeeCategory(fee["category"]),
        TaxTreatment(fee["tax"]),
        fee["amount_yen"],
    )


INTERNET = _read_internet_fee()


@dataclass(frozen=True)
class OpenedUnit:
    """A unit whose row is kept, with what its stays need to know of it."""

    id: str
    room: RoomPlan


@dataclass(frozen=True)
class OpenedWorkspace:
    """The rows so far, and the units somebody may live in."""

    rows: Rows
    units: Sequence[OpenedUnit]
    today: date
    updated_at: datetime


def open_operator(operator: OperatorPlan, today: date, album: Album) -> OpenedWorkspace:
    """Keep the rows of everything that stands before anybody moves in."""
    # Not of the day: the rooms and their prices stay the same however often the demo is made.
    rng = Chance("houses", operator.slug)
    opened_at = instant(days_from(today, -_OPENED_DAYS_AGO), 9)
    ids = IdMaker(operator.slug, today)
    rows = Rows(ids.at(opened_at), ids)
    _add_workspace(rows, operator, opened_at)
    fees = _add_fees(rows, opened_at)
    owners = {
        number: rows.add(
            Owner,
            opened_at,
            name=OWNERS[number].name,
            name_kana=OWNERS[number].kana,
            email=OWNERS[number].email,
            phone=OWNERS[number].phone,
            locale=OWNERS[number].locale,
            note=None,
            created_at=opened_at,
        )
        for number in sorted({house.owner for house in operator.houses})
    }
    updated_at = instant(days_from(today, -1), 18)
    units: list[OpenedUnit] = []
    for house in operator.houses:
        building_id = _add_house(rows, house, owners[house.owner], opened_at, updated_at)
        hang_house(rows, album, opened_at, building_id, house.pictures)
        _add_handbook(rows, house, building_id, opened_at, rng)
        for room in rooms_of(house, rng):
            unit_id = _add_unit(
                rows, house, room, building_id, opened_at=opened_at, updated_at=updated_at
            )
            asked = {"utilities": room.utilities_yen, "building_maintenance": room.maintenance_yen}
            for code, amount_yen in asked.items():
                if amount_yen:
                    rows.add(
                        UnitFee,
                        opened_at,
                        unit_id=unit_id,
                        fee_id=fees[code],
                        amount_yen=amount_yen,
                    )
            scenes = scenes_of(house.type, room.layout, rng)
            hang_room(rows, album, opened_at, unit_id, scenes)
            units.append(OpenedUnit(unit_id, room))
    return OpenedWorkspace(rows, units, today, updated_at)


def _add_workspace(rows: Rows, operator: OperatorPlan, opened_at: datetime) -> None:
    rows.add_workspace(
        {
            "slug": operator.slug,
            "name": operator.name,
            "name_en": operator.name_en,
            "brand_hue": operator.brand_hue,
            "qualified_invoice_number": operator.qualified_invoice_number,
            "bank_details": operator.bank_details,
            "address": operator.address_ja,
            # The first has been at work for years; the second still shows the set-up list.
            "set_up_hidden_at": opened_at if operator is OPERATORS[0] else None,
            "created_at": opened_at,
        }
    )
    rows.add(PolicyRow, opened_at, id=rows.workspace_id)


def _add_fees(rows: Rows, opened_at: datetime) -> dict[str, str]:
    fees: dict[str, str] = {}
    for row in _MONEY["fee"]:
        fees[row["code"]] = rows.add(
            Fee,
            opened_at,
            code=row["code"],
            label_ja=row["label_ja"],
            label_en=row["label_en"],
            category=FeeCategory(row["category"]),
            is_monthly=row["is_monthly"],
            amount_yen=row.get("amount_yen"),
            percent=row.get("percent"),
            tax_treatment=TaxTreatment(row["tax"]),
        )
    return fees


def _add_house(
    rows: Rows, house: HousePlan, owner_id: str, opened_at: datetime, updated_at: datetime
) -> str:
    words = (
        "slug name name_kana name_en area area_en postcode address address_en access_ja access_en"
        " description_ja description_en"
    )
    building_id = rows.add(
        Building,
        opened_at,
        owner_id=owner_id,
        **{word: getattr(house, word) for word in words.split()},
        created_at=opened_at,
        updated_at=updated_at,
    )
    rows.add(
        ManagementFormRow,
        opened_at,
        building_id=building_id,
        form=ManagementForm.AGENCY,
        from_on=day_of(opened_at),
        lessor_address=OWNERS[house.owner].address,
        lessor_number=OWNERS[house.owner].number,
        informed_on=None,
        sealed_account=None,
        written_at=opened_at,
        written_by="",
    )
    return building_id


def _add_handbook(
    rows: Rows, house: HousePlan, building_id: str, opened_at: datetime, rng: Chance
) -> None:
    secrets = {
        "digits": f"{rng.whole(0, 9999):04}",
        "network": f"{house.slug}-guest",
        "password": f"{rng.one_of(('kawa', 'sora', 'hoshi', 'yama'))}-{rng.bits(20):05x}",
    }
    for position, page in enumerate(_HANDBOOK, 1):
        code = page.get("code")
        rows.add(
            HandbookPage,
            opened_at,
            building_id=building_id,
            unit_id=None,
            position=position,
            topic=HandbookTopic(page["topic"]),
            title_ja=page["title_ja"],
            title_en=page["title_en"],
            body_ja=page["body_ja"].format(**secrets),
            body_en=page["body_en"].format(**secrets),
            guarded_code=code.format(**secrets) if code else None,
        )


def _add_unit(
    rows: Rows,
    house: HousePlan,
    room: RoomPlan,
    building_id: str,
    *,
    opened_at: datetime,
    updated_at: datetime,
) -> str:
    return rows.add(
        Unit,
        opened_at,
        building_id=building_id,
        slug=f"{house.slug}-{room.name}".lower(),
        name=room.name,
        type=house.type,
        layout=room.layout,
        bedrooms=room.bedrooms,
        size_centi_sqm=room.size_centi_sqm,
        floor=room.floor,
        rent_yen=room.rent_yen,
        deposit_yen=room.deposit_yen,
        reservation_fee_yen=room.reservation_fee_yen,
        minimum_stay_days=room.minimum_stay_days,
        features=[ja for ja, _ in room.features],
        features_en=[en for _, en in room.features],
        description_ja=room.description[0],
        description_en=room.description[1],
        created_at=opened_at,
        updated_at=updated_at,
    )
