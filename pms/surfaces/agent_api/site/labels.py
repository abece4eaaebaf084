"""Ready words for the pages of a website, in Japanese and English."""

from pms.rules.enumerations import Locale, UnitType
from pms.surfaces.agent_api.unit_shapes import size_text

_TYPES = {
    Locale.JA: {UnitType.APARTMENT: "アパート", UnitType.SHAREHOUSE: "シェアハウス"},
    Locale.EN: {UnitType.APARTMENT: "Apartment", UnitType.SHAREHOUSE: "Share house"},
}


def type_label(type_: str, locale: Locale) -> str:
    """Return what is rented."""
    return _TYPES[locale][UnitType(type_)]


def yen_label(amount_yen: int | None, locale: Locale) -> str | None:
    """Return an amount of whole yen as it is printed, `None` for an unknown one."""
    if amount_yen is None:
        return None
    return f"{amount_yen:,}円" if locale == Locale.JA else f"¥{amount_yen:,}"


def size_label(centi_sqm: int | None) -> str | None:
    """Return a size in square metres as it is printed."""
    return None if centi_sqm is None else f"{size_text(centi_sqm)} m²"


def floor_label(floor: int | None, locale: Locale) -> str | None:
    """Return a floor as it is printed; basements are negative."""
    if floor is None:
        return None
    if locale == Locale.JA:
        return f"地下{-floor}階" if floor < 0 else f"{floor}階"
    return f"B{-floor}" if floor < 0 else f"{floor}F"
