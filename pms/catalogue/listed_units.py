"""Loads what listings show of units, in both languages and in a fixed number of questions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.find_units import is_current
from pms.catalogue.models import Building, Campaign, CampaignUnit, Photo, Unit, UnitFee
from pms.foundation.bilingual import Bilingual
from pms.rules.enumerations import UnitType
from pms.workspaces.models import Fee


class ListedPhoto(NamedTuple):
    """A picture: its own size in pixels and the widths it is kept under, smallest first.

    A picture is never enlarged: under a width beyond its own it is kept as it is.
    """

    id: str
    width: int
    height: int
    alt: Bilingual
    widths: tuple[int, ...]


class ListedFee(NamedTuple):
    """A monthly amount beside the rent, whole yen."""

    code: str
    label: Bilingual
    amount_yen: int


class ListedCampaign(NamedTuple):
    """The campaign a unit is offered in."""

    id: str
    slug: str
    title: Bilingual
    ends_on: date | None


class ListedBuilding(NamedTuple):
    """What a listing shows of a building."""

    id: str
    slug: str
    name: Bilingual
    area: Bilingual
    address: Bilingual


class ListedUnit(NamedTuple):
    """Everything a listing shows of a unit but its availability."""

    id: str
    slug: str
    name: str
    type: UnitType
    building: ListedBuilding
    layout: str | None
    bedrooms: int | None
    size_centi_sqm: int | None
    floor: int | None
    rent_yen: int | None
    deposit_yen: int | None
    reservation_fee_yen: int | None
    minimum_stay_days: int | None
    features: tuple[list[str], list[str]]
    description: Bilingual
    updated_at: datetime
    fees: Sequence[ListedFee]
    photos: Sequence[ListedPhoto]
    campaign: ListedCampaign | None

    def features_said(self, locale: str) -> list[str]:
        """Return the features in a language, else in the other."""
        first, second = self.features if locale == "ja" else reversed(self.features)
        return first or second


_UNITS = select(
    Unit.id,
    Unit.slug,
    Unit.name,
    Unit.type,
    Unit.layout,
    Unit.bedrooms,
    Unit.size_centi_sqm,
    Unit.floor,
    Unit.rent_yen,
    Unit.deposit_yen,
    Unit.reservation_fee_yen,
    Unit.minimum_stay_days,
    Unit.features,
    Unit.features_en,
    Unit.description_ja,
    Unit.description_en,
    Unit.updated_at,
    Unit.building_id,
)
_BUILDINGS = select(
    Building.id,
    Building.slug,
    Building.name,
    Building.name_en,
    Building.area,
    Building.area_en,
    Building.address,
    Building.address_en,
)


def listed_units(session: Session, ids: Sequence[str], today: date) -> list[ListedUnit]:
    """Return the units of these ids with their building, fees, pictures and today's campaign."""
    rows = session.execute(_UNITS.where(Unit.id.in_(ids))).all()
    buildings = {
        row.id: _building(row)
        for row in session.execute(
            _BUILDINGS.where(Building.id.in_({row.building_id for row in rows}))
        )
    }
    fees, photos, campaigns = (
        _fees(session, ids),
        photos_of(session, Photo.unit_id, ids),
        _offers(session, ids, today),
    )
    return [
        _unit(row, buildings[row.building_id], fees[row.id], photos[row.id], campaigns.get(row.id))
        for row in rows
    ]


def _building(row: Row[*tuple[Any, ...]]) -> ListedBuilding:
    return ListedBuilding(
        row.id,
        row.slug,
        Bilingual(row.name, row.name_en),
        Bilingual(row.area, row.area_en),
        Bilingual(row.address, row.address_en),
    )


def _unit(
    row: Row[*tuple[Any, ...]],
    building: ListedBuilding,
    fees: Sequence[ListedFee],
    photos: Sequence[ListedPhoto],
    campaign: ListedCampaign | None,
) -> ListedUnit:
    return ListedUnit(
        row.id,
        row.slug,
        row.name,
        row.type,
        building,
        row.layout,
        row.bedrooms,
        row.size_centi_sqm,
        row.floor,
        row.rent_yen,
        row.deposit_yen,
        row.reservation_fee_yen,
        row.minimum_stay_days,
        (row.features, row.features_en),
        Bilingual(row.description_ja, row.description_en),
        row.updated_at,
        fees,
        photos,
        campaign,
    )


def _fees(session: Session, ids: Iterable[str]) -> Mapping[str, list[ListedFee]]:
    rows = session.execute(
        select(UnitFee.unit_id, Fee.code, Fee.label_ja, Fee.label_en, UnitFee.amount_yen)
        .join(Fee, (Fee.workspace_id == UnitFee.workspace_id) & (Fee.id == UnitFee.fee_id))
        .where(UnitFee.unit_id.in_(ids), Fee.is_monthly)
        .order_by(Fee.code)
    )
    found: defaultdict[str, list[ListedFee]] = defaultdict(list)
    for unit_id, code, ja, en, amount_yen in rows:
        found[unit_id].append(ListedFee(code, Bilingual(ja, en), amount_yen))
    return found


def photos_of(
    session: Session, subject: InstrumentedAttribute[str | None], ids: Iterable[str]
) -> Mapping[str, list[ListedPhoto]]:
    """Return the pictures of units or of buildings (`subject` names the column), in order."""
    rows = session.execute(
        select(
            subject,
            Photo.id,
            Photo.width,
            Photo.height,
            Photo.alt_ja,
            Photo.alt_en,
            Photo.files,
        )
        .where(subject.in_(ids))
        .order_by(Photo.position, Photo.id)
    )
    found: defaultdict[str, list[ListedPhoto]] = defaultdict(list)
    for owner_id, id_, width, height, ja, en, files in rows:
        widths = _widths(width, files)
        if owner_id is not None and widths:
            found[owner_id].append(ListedPhoto(id_, width, height, Bilingual(ja, en), widths))
    return found


def _widths(own_width: int, files: Iterable[str]) -> tuple[int, ...]:
    # Of the widths from its own on, which all hold the same picture, the first one.
    kept = sorted(map(int, files))
    smaller = sum(width < own_width for width in kept)
    return tuple(kept[: smaller + 1])


def _offers(session: Session, ids: Iterable[str], today: date) -> dict[str, ListedCampaign]:
    rows = session.execute(
        select(
            CampaignUnit.unit_id,
            Campaign.id,
            Campaign.slug,
            Campaign.title_ja,
            Campaign.title_en,
            Campaign.ends_on,
        )
        .join(
            Campaign,
            (Campaign.workspace_id == CampaignUnit.workspace_id)
            & (Campaign.id == CampaignUnit.campaign_id),
        )
        .where(CampaignUnit.unit_id.in_(ids), is_current(today))
        # The last one kept is the one that ends first, then the newest.
        .order_by(Campaign.ends_on.is_not(None), Campaign.ends_on.desc(), Campaign.id)
    )
    return {
        unit_id: ListedCampaign(id_, slug, Bilingual(ja, en), ends_on)
        for unit_id, id_, slug, ja, en, ends_on in rows
    }
