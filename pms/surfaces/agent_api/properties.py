"""`GET /api/agent/properties` and one unit of it (specification, List units)."""

from functools import partial

from flask import Response

from pms.availability.search_units import availability_of, search_units
from pms.catalogue.listed_buildings import building_with_id
from pms.catalogue.listed_units import unit_with_id
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.answers import listing_answer, pagination, to_json
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.properties_form import PropertiesForm, read_properties_form
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_bodies import availability_shape, unit_bodies
from pms.surfaces.agent_api.unit_shapes import building_page_shape, languages_of_unit, unit_shape
from pms.surfaces.request_scope import reading_session, today


def list_properties() -> Response:
    """Answer the units that match, with counts of what is confirmed and what is possible."""
    form = read_properties_form(Locale.EN)
    return listing_answer(form, partial(_list, form))


def show_property(unit_id: str) -> Response:
    """Answer one unit, with everything public about its building."""
    query = Query()
    locale = query.choice("locale", Locale) or Locale.EN
    query.finish()
    return listing_answer(locale, partial(_one, unit_id, locale))


def _list(form: PropertiesForm) -> bytes:
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


def _one(unit_id: str, locale: Locale) -> bytes:
    key = known_key()
    session = reading_session(key.workspace_id)
    unit = unit_with_id(session, unit_id, today())
    building = building_with_id(session, unit.building.id)
    availability = availability_of(session, unit_id, today())
    shape = {
        **unit_shape(unit, locale, key.workspace_slug),
        "description": unit.description.said(locale),
        "lang": languages_of_unit(unit, locale, is_described=True),
        "building": building_page_shape(building, locale, key.workspace_slug),
        "availability": availability_shape(availability, locale),
    }
    return to_json({"unit": shape})
