"""Tells what a rent roll says of its units: the type a layout implies, and which row decides."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final
from unicodedata import normalize

from pms.arrivals.sheets.rent_roll_rows import RentRollRow
from pms.rules.enumerations import UnitType

_HOME: Final = re.compile(r"[0-9]+\s*S?(?:R|K|DK|LDK|LK)(?:\+S)?|studio|ワンルーム|一戸建て?|house")
_ROOM: Final = re.compile(
    r"洋室|和室|個室|相部屋|ドミ|ドミトリー|シェア|private|shared|dorm|twin room|single room"
)


def type_of_layout(layout: str | None) -> UnitType | None:
    """A room of its own is a share house, a kitchen of its own an apartment; else unknown."""
    written = normalize("NFKC", layout or "").strip()
    if _HOME.match(written.upper()) or _HOME.match(written.lower()):
        return UnitType.APARTMENT
    return UnitType.SHAREHOUSE if _ROOM.match(written.lower()) else None


def deciding_lines(taken: Mapping[int, RentRollRow]) -> dict[tuple[str, str], int]:
    """The line whose layout and size count for each unit: vacant, else the latest tenancy."""
    latest: dict[tuple[str, str], tuple[date, int]] = {}
    for line, found in taken.items():
        start_on = date.max if found.tenancy is None else found.tenancy.start_on
        latest[found.unit_key] = max(latest.get(found.unit_key, (date.min, 0)), (start_on, line))
    return {key: line for key, (_, line) in latest.items()}
