"""`GET /api/agent/properties` and one unit of it (specification, List units)."""

from functools import lru_cache, partial
from typing import NamedTuple

from flask import Response, request

from pms.availability import units
from pms.availability.units import UnitSearch, search_units
from pms.catalogue import buildings, listed_units
from pms.catalogue.units import UnitFacts
from pms.foundation.lists import Paging
from pms.rules.availability import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import Locale, ReservationKind, Scope, UnitSort, UnitType
from pms.surfaces.agent_api.answers import listing_answer, pagination, to_json
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_shapes import (
    availability_shape,
    building_page_shape,
    languages_of_unit,
    unit_bodies,
    unit_shape,
)
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import reading_session, today

DEFAULT_LIMIT = 50
MOST_LIMIT = 500


class PropertiesForm(NamedTuple):
    """The parameters as they were read; equal questions are equal."""

    search: UnitSearch
    paging: Paging
    locale: Locale


def read_properties_form(default_locale: Locale) -> PropertiesForm:
    """Return the request's parameters; raise `Refused` naming every problem."""
    return _read_form_of_query(request.query_string, default_locale)


@lru_cache(maxsize=1024)
def _read_form_of_query(query_string: bytes, default_locale: Locale) -> PropertiesForm:
    # Pollers send the same query again and again; a refused one is not cached.
    query = Query(query_string)
    facts = UnitFacts(
        areas=query.words("areas", "area"),
        price_min_yen=query.whole_number("priceMin"),
        price_max_yen=query.whole_number("priceMax"),
        type=query.choice("type", UnitType),
        layouts=query.words("layouts", "layout"),
        bedrooms=query.whole_number("bedrooms"),
        has_campaign=query.flag("hasCampaign"),
        search=query.text("search"),
        building=query.text("building"),
        sort=query.choice("sort", UnitSort),
    )
    form = PropertiesForm(
        UnitSearch(
            facts=facts,
            available_now=query.flag("availableNow"),
            move_in_by=query.day("moveInBy"),
            excluded=_excluded_kinds(query),
        ),
        query.paging(DEFAULT_LIMIT, MOST_LIMIT),
        query.choice("locale", Locale) or default_locale,
    )
    query.finish()
    return form


def _excluded_kinds(query: Query) -> tuple[ReservationKind, ...]:
    kinds = read_excluded_kinds(query.raw("excludeRecords"))
    if isinstance(kinds, UnknownKinds):
        query.refuse(
            "excludeRecords", ", ".join(kinds.words), f"one of {', '.join(ReservationKind)}"
        )
        return ()
    # Sorted, because the order of a set differs between processes and goes into the tag.
    return tuple(sorted(kinds))


@blueprint.get("/properties", scope=Scope.PROPERTIES_READ)
def list_properties() -> Response:
    """Return the units that match, with counts of the confirmed and the possible ones."""
    form = read_properties_form(Locale.EN)
    return listing_answer(form, partial(_build_list_body, form))


@blueprint.get("/properties/<unit_id>", scope=Scope.PROPERTIES_READ)
def show_property(unit_id: str) -> Response:
    """Return one unit, with everything public about its building."""
    query = Query()
    locale = query.choice("locale", Locale) or Locale.EN
    query.finish()
    return listing_answer(locale, partial(_build_unit_body, unit_id, locale))


def _build_list_body(form: PropertiesForm) -> bytes:
    key, paging = known_key(), form.paging
    session = reading_session(key.workspace_id)
    found = search_units(session, form.search, today())
    shown = found.units[paging.offset : paging.offset + paging.limit]
    shape = partial(unit_shape, locale=form.locale, workspace_slug=key.workspace_slug)
    units = unit_bodies(session, key, shown, locale=form.locale, shape=shape)
    ends = {
        "pagination": pagination(paging, len(found.units)),
        "counts": {"confirmed": found.confirmed, "possible": found.possible},
    }
    return b'{"units":[%b],%b' % (units, to_json(ends)[1:])


def _build_unit_body(unit_id: str, locale: Locale) -> bytes:
    key = known_key()
    session = reading_session(key.workspace_id)
    unit = listed_units.unit_with_id(session, unit_id, today())
    building = buildings.building_with_id(session, unit.building.id)
    availability = units.availability_of(session, unit_id, today())
    shape = {
        **unit_shape(unit, locale, key.workspace_slug),
        "description": unit.description.in_language(locale),
        "lang": languages_of_unit(unit, locale, is_described=True),
        "building": building_page_shape(building, locale, key.workspace_slug),
        "availability": availability_shape(availability, locale),
    }
    return to_json({"unit": shape})
