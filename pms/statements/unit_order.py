"""Puts the rows of a statement in order: units as people count them, categories in their order."""

import re
from typing import Final, TypeAlias

from pms.rules.enumerations import FeeCategory
from pms.statements.owner_money import IncomePlace

_DIGITS: Final = re.compile(r"(\d+)")
_CATEGORIES: Final = {category.value: place for place, category in enumerate(FeeCategory)}

Order: TypeAlias = tuple[tuple[tuple[bool, int, str], ...], str, int]


def unit_order(place: IncomePlace) -> Order:
    """Return what sorts a row: room 9 before room 10, within a room the categories."""
    parts = (part for part in _DIGITS.split(place.unit) if part)
    counted = tuple(
        (False, int(part), "") if part.isdecimal() else (True, 0, part.casefold()) for part in parts
    )
    return counted, place.unit, _CATEGORIES.get(place.category, len(_CATEGORIES))
