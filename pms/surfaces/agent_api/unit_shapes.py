"""The unit as the JSON API shows it, without its availability (see the manual, properties)."""

from datetime import datetime
from typing import Any

from flask import current_app, url_for

from pms.catalogue.buildings import BuildingPage
from pms.catalogue.listed_units import ListedBuilding, ListedPhoto, ListedUnit
from pms.catalogue.unit_fields import UNIT_FIELDS, Kind, UnitField
from pms.foundation.settings import Settings
from pms.rules.enumerations import Locale

SETTINGS = "pms.settings"


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
    settings: Settings = current_app.extensions[SETTINGS]
    return settings.base_url


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
        "campaign": _campaign(unit, locale),
        "photos": [photo_shape(photo, locale, workspace_slug) for photo in unit.photos],
        "lang": languages_of_unit(unit, locale),
        "updatedAt": instant_text(unit.updated_at),
    }


def declared_fields(unit: ListedUnit, locale: Locale) -> dict[str, Any]:
    """Return the fields of a unit that `UNIT_FIELDS` declares, by their names in the API."""
    return {field.api: _field_value(field, unit, locale) for field in UNIT_FIELDS if field.api}


def _field_value(field: UnitField, unit: ListedUnit, locale: Locale) -> Any:
    if field.kind is Kind.SIZE:
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


def _campaign(unit: ListedUnit, locale: Locale) -> dict[str, Any] | None:
    campaign = unit.campaign
    if campaign is None:
        return None
    title = campaign.title.in_language(locale)
    return {"id": campaign.id, "title": title, "endsOn": campaign.ends_on}
