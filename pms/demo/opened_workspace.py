"""The rows of an operator: its workspace with policy, fees and owners, its houses and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pms.catalogue.models import Building, HandbookPage, Owner, Unit, UnitFee
from pms.demo.chance import Chance, IdMaker
from pms.demo.contents import HANDBOOK
from pms.demo.houses import HousePlan, OperatorPlan
from pms.demo.people import OWNERS
from pms.demo.photographs import Album, hang_house, hang_room, scenes_of
from pms.demo.rooms_told import RoomPlan, rooms_of
from pms.demo.rows import Rows, instant
from pms.demo.stay_plans import days_from
from pms.foundation.bilingual import Bilingual
from pms.pricing.agreed_price import MonthlyFee
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.workspaces.models import Fee, PolicyRow

_OPENED_DAYS_AGO = 6 * 365
_FEES = (
    ("utilities", "水道光熱費", "Utilities", FeeCategory.UTILITIES, True, 12_000, None, False),
    (
        "building_maintenance", "共益費", "Building maintenance",
        FeeCategory.BUILDING_MAINTENANCE, True, 5_000, None, False,
    ),
    ("internet", "インターネット", "Internet", FeeCategory.SERVICE, True, 2_200, None, True),
    ("reservation_fee", "予約金", "Reservation fee", FeeCategory.RESERVATION_FEE, False, 15_000, None, True),
    ("cleaning", "退去時清掃", "Final cleaning", FeeCategory.CLEANING, False, 22_000, None, True),
    ("late_payment", "遅延損害金", "Late payment", FeeCategory.PENALTY, False, None, "14.6", False),
)  # fmt: skip
INTERNET = MonthlyFee(
    "internet",
    Bilingual("インターネット", "Internet"),
    FeeCategory.SERVICE,
    TaxTreatment.TAXABLE_10,
    2_200,
)
"""What some residents pay each month besides what every price holds."""


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
    chance = Chance("houses", operator.slug)
    opened_at = instant(days_from(today, -_OPENED_DAYS_AGO), 9)
    ids = IdMaker(operator.slug, today)
    rows = Rows(ids.at(opened_at), ids)
    _add_workspace(rows, operator, opened_at)
    fees = _add_fees(rows, opened_at)
    owners = _add_owners(rows, operator, opened_at)
    updated_at = instant(days_from(today, -1), 18)
    units: list[OpenedUnit] = []
    for house in operator.houses:
        building_id = _add_house(rows, house, owners[house.owner], opened_at, updated_at)
        hang_house(rows, album, opened_at, building_id, house.pictures)
        _add_handbook(rows, house, building_id, opened_at, chance)
        for room in rooms_of(house, chance):
            unit_id = _add_unit(
                rows, house, room, building_id, opened_at=opened_at, updated_at=updated_at
            )
            _add_unit_fees(rows, fees, room, unit_id, opened_at)
            scenes = scenes_of(house.type, room.layout, chance)
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
            "created_at": opened_at,
        }
    )
    rows.add(PolicyRow, opened_at, id=rows.workspace_id)


def _add_fees(rows: Rows, opened_at: datetime) -> dict[str, str]:
    return {
        code: rows.add(
            Fee,
            opened_at,
            code=code,
            label_ja=label_ja,
            label_en=label_en,
            category=category,
            is_monthly=is_monthly,
            amount_yen=amount_yen,
            percent=percent,
            tax_treatment=TaxTreatment.TAXABLE_10 if is_taxed else TaxTreatment.EXEMPT,
        )
        for code, label_ja, label_en, category, is_monthly, amount_yen, percent, is_taxed in _FEES
    }


def _add_owners(rows: Rows, operator: OperatorPlan, opened_at: datetime) -> dict[int, str]:
    return {
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


def _add_house(
    rows: Rows, house: HousePlan, owner_id: str, opened_at: datetime, updated_at: datetime
) -> str:
    words = (
        "slug name name_kana name_en area area_en postcode address address_en access_ja access_en"
        " description_ja description_en"
    )
    return rows.add(
        Building,
        opened_at,
        owner_id=owner_id,
        **{word: getattr(house, word) for word in words.split()},
        created_at=opened_at,
        updated_at=updated_at,
    )


def _add_handbook(
    rows: Rows, house: HousePlan, building_id: str, opened_at: datetime, chance: Chance
) -> None:
    secrets = {
        "digits": f"{chance.whole(0, 9999):04}",
        "network": f"{house.slug}-guest",
        "password": f"{chance.one_of(('kawa', 'sora', 'hoshi', 'yama'))}-{chance.bits(20):05x}",
    }
    for position, (topic, title_ja, title_en, body_ja, body_en, code) in enumerate(HANDBOOK, 1):
        rows.add(
            HandbookPage,
            opened_at,
            building_id=building_id,
            unit_id=None,
            position=position,
            topic=topic,
            title_ja=title_ja,
            title_en=title_en,
            body_ja=body_ja.format(**secrets),
            body_en=body_en.format(**secrets),
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


def _add_unit_fees(
    rows: Rows, fees: dict[str, str], room: RoomPlan, unit_id: str, opened_at: datetime
) -> None:
    asked = {"utilities": room.utilities_yen, "building_maintenance": room.maintenance_yen}
    for code, amount_yen in asked.items():
        if amount_yen:
            rows.add(UnitFee, opened_at, unit_id=unit_id, fee_id=fees[code], amount_yen=amount_yen)
