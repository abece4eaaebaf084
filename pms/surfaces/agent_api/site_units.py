"""`GET /api/agent/site/units` and `/buildings`: lists, and one of each."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import Response

from pms.availability import units
from pms.availability.units import FoundUnit, UnitSearch
from pms.catalogue import buildings, slugs
from pms.catalogue.buildings import BuildingPage, listed_buildings
from pms.catalogue.listed_units import ListedBuilding, ListedPhoto, ListedUnit
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.translations import deferred_texts, translate
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState, Locale, Scope, UnitType
from pms.surfaces.agent_api.answers import listing_answer, pagination, to_json
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.properties import PropertiesForm, read_properties_form
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.site_content import (
    SiteReader,
    read_locale,
    site_answer,
    site_list_answer,
    site_reader,
)
from pms.surfaces.agent_api.unit_shapes import (
    check_found,
    declared_fields,
    instant_text,
    languages_of_building,
    languages_of_unit,
    monthly_total,
    photo_address,
    pixels,
    size_text,
    unit_bodies,
)
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import reading_session, today

_TYPES = deferred_texts({UnitType.APARTMENT: "Apartment", UnitType.SHAREHOUSE: "Share house"})


def type_label(type_: str, locale: Locale) -> str:
    """Return the label of a unit's type."""
    return translate(_TYPES[UnitType(type_)], locale)


def yen_label(amount_yen: int | None, locale: Locale) -> str | None:
    """Return an amount of whole yen as text, or `None` if it is unknown."""
    return None if amount_yen is None else translate("¥{yen:,}", locale, yen=amount_yen)


def size_label(centi_sqm: int | None) -> str | None:
    """Return a size in square metres as text."""
    return None if centi_sqm is None else f"{size_text(centi_sqm)} m²"


def floor_label(floor: int | None, locale: Locale) -> str | None:
    """Return a floor as text; basements are negative numbers."""
    if floor is None:
        return None
    if floor < 0:
        return translate("B{floor}", locale, floor=-floor)
    return translate("{floor}F", locale, floor=floor)


@blueprint.get("/site/units", scope=Scope.PROPERTIES_READ)
def list_units() -> Response:
    """Return the units that match, with the parameters of the list of properties."""
    form = read_properties_form(Locale(known_key().default_locale))
    return listing_answer(form, partial(_units_body, form))


@blueprint.get("/site/units/<slug>", scope=Scope.PROPERTIES_READ)
def show_unit(slug: str) -> Response:
    """Return one unit by its slug."""
    query = Query()
    locale = read_locale(query)
    query.finish()
    return listing_answer(locale, partial(_unit_body, slug, locale))


def site_unit_shape(unit: ListedUnit, reader: SiteReader, workspace_slug: str) -> dict[str, Any]:
    """Return a unit for a web page, with labels ready to be shown."""
    locale, total = reader.locale, monthly_total(unit)
    fees = [
        {
            "code": fee.code,
            "label": fee.label.in_language(locale),
            "amount": fee.amount_yen,
            "amountLabel": yen_label(fee.amount_yen, locale),
        }
        for fee in unit.fees
    ]
    return {
        "id": unit.id,
        "slug": unit.slug,
        "url": reader.page("units", unit.slug),
        "title": f"{unit.building.name.in_language(locale)} {unit.name}",
        **declared_fields(unit, locale),
        "typeLabel": type_label(unit.type, locale),
        "building": {
            **_building_facts(unit.building, reader),
            "lang": languages_of_building(unit.building, locale),
        },
        "sizeLabel": size_label(unit.size_centi_sqm),
        "floorLabel": floor_label(unit.floor, locale),
        "priceLabel": yen_label(unit.rent_yen, locale),
        "monthlyFees": fees,
        "monthlyTotal": total,
        "monthlyTotalLabel": yen_label(total, locale),
        "description": unit.description.in_language(locale),
        "campaign": _shape_campaign(unit, reader),
        "images": image_shapes(unit.photos, locale, workspace_slug),
        "lang": languages_of_unit(unit, locale, is_described=True),
        "updatedAt": instant_text(unit.updated_at),
    }


