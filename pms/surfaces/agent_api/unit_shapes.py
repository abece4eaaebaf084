"""The unit as the JSON API shows it, and lists of units joined from cached JSON and today's availability."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from datetime import date, datetime
from functools import lru_cache, partial
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from flask import current_app, url_for

from pms.access.key_lookup import KnownKey
from pms.availability.labels import label
from pms.availability.units import FoundUnit
from pms.catalogue.buildings import BuildingPage
from pms.catalogue.listed_units import (
    ListedBuilding,
    ListedPhoto,
    ListedUnit,
    UnitRows,
    listed_unit,
    unit_rows,
)
from pms.catalogue.unit_fields import UNIT_FIELDS, UnitField, UnitFieldKind
from pms.foundation.errors import no_such
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.availability import Availability
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.request_scope import today


def photo_address(workspace_slug: str, photo_id: str, width: int) -> str:
    """Return the path of a picture at a width."""
    return f"{own_address()}/photos/{workspace_slug}/{photo_id}/{width}.webp"


def check_in_address(token: str) -> str:
    """Return the URL of a guest's check-in link."""
    return own_address() + url_for("guest_checkin.stay", token=token)


def offer_address(token: str) -> str:
    """Return the URL of an applicant's offer link."""
    return own_address() + url_for("reservation_links.offer", token=token)


def own_address() -> str:
    """Return this service's base URL, without a trailing slash."""
    address: str = current_app.config["BASE_URL"]
    return address


def unit_shape(unit: ListedUnit, locale: Locale, workspace_slug: str) -> dict[str, Any]:
    """Return the fields of a unit in one language; money in whole yen, size as decimal text."""
    return {
        "id": unit.id,
        "slug": unit.slug,
        **declared_fields(unit, locale),
        "building": building_shape(unit.building, locale),
        "monthlyFees": [
            {"code": fee.code, "label": fee.label.in_language(locale), "amount": fee.amount_yen}
            for fee in unit.fees
        ],
        "monthlyTotal": monthly_total(unit),
        "campaign": _shape_campaign(unit, locale),
        "photos": [photo_shape(photo, locale, workspace_slug) for photo in unit.photos],
        "lang": languages_of_unit(unit, locale),
        "updatedAt": instant_text(unit.updated_at),
    }


def declared_fields(unit: ListedUnit, locale: Locale) -> dict[str, Any]:
    """Return the fields of a unit that `UNIT_FIELDS` declares, by their names in the API."""
    return {field.api: _field_value(field, unit, locale) for field in UNIT_FIELDS if field.api}


def _field_value(field: UnitField, unit: ListedUnit, locale: Locale) -> Any:
    if field.kind is UnitFieldKind.SIZE:
        return size_text(unit.size_centi_sqm)
    match field.column:
        case "layout":
            return layout_text(unit, locale)
        case "features":
            return unit.describe_features(locale)
        case _:
            return getattr(unit, field.column)


def layout_text(unit: ListedUnit, locale: Locale) -> str | None:
    """Return the layout in the language of the answer."""
    text = unit.describe_layout(locale)
    return text.text if text else None


def languages_of_unit(
    unit: ListedUnit, locale: Locale, *, is_described: bool = False
) -> dict[str, str]:
    """Return the languages of those texts of a unit that are not in the answer's language."""
    layout = unit.describe_layout(locale)
    return languages(
        layout=layout.lang if layout else None,
        features=unit.features_lang(locale),
        description=unit.description.lang(locale) if is_described else None,
    )


def languages(**found: str | None) -> dict[str, str]:
    """Return the languages by field name, without the fields that have none."""
    return {name: lang for name, lang in found.items() if lang}


def building_shape(building: ListedBuilding | BuildingPage, locale: Locale) -> dict[str, Any]:
    """Return the public facts of a unit's building."""
    return {
        "id": building.id,
        "slug": building.slug,
        "name": building.name.in_language(locale),
        "area": building.area.in_language(locale),
        "address": building.address.in_language(locale),
        "lang": languages_of_building(building, locale),
    }


def languages_of_building(
    building: ListedBuilding | BuildingPage, locale: Locale
) -> dict[str, str]:
    """Return the languages of those texts of a building that are not in the answer's language."""
    fields = ("name", "area", "address", "access", "description")
    facts = {name: getattr(building, name, None) for name in fields}
    return languages(**{name: text.lang(locale) for name, text in facts.items() if text})


def building_page_shape(
    building: BuildingPage, locale: Locale, workspace_slug: str
) -> dict[str, Any]:
    """Return everything public about a building except its vacancies."""
    return {
        **building_shape(building, locale),
        "access": building.access.in_language(locale),
        "description": building.description.in_language(locale),
        "photos": [photo_shape(photo, locale, workspace_slug) for photo in building.photos],
    }


def photo_shape(photo: ListedPhoto, locale: Locale, workspace_slug: str) -> dict[str, Any]:
    """Return a picture at its largest stored width."""
    width = photo.widths[-1]
    return {
        "url": photo_address(workspace_slug, photo.id, width),
        **pixels(photo, width),
        "alt": photo.alt.in_language(locale) or "",
    }


