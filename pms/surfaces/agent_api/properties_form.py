"""Reads what a list of units asks for (specification, List units)."""

from functools import lru_cache
from typing import NamedTuple

from flask import request

from pms.availability.search_units import UnitSearch
from pms.catalogue.find_units import UnitFacts
from pms.foundation.paging import Paging
from pms.rules.availability_view import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import Locale, ReservationKind, UnitSort, UnitType
from pms.surfaces.agent_api.query import Query

DEFAULT_LIMIT = 50
MOST_LIMIT = 500


class PropertiesForm(NamedTuple):
    """The question as it was read; equal questions read equal."""

    search: UnitSearch
    paging: Paging
    locale: Locale


def read_properties_form(default_locale: Locale) -> PropertiesForm:
    """Return the question of the request; raise `Refused` naming everything wrong with it."""
    return _read(request.query_string, default_locale)


@lru_cache(maxsize=1024)
def _read(query_string: bytes, default_locale: Locale) -> PropertiesForm:
    # Pollers send the same words again and again; what is refused is read anew each time.
    query = Query(query_string)
    form = PropertiesForm(
        UnitSearch(
            facts=_facts(query),
            available_now=query.flag("availableNow"),
            move_in_by=query.day("moveInBy"),
            excluded=_excluded(query),
        ),
        query.paging(DEFAULT_LIMIT, MOST_LIMIT),
        query.choice("locale", Locale) or default_locale,
    )
    query.finish()
    return form


def _facts(query: Query) -> UnitFacts:
    return UnitFacts(
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


def _excluded(query: Query) -> tuple[ReservationKind, ...]:
    kinds = read_excluded_kinds(query.raw("excludeRecords"))
    if isinstance(kinds, UnknownKinds):
        query.refuse(
            "excludeRecords", ", ".join(kinds.words), f"one of {', '.join(ReservationKind)}"
        )
        return ()
    # In order: the words of a set come differently in every process, and the tag names them.
    return tuple(sorted(kinds))