def _building_facts(building: ListedBuilding | BuildingPage, reader: SiteReader) -> dict[str, Any]:
    locale = reader.locale
    return {
        "id": building.id,
        "slug": building.slug,
        "url": reader.page("buildings", building.slug),
        "name": building.name.in_language(locale),
        "area": building.area.in_language(locale),
        "address": building.address.in_language(locale),
    }


def image_shapes(
    photos: Sequence[ListedPhoto], locale: Locale, workspace_slug: str
) -> list[dict[str, Any]]:
    """Return pictures with the address of each stored width, smallest first."""
    return [
        {
            "alt": photo.alt.in_language(locale) or "",
            "sizes": [
                {"url": photo_address(workspace_slug, photo.id, width), **pixels(photo, width)}
                for width in photo.widths
            ],
        }
        for photo in photos
    ]


def _shape_campaign(unit: ListedUnit, reader: SiteReader) -> dict[str, Any] | None:
    campaign = unit.campaign
    if campaign is None:
        return None
    return {
        "id": campaign.id,
        "slug": campaign.slug,
        "url": reader.page("campaigns", campaign.slug),
        "title": campaign.title.in_language(reader.locale),
        "endsOn": campaign.ends_on,
    }


def _units_body(form: PropertiesForm) -> bytes:
    key, paging = known_key(), form.paging
    session = reading_session(key.workspace_id)
    found = units.search_units(session, form.search, today())
    shown = found.units[paging.offset : paging.offset + paging.limit]
    ends = {
        "pagination": pagination(paging, len(found.units)),
        "counts": {"confirmed": found.confirmed, "possible": found.possible},
    }
    return b'{"units":[%b],%b' % (_build_unit_bodies(shown, form.locale), to_json(ends)[1:])


def _unit_body(slug: str, locale: Locale) -> bytes:
    session = reading_session(known_key().workspace_id)
    unit_id = slugs.unit_with_slug(session, slug)
    found = FoundUnit(unit_id, units.availability_of(session, unit_id, today()))
    return b'{"unit":%b}' % check_found(_build_unit_bodies([found], locale), slug)


def _build_unit_bodies(found: Sequence[FoundUnit], locale: Locale) -> bytes:
    key = known_key()
    session = reading_session(key.workspace_id)
    reader = site_reader(session, locale)
    shape = partial(site_unit_shape, reader=reader, workspace_slug=key.workspace_slug)
    return unit_bodies(session, key, found, locale=locale, shape=shape)


@blueprint.get("/site/buildings", scope=Scope.PROPERTIES_READ)
def list_buildings() -> Response:
    """Return one page of the buildings, by name."""
    return site_list_answer(_shape_buildings)


@blueprint.get("/site/buildings/<slug>", scope=Scope.PROPERTIES_READ)
def show_building(slug: str) -> Response:
    """Return one building by its slug."""
    return site_answer(partial(_shape_whole_building, slug))


def _shape_buildings(
    session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    buildings, total = listed_buildings(session, paging)
    free = _read_availabilities(session)
    return {
        "buildings": [_shape_building(building, reader, free) for building in buildings],
        "pagination": pagination(paging, total),
    }


def _shape_whole_building(
    slug: str, session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    building = buildings.building_with_slug(session, slug)
    return {"building": _shape_building(building, reader, _read_availabilities(session))}


def _read_availabilities(session: WorkspaceSession) -> Mapping[str, Availability]:
    return dict(units.search_units(session, UnitSearch(), today()).units)


def _shape_building(
    building: BuildingPage, reader: SiteReader, availabilities: Mapping[str, Availability]
) -> dict[str, Any]:
    locale = reader.locale
    units = [availabilities[id_] for id_ in building.unit_ids if id_ in availabilities]
    states = [unit.state for unit in units]
    return {
        **_building_facts(building, reader),
        "access": building.access.in_language(locale),
        "description": building.description.in_language(locale),
        "lang": languages_of_building(building, locale),
        "priceFrom": building.least_rent_yen,
        "priceFromLabel": yen_label(building.least_rent_yen, locale),
        "units": {
            "total": len(units),
            "availableNow": states.count(AvailabilityState.AVAILABLE_NOW),
            "confirmed": sum(unit.is_confirmed for unit in units),
            "possible": states.count(AvailabilityState.POSSIBLY_AVAILABLE),
        },
        "images": image_shapes(building.photos, locale, known_key().workspace_slug),
        "updatedAt": instant_text(building.updated_at),
    }
