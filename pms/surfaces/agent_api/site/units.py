"""`GET /api/agent/site/units` and one unit: ready to be put on a page."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Response

from pms.availability.search_units import FoundUnit, availability_of, search_units
from pms.catalogue.listed_units import ListedPhoto, ListedUnit
from pms.catalogue.queries import unit_with_slug
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.addresses import photo_address
from pms.surfaces.agent_api.answers import listing_answer, pagination, to_json
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.properties_form import PropertiesForm, read_properties_form
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.site.labels import floor_label, size_label, type_label, yen_label
from pms.surfaces.agent_api.site.reader import SiteReader, read_locale, site_reader
from pms.surfaces.agent_api.unit_bodies import the_one, unit_bodies
from pms.surfaces.agent_api.unit_shapes import (
    instant_text,
    languages_of_building,
    languages_of_unit,
    layout_text,
    monthly_total,
    pixels,
    size_text,
)
from pms.surfaces.request_scope import reading_session, today


def list_units() -> Response:
    """Answer the units that match, with the parameters of the list of properties."""
    form = read_properties_form(Locale(known_key().default_locale))
    return listing_answer(form, partial(_list, form))


def show_unit(slug: str) -> Response:
    """Answer one unit by its slug."""
    query = Query()
    locale = read_locale(query)
    query.finish()
    return listing_answer(locale, partial(_one, slug, locale))


def site_unit_shape(unit: ListedUnit, reader: SiteReader, workspace_slug: str) -> dict[str, Any]:
    """Return a unit as a page shows it; labels are ready to be printed."""
    locale, building = reader.locale, unit.building
    name, total = building.name.said(locale), monthly_total(unit)
    return {
        "id": unit.id,
        "slug": unit.slug,
        "url": reader.page("units", unit.slug),
        "title": f"{name} {unit.name}",
        "name": unit.name,
        "type": unit.type,
        "typeLabel": type_label(unit.type, locale),
        "building": {
            "id": building.id,
            "slug": building.slug,
            "url": reader.page("buildings", building.slug),
            "name": name,
            "area": building.area.said(locale),
            "address": building.address.said(locale),
            "lang": languages_of_building(building, locale),
        },
        "layout": layout_text(unit, locale),
        "bedrooms": unit.bedrooms,
        "sizeSqm": size_text(unit.size_centi_sqm),
        "sizeLabel": size_label(unit.size_centi_sqm),
        "floor": unit.floor,
        "floorLabel": floor_label(unit.floor, locale),
        "price": unit.rent_yen,
        "priceLabel": yen_label(unit.rent_yen, locale),
        "monthlyFees": [
            {
                "code": fee.code,
                "label": fee.label.said(locale),
                "amount": fee.amount_yen,
                "amountLabel": yen_label(fee.amount_yen, locale),
            }
            for fee in unit.fees
        ],
        "monthlyTotal": total,
        "monthlyTotalLabel": yen_label(total, locale),
        "deposit": unit.deposit_yen,
        "reservationFee": unit.reservation_fee_yen,
        "minimumStayDays": unit.minimum_stay_days,
        "description": unit.description.said(locale),
        "features": unit.features_said(locale),
        "campaign": _campaign(unit, reader),
        "images": image_shapes(unit.photos, locale, workspace_slug),
        "lang": languages_of_unit(unit, locale, is_described=True),
        "updatedAt": instant_text(unit.updated_at),
    }


def image_shapes(
    photos: Sequence[ListedPhoto], locale: Locale, workspace_slug: str
) -> list[dict[str, Any]]:
    """Return pictures with the address of each width they are kept in, smallest first."""
    return [
        {
            "alt": photo.alt.said(locale) or "",
            "sizes": [
                {"url": photo_address(workspace_slug, photo.id, width), **pixels(photo, width)}
                for width in photo.widths
            ],
        }
        for photo in photos
    ]


def _campaign(unit: ListedUnit, reader: SiteReader) -> dict[str, Any] | None:
    campaign = unit.campaign
    if campaign is None:
        return None
    return {
        "id": campaign.id,
        "slug": campaign.slug,
        "url": reader.page("campaigns", campaign.slug),
        "title": campaign.title.said(reader.locale),
        "endsOn": campaign.ends_on,
    }


def _list(form: PropertiesForm) -> bytes:
    key, paging = known_key(), form.paging
    session = reading_session(key.workspace_id)
    found = search_units(session, form.search, today())
    shown = found.units[paging.offset : paging.offset + paging.limit]
    ends = {
        "pagination": pagination(paging, len(found.units)),
        "counts": {"confirmed": found.confirmed, "possible": found.possible},
    }
    return b'{"units":[%b],%b' % (_units(shown, form.locale), to_json(ends)[1:])


def _one(slug: str, locale: Locale) -> bytes:
    session = reading_session(known_key().workspace_id)
    unit_id = unit_with_slug(session, slug)
    found = FoundUnit(unit_id, availability_of(session, unit_id, today()))
    return b'{"unit":%b}' % the_one(_units([found], locale), slug)


def _units(found: Sequence[FoundUnit], locale: Locale) -> bytes:
    key = known_key()
    session = reading_session(key.workspace_id)
    reader = site_reader(session, locale)
    shape = partial(site_unit_shape, reader=reader, workspace_slug=key.workspace_slug)
    return unit_bodies(session, key, found, locale=locale, shape=shape)
