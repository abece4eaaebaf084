"""The website's configuration, and texts for its visitors."""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import select

from pms.availability.labels import label
from pms.catalogue.checks import (
    LONGEST_LINE,
    check_email,
    check_phone,
    check_text,
    needed_text,
    shorten_text,
)
from pms.catalogue.listed_units import ListedUnit
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_day
from pms.foundation.tenancy import workspace_of
from pms.foundation.translations import deferred_texts, translate
from pms.foundation.work import Work, refuse_other_version
from pms.rules.audit_events import AuditEvent
from pms.rules.availability import Availability
from pms.rules.enumerations import AvailabilityState, Locale, UnitType
from pms.rules.unit_words import describe_layout
from pms.site.content_changes import add_content, write_changes
from pms.site.models import SiteConfiguration
from pms.site.written_content import Columns

UNIT_TYPES: Final = deferred_texts(
    {UnitType.APARTMENT: "apartment", UnitType.SHAREHOUSE: "share house"}
)


def yen_text(yen: int, locale: Locale) -> str:
    """Return whole yen as text for visitors."""
    return translate("¥{yen:,}", locale, yen=yen)


def label_text(availability: Availability, locale: Locale) -> str:
    """Return what a visitor is told about a unit's availability today.

    Only a day from which it may be offered is named: not an expected departure, and not the start
    of the next stay (Availability, Rules).
    """
    if availability.state == AvailabilityState.POSSIBLY_AVAILABLE:
        return translate("may become free; no date can be promised", locale)
    if not availability.is_confirmed:
        plain = label(availability._replace(on=None), locale)
        return plain if locale == Locale.JA else plain.lower()
    day = availability.move_in_from
    if day is None or availability.state == AvailabilityState.AVAILABLE_NOW:
        return translate("available now", locale)
    return translate("available from {day}", locale, day=format_day(day, locale))


def unit_text(unit: ListedUnit, locale: Locale) -> str:
    """Return the facts of a unit in one line: rent, monthly total, layout, size, area."""
    lines = [
        _format_rent(unit, locale),
        describe_layout(unit.layout, locale).text if unit.layout else None,
        None
        if unit.size_centi_sqm is None
        else f"{unit.size_centi_sqm // 100}.{unit.size_centi_sqm % 100 // 10} m²",
        translate(UNIT_TYPES[UnitType(unit.type)], locale),
        unit.building.area.in_language(locale),
    ]
    return translate(", ", locale).join(text for text in lines if text)


def deposit_text(unit: ListedUnit, locale: Locale) -> str | None:
    """Return the deposit of a unit as text, if it is known."""
    if unit.deposit_yen is None:
        return None
    return translate("deposit {yen}", locale, yen=yen_text(unit.deposit_yen, locale))


def _format_rent(unit: ListedUnit, locale: Locale) -> str | None:
    if unit.rent_yen is None:
        return None
    rent, fees = yen_text(unit.rent_yen, locale), sum(fee.amount_yen for fee in unit.fees)
    if not fees:
        return translate("rent {rent}", locale, rent=rent)
    total = yen_text(unit.rent_yen + fees, locale)
    return translate("rent {rent} ({total} with monthly fees)", locale, rent=rent, total=total)


def page_address(base_url: str, locale: str, section: str, slug: str) -> str:
    """Return the absolute address of a page, for instance `…/ja/units/kawasemi-101`."""
    return f"{base_url.rstrip('/')}/{locale}/{section}/{slug}"


LONGEST_ADDRESS: Final = 300
MOST_LINKS: Final = 12
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+")
_PATH: Final = re.compile(r"[\w\-./~@%+:,=]*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSite:
    """The website's configuration as typed; the links are pairs of a name and an address."""

    base_url: str | None
    title_ja: str | None = None
    title_en: str | None = None
    tagline_ja: str | None = None
    tagline_en: str | None = None
    contact_email: str | None = None
    contact_phone: str | None = None
    address_ja: str | None = None
    address_en: str | None = None
    social_links: tuple[tuple[str, str], ...] = field(default=())


def set_site_configuration(work: Work, *, written: WrittenSite, version: int | None = None) -> int:
    """Save the website's configuration and return its version; the first save creates the row.

    The addresses of listings and content are built on `base_url`, so all of them change with it.
    """
    columns = check_site(written)
    asked = select(SiteConfiguration).with_for_update()
    row = work.session.scalar(asked.execution_options(populate_existing=True))
    if row is None:
        row = SiteConfiguration(id=workspace_of(work.session), version=1, **columns)
        add_content(work, AuditEvent.SITE_CONFIGURED, row)
        return row.version
    refuse_other_version(row, version)
    write_changes(work, AuditEvent.SITE_CONFIGURED, row, columns=columns)
    return row.version


def check_site(written: WrittenSite) -> Columns:
    """Return the columns, or raise `Refused` naming what is wrong."""
    base_url = check_address("baseUrl", needed_text("baseUrl", written.base_url, LONGEST_ADDRESS))
    needed_text("titleJa", written.title_ja or written.title_en)
    return {
        "base_url": base_url.rstrip("/"),
        "title_ja": check_text("titleJa", written.title_ja) or "",
        "title_en": check_text("titleEn", written.title_en) or "",
        "tagline_ja": check_text("taglineJa", written.tagline_ja) or "",
        "tagline_en": check_text("taglineEn", written.tagline_en) or "",
        "contact_email": check_email("contactEmail", written.contact_email),
        "contact_phone": check_phone("contactPhone", written.contact_phone),
        "address_ja": check_text("addressJa", written.address_ja, LONGEST_LINE),
        "address_en": check_text("addressEn", written.address_en, LONGEST_LINE),
        "social_links": _check_links(written.social_links),
    }


def check_address(name: str, given: str) -> str:
    """Return an https address for use in a page, or raise `Refused`."""
    try:
        parts = urlsplit(given)
        is_sound = (
            parts.scheme == "https"
            and parts.port != 0
            and _HOST.fullmatch(parts.hostname or "") is not None
            and "@" not in parts.netloc
            and _PATH.fullmatch(parts.path) is not None
            and not parts.query
            and not parts.fragment
        )
    except ValueError:
        is_sound = False
    if not is_sound:
        raise Refused(
            "{field}: '{value}' is not an address such as https://www.example.jp.",
            field=name,
            value=shorten_text(given),
        )
    return given


def _check_links(given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    if len(given) > MOST_LINKS:
        raise Refused(
            "socialLinks: there are {count} links. At most {most} are possible.",
            count=len(given),
            most=MOST_LINKS,
        )
    links: dict[str, str] = {}
    for typed, address in given:
        name = typed.strip().lower()
        if not _NAME.fullmatch(name):
            raise Refused(
                "socialLinks: '{name}' is not a name for a link. Use letters, digits and hyphens, "
                "such as instagram.",
                name=shorten_text(typed),
            )
        if name in links:
            raise Refused("socialLinks: '{name}' appears twice.", name=name)
        links[name] = check_address("socialLinks", address.strip()[:LONGEST_ADDRESS])
    return links
