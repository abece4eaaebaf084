"""`GET /api/agent/site/buildings` and one building, with what is free in it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Response

from pms.availability.search_units import UnitSearch, search_units
from pms.catalogue.listed_buildings import BuildingPage, building_with_slug, listed_buildings
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState
from pms.surfaces.agent_api.answers import pagination
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.site.asked import site_answer, site_list_answer
from pms.surfaces.agent_api.site.labels import yen_label
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.surfaces.agent_api.site.units import image_shapes
from pms.surfaces.agent_api.unit_shapes import instant_text, languages_of_building
from pms.surfaces.request_scope import today


def list_buildings() -> Response:
    """Answer one page of the buildings, by name."""
    return site_list_answer(_list)


def show_building(slug: str) -> Response:
    """Answer one building by its slug."""
    return site_answer(partial(_one, slug))


def _list(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    buildings, total = listed_buildings(session, paging)
    free = _availabilities(session)
    return {
        "buildings": [_shape(building, reader, free) for building in buildings],
        "pagination": pagination(paging, total),
    }


def _one(
    slug: str, session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    building = building_with_slug(session, slug)
    return {"building": _shape(building, reader, _availabilities(session))}


def _availabilities(session: WorkspaceSession) -> Mapping[str, Availability]:
    return dict(search_units(session, UnitSearch(), today()).units)


def _shape(
    building: BuildingPage, reader: SiteReader, availabilities: Mapping[str, Availability]
) -> dict[str, Any]:
    locale = reader.locale
    units = [availabilities[id_] for id_ in building.unit_ids if id_ in availabilities]
    states = [unit.state for unit in units]
    return {
        "id": building.id,
        "slug": building.slug,
        "url": reader.page("buildings", building.slug),
        "name": building.name.said(locale),
        "area": building.area.said(locale),
        "address": building.address.said(locale),
        "access": building.access.said(locale),
        "description": building.description.said(locale),
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
