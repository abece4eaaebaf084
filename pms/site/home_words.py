"""Says homes and what is free in a visitor's language; a soft date is never said."""

from pms.catalogue.listed_units import ListedUnit
from pms.foundation.wording import said_day
from pms.rules.availability import Availability
from pms.rules.availability_view import label
from pms.rules.enumerations import AvailabilityState, Locale, UnitType
from pms.rules.layout_words import layout_said

_TYPES = {
    Locale.JA: {UnitType.APARTMENT: "アパート", UnitType.SHAREHOUSE: "シェアハウス"},
    Locale.EN: {UnitType.APARTMENT: "apartment", UnitType.SHAREHOUSE: "share house"},
}


def yen_said(yen: int, locale: Locale) -> str:
    """Return whole yen as a visitor reads them."""
    return f"{yen:,}円" if locale == Locale.JA else f"¥{yen:,}"


def label_said(availability: Availability, locale: Locale) -> str:
    """Return what a visitor is told of a home today.

    Only a day on which it may be offered is told: not when somebody may leave, not when the next
    stay begins (Availability, Rules).
    """
    is_ja = locale == Locale.JA
    if availability.state == AvailabilityState.POSSIBLY_AVAILABLE:
        return (
            "空く可能性がありますが、時期はお約束できません"
            if is_ja
            else "may become free; no date can be promised"
        )
    if not availability.is_confirmed:
        plain = label(availability._replace(on=None), locale)
        return plain if is_ja else plain.lower()
    day = availability.move_in_from
    if day is None or availability.state == AvailabilityState.AVAILABLE_NOW:
        return "空室、すぐに入居できます" if is_ja else "available now"
    said = said_day(day, locale)
    return f"{said}から入居できます" if is_ja else f"available from {said}"


def unit_said(unit: ListedUnit, locale: Locale) -> str:
    """Return the facts of a home in one line: rent, monthly total, layout, size, area."""
    is_ja = locale == Locale.JA
    told = [
        _rent(unit, locale),
        layout_said(unit.layout, locale).text if unit.layout else None,
        None if unit.size_centi_sqm is None else _size(unit.size_centi_sqm),
        _TYPES[locale][UnitType(unit.type)],
        unit.building.area.said(locale),
    ]
    return ("、" if is_ja else ", ").join(text for text in told if text)


def deposit_said(unit: ListedUnit, locale: Locale) -> str | None:
    """Return what is deposited for a home, if that is known."""
    if unit.deposit_yen is None:
        return None
    yen = yen_said(unit.deposit_yen, locale)
    return f"敷金{yen}" if locale == Locale.JA else f"deposit {yen}"


def _rent(unit: ListedUnit, locale: Locale) -> str | None:
    if unit.rent_yen is None:
        return None
    rent, fees = yen_said(unit.rent_yen, locale), sum(fee.amount_yen for fee in unit.fees)
    total = yen_said(unit.rent_yen + fees, locale)
    if locale == Locale.JA:
        return f"家賃{rent}(毎月の費用を合わせて{total})" if fees else f"家賃{rent}"
    return f"rent {rent} ({total} with monthly fees)" if fees else f"rent {rent}"


def _size(centi_sqm: int) -> str:
    return f"{centi_sqm // 100}.{centi_sqm % 100 // 10} m²"
