"""The income of an owner's paper with one row a room: on the page, in the PDF and in the file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from pms.foundation.phrases import Bilingual
from pms.rules.enumerations import FeeCategory
from pms.statements.building_income import KEPT_DEPOSIT, IncomePlace
from pms.statements.owner_figures import IncomeRow, unit_order

CATEGORY_WORDS: Final[Mapping[str, Bilingual]] = {
    FeeCategory.RENT: Bilingual("賃料", "Rent"),
    FeeCategory.UTILITIES: Bilingual("水道光熱費", "Utilities"),
    FeeCategory.BUILDING_MAINTENANCE: Bilingual("共益費", "Building maintenance"),
    FeeCategory.SURCHARGE: Bilingual("追加料金", "Surcharges"),
    FeeCategory.RESERVATION_FEE: Bilingual("予約金", "Reservation fees"),
    FeeCategory.DEPOSIT: Bilingual("敷金", "Deposits"),
    FeeCategory.PENALTY: Bilingual("違約金", "Move-out penalties"),
    FeeCategory.CLEANING: Bilingual("清掃費", "Cleaning"),
    FeeCategory.REPAIR: Bilingual("修繕費", "Repairs"),
    FeeCategory.SERVICE: Bilingual("サービス料", "Services"),
    FeeCategory.OTHER: Bilingual("その他", "Other"),
    KEPT_DEPOSIT: Bilingual("敷金からの充当", "Kept from deposits"),
}
COLUMNS_OF_A_PAPER: Final = 4
"""Columns of categories that a sheet of A4 has room for between the room and its sum."""


class RoomRow(NamedTuple):
    """What one room brought in, whole yen by category in the order of `CATEGORY_WORDS`."""

    unit: str
    by_category: Mapping[str, int]

    @property
    def yen(self) -> int:
        """The room's sum."""
        return sum(self.by_category.values())

    def parts(self, locale: str) -> list[tuple[str, int]]:
        """Return what its sum is made of, in words."""
        return [
            (said_category(category, locale), yen) for category, yen in self.by_category.items()
        ]


def room_rows(income: Iterable[IncomeRow]) -> list[RoomRow]:
    """Return the income with one row a room: room 9 before room 10."""
    found: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in income:
        found[row.unit][row.category] += row.yen
    return [
        RoomRow(unit, {one: found[unit][one] for one in CATEGORY_WORDS if found[unit].get(one)})
        for unit in sorted(found, key=lambda unit: unit_order(IncomePlace(unit, "")))
    ]


def categories_of(rooms: Iterable[RoomRow]) -> list[str]:
    """Return the categories that occur, in their order."""
    found = {category for room in rooms for category in room.by_category}
    return [category for category in CATEGORY_WORDS if category in found]


def fitted(rooms: Sequence[RoomRow], columns: int = COLUMNS_OF_A_PAPER) -> list[RoomRow]:
    """Return the rooms with so many categories at most: the last ones are counted as Other."""
    kept = [one for one in categories_of(rooms) if one != FeeCategory.OTHER]
    if len(categories_of(rooms)) > columns:
        kept = kept[: columns - 1]
    return [
        RoomRow(room.unit, _with_other({one: room.by_category.get(one, 0) for one in kept}, room))
        for room in rooms
    ]


def _with_other(kept: dict[str, int], room: RoomRow) -> dict[str, int]:
    rest_yen = room.yen - sum(kept.values())
    shown = {category: yen for category, yen in kept.items() if yen}
    return shown | ({FeeCategory.OTHER.value: rest_yen} if rest_yen else {})


def said_category(category: str, locale: str) -> str:
    """Return the name of a category."""
    return CATEGORY_WORDS[category].said(locale) or ""