def pixels(photo: ListedPhoto, kept_width: int) -> dict[str, int]:
    """Return the real size of a picture stored at a width; pictures are never enlarged."""
    width = min(kept_width, photo.width)
    height = max(1, (photo.height * width + photo.width // 2) // photo.width)
    return {"width": width, "height": height}


def size_text(centi_sqm: int | None) -> str | None:
    """Return square metres as decimal text with one or two places, for instance `9.0`."""
    if centi_sqm is None:
        return None
    whole, hundredths = divmod(centi_sqm, 100)
    text = f"{whole}.{hundredths:02d}"
    return text.removesuffix("0")


def instant_text(instant: datetime) -> str:
    """Return an instant in UTC to the second (RFC 3339)."""
    return f"{instant.isoformat()[:19]}Z"


def monthly_total(unit: ListedUnit) -> int | None:
    """Return rent plus monthly fees, or `None` while the rent is unknown."""
    if unit.rent_yen is None:
        return None
    return unit.rent_yen + sum(fee.amount_yen for fee in unit.fees)


def _shape_campaign(unit: ListedUnit, locale: Locale) -> dict[str, Any] | None:
    campaign = unit.campaign
    if campaign is None:
        return None
    title = campaign.title.in_language(locale)
    return {"id": campaign.id, "title": title, "endsOn": campaign.ends_on}


PIECES = "pms.agent_api.unit_pieces"
_MOST_WORKSPACES = 64
_MOST_UNITS = 8_000

Shape: TypeAlias = "partial[dict[str, Any]]"
"""A function of a listed unit; everything else it depends on is given by keyword."""


class _Kept(NamedTuple):
    """A unit's rows, the catalogue version and day they were loaded at, and its JSON by shape."""

    moment: tuple[int, date]
    rows: UnitRows
    pieces: dict[Hashable, bytes]


class UnitPieces:
    """A cache of the units' serialised facts, by workspace and unit, kept while the rows are equal.

    Most changes of a listing are changes of availability, which keep every piece. After an edit of
    the catalogue the rows are loaded again, and only the changed ones are serialised again.
    """

    def __init__(self) -> None:
        self._units: OrderedDict[str, dict[str, _Kept]] = OrderedDict()
        self._lock = Lock()

    def of(self, workspace_id: str) -> dict[str, _Kept]:
        """Return what is cached for one workspace, by unit id."""
        with self._lock:
            found = self._units.setdefault(workspace_id, {})
            self._units.move_to_end(workspace_id)
            while len(self._units) > 1 and self._is_too_large():
                self._units.popitem(last=False)
            if len(found) > _MOST_UNITS:
                found.clear()
            return found

    def forget(self) -> None:
        """Drop all units, after the database was replaced."""
        with self._lock:
            self._units.clear()

    def _is_too_large(self) -> bool:
        units = sum(map(len, self._units.values()))
        return len(self._units) > _MOST_WORKSPACES or units > _MOST_UNITS


def unit_bodies(
    session: WorkspaceSession,
    key: KnownKey,
    found: Sequence[FoundUnit],
    *,
    locale: Locale,
    shape: Shape,
) -> bytes:
    """Return the units as the members of a JSON array, in the order found.

    A unit that was deleted in the meantime is left out.
    """
    all_pieces: UnitPieces = current_app.extensions[PIECES]
    kept = all_pieces.of(key.workspace_id)
    units = _load_units(
        session, kept, (key.catalogue_version, today()), [unit.id for unit in found]
    )
    shape_key = (shape.func, *shape.keywords.values())
    return b",".join(
        [
            _build_piece(units[unit.id], shape_key, shape)
            + availability_piece(unit.availability, locale)
            for unit in found
            if unit.id in units
        ]
    )


def _load_units(
    session: WorkspaceSession,
    kept: dict[str, _Kept],
    moment: tuple[int, date],
    ids: Sequence[str],
) -> dict[str, _Kept]:
    """Return the units at a catalogue version and day, from the cache or loaded together."""
    known = {id_: unit for id_ in ids if (unit := kept.get(id_)) and unit.moment == moment}
    unknown = [id_ for id_ in ids if id_ not in known]
    if unknown:
        for id_, rows in unit_rows(session, unknown, moment[1]).items():
            before = kept.get(id_)
            pieces = before.pieces if before and before.rows == rows else {}
            known[id_] = kept[id_] = _Kept(moment, rows, pieces)
    return known


def _build_piece(unit: _Kept, shape_key: Hashable, shape: Shape) -> bytes:
    piece = unit.pieces.get(shape_key)
    if piece is None:
        piece = unit.pieces[shape_key] = to_json(shape(listed_unit(unit.rows)))[:-1]
    return piece


def check_found(units: bytes, asked_for: str) -> bytes:
    """Return the only unit of `unit_bodies`; raise `NotFound` if it was deleted in the meantime."""
    if not units:
        raise no_such("unit", asked_for)
    return units


@lru_cache(maxsize=4096)
def availability_piece(availability: Availability, locale: Locale) -> bytes:
    """Return the end of a unit's JSON: its availability and the closing brace."""
    return b',"availability":%b}' % to_json(availability_shape(availability, locale))


def availability_shape(availability: Availability, locale: Locale) -> dict[str, Any]:
    """Return the availability in the contract's fields; only `moveInFrom` may be offered."""
    return {
        "state": availability.state,
        "on": availability.on,
        "label": label(availability, locale),
        "confirmed": availability.is_confirmed,
        "moveInFrom": availability.move_in_from,
    }
