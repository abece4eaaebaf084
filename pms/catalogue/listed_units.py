"""Loads what listings show of units, in both languages and with a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import bindparam, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Building, Campaign, CampaignUnit, Photo, Unit, UnitFee
from pms.catalogue.photo_sizes import WIDTHS
from pms.catalogue.units import is_current
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import PreparedInWorkspace, Row, among
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import UnitType
from pms.rules.unit_words import LabelledText, describe_layout, name_facilities
from pms.workspaces.models import Fee


class ListedPhoto(NamedTuple):
    """A picture: its own size in pixels and its stored widths, smallest first.

    A picture is never enlarged: under a width beyond its own it is stored in its own size.
    """

    id: str
    width: int
    height: int
    alt: Bilingual
    widths: tuple[int, ...]


class ListedFee(NamedTuple):
    """A monthly amount besides the rent, in whole yen."""

    code: str
    label: Bilingual
    amount_yen: int


class ListedCampaign(NamedTuple):
    """The campaign in which a unit is offered."""

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
    """Everything a listing shows of a unit except its availability."""

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

    def describe_features(self, locale: str) -> list[str]:
        """Return the features in a language, falling back to the other."""
        return self._choose_features(locale)[0]

    def features_lang(self, locale: str) -> str | None:
        """Return the language of the features, where some are not in the reader's."""
        return self._choose_features(locale)[1]

    def _choose_features(self, locale: str) -> tuple[list[str], str | None]:
        ja, en = self.features
        if locale == "ja":
            return (ja, None) if ja else (en, "en" if en else None)
        return (en, None) if en else name_facilities(ja)

    def describe_layout(self, locale: str) -> LabelledText | None:
        """Return the layout in a language; `None` where it is not known."""
        return describe_layout(self.layout, locale) if self.layout else None


Values: TypeAlias = Sequence[Any]


class UnitRows(NamedTuple):
    """The rows of a listed unit: while they are unchanged, so is everything derived from them."""

    unit: Values
    building: Values
    fees: Sequence[Values]
    photos: Sequence[Values]
    campaign: Values | None


_UNITS = PreparedInWorkspace(
    select(
        Unit.building_id,
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
    ).where(among(Unit.id, "ids"))
)
_BUILDINGS = PreparedInWorkspace(
    select(
        Building.id,
        Building.slug,
        Building.name,
        Building.name_en,
        Building.area,
        Building.area_en,
        Building.address,
        Building.address_en,
    ).where(among(Building.id, "ids"))
)
_FEES = PreparedInWorkspace(
    select(UnitFee.unit_id, Fee.code, Fee.label_ja, Fee.label_en, UnitFee.amount_yen)
    .join(Fee, refers_to(UnitFee.fee_id, Fee))
    .where(among(UnitFee.unit_id, "ids"), Fee.is_monthly)
    .order_by(Fee.code)
)
_PHOTO = (Photo.id, Photo.width, Photo.height, Photo.alt_ja, Photo.alt_en, Photo.files)
_PHOTOS = {
    subject.key: PreparedInWorkspace(
        select(subject, *_PHOTO).where(among(subject, "ids")).order_by(Photo.position, Photo.id)
    )
    for subject in (Photo.unit_id, Photo.building_id)
}
_OFFERS = PreparedInWorkspace(
    select(
        CampaignUnit.unit_id,
        Campaign.id,
        Campaign.slug,
        Campaign.title_ja,
        Campaign.title_en,
        Campaign.ends_on,
    )
    .join(Campaign, refers_to(CampaignUnit.campaign_id, Campaign))
    .where(among(CampaignUnit.unit_id, "ids"), is_current(bindparam("today")))
    # The last row wins: the campaign that ends first, then the newest.
    .order_by(Campaign.ends_on.is_not(None), Campaign.ends_on.desc(), Campaign.id)
)


def unit_rows(session: Session, ids: Sequence[str], today: date) -> dict[str, UnitRows]:
    """Return the rows of these units with their building, fees, pictures and today's campaign."""
    ids = list(ids)
    units = _UNITS.all(session, ids=ids)
    of_buildings = _BUILDINGS.all(session, ids=list({row[0] for row in units}))
    buildings = {row[0]: row for row in of_buildings}
    fees = _group_rows(_FEES.all(session, ids=ids))
    photos = _group_rows(_PHOTOS[Photo.unit_id.key].all(session, ids=ids))
    offers = {row[0]: row[1:] for row in _OFFERS.all(session, ids=ids, today=today)}
    return {
        row[1]: UnitRows(
            row[1:],
            buildings[row[0]],
            fees.get(row[1], ()),
            photos.get(row[1], ()),
            offers.get(row[1]),
        )
        for row in units
    }


def unit_with_id(session: Session, unit_id: str, today: date) -> ListedUnit:
    """Return the unit of this id; raise `NotFound` for an unknown one."""
    found = unit_rows(session, [unit_id], today) if is_id(unit_id) else {}
    if not found:
        raise no_such("unit", unit_id)
    return listed_unit(found[unit_id])


def listed_unit(rows: UnitRows) -> ListedUnit:
    """Return the unit built from its rows."""
    id_, slug, name, type_, *figures, features, features_en, ja, en, updated_at = rows.unit
    return ListedUnit._make(
        (
            id_,
            slug,
            name,
            type_,
            _listed_building(*rows.building),
            *figures,
            (features, features_en),
            Bilingual(ja, en),
            updated_at,
            [ListedFee(code, Bilingual(ja, en), yen) for code, ja, en, yen in rows.fees],
            _listed_photos(rows.photos),
            _listed_campaign(*rows.campaign) if rows.campaign else None,
        )
    )


@lru_cache(maxsize=1024)
def _listed_building(
    id_: str, slug: str, name: str, name_en: str | None, *places: str | None
) -> ListedBuilding:
    area, area_en, address, address_en = places
    return ListedBuilding(
        id_,
        slug,
        Bilingual(name, name_en),
        Bilingual(area, area_en),
        Bilingual(address, address_en),
    )


def _listed_campaign(
    id_: str, slug: str, title_ja: str, title_en: str, ends_on: date | None
) -> ListedCampaign:
    return ListedCampaign(id_, slug, Bilingual(title_ja, title_en), ends_on)


def _group_rows(rows: Iterable[Row]) -> Mapping[str, Sequence[Values]]:
    found: defaultdict[str, list[Values]] = defaultdict(list)
    for row in rows:
        found[row[0]].append(row[1:])
    return found


def photos_of(
    session: Session, subject: InstrumentedAttribute[str | None], ids: Iterable[str]
) -> Mapping[str, Sequence[ListedPhoto]]:
    """Return the pictures of units or of buildings (`subject` names the column), in order."""
    found = _group_rows(_PHOTOS[subject.key].all(session, ids=list(ids)))
    return {owner_id: _listed_photos(rows) for owner_id, rows in found.items()}


def _listed_photos(rows: Iterable[Values]) -> list[ListedPhoto]:
    return [
        ListedPhoto(id_, width, height, Bilingual(ja, en), widths)
        for id_, width, height, ja, en, files in rows
        if (widths := _distinct_widths(width, tuple(files)))
    ]


@lru_cache(maxsize=1024)
def _distinct_widths(own_width: int, files: tuple[str, ...]) -> tuple[int, ...]:
    # Of the widths from its own on, which all have the same picture, the first one.
    kept = [width for width in WIDTHS if str(width) in files]
    smaller = sum(width < own_width for width in kept)
    return tuple(kept[: smaller + 1])
