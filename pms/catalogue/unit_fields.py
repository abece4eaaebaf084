"""The fields of a unit, each declared once: its column, its external names, and its bounds.

Validation, the form, the sheet and its import are built from this list, so that all accept the same
values.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from pms.catalogue.checks import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_LINES,
    check_lines,
    check_number,
    check_place_reading,
    check_text,
    needed_text,
)
from pms.rules.enumerations import UnitType
from pms.rules.yen import LARGEST_YEN


class UnitFieldKind(Enum):
    """The type of a field; a size is in hundredths of m², an amount in whole yen."""

    NAME = auto()
    READING = auto()
    TYPE = auto()
    TEXT = auto()
    NUMBER = auto()
    SIZE = auto()
    YEN = auto()
    LINES = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitField:
    """A field of a unit, with its names.

    `name` is used in forms and refusals, `sheet` is the column of a sheet, if any, and `api` its
    name in the JSON API; `None`: not shown. The bounds of a figure are its values, those of a text
    its length, those of lines their count.
    """

    column: str
    name: str
    kind: UnitFieldKind
    least: int = 0
    most: int
    sheet: str | None = None
    api: str | None = None


UNIT_FIELDS: Final = (
    UnitField(column="name", name="name", kind=UnitFieldKind.NAME, most=LONGEST_NAME, api="name"),
    UnitField(
        column="name_kana",
        name="nameKana",
        kind=UnitFieldKind.READING,
        most=LONGEST_NAME,
        sheet="unit_kana",
    ),
    UnitField(
        column="type",
        name="type",
        kind=UnitFieldKind.TYPE,
        most=LONGEST_NAME,
        sheet="type",
        api="type",
    ),
    UnitField(
        column="layout",
        name="layout",
        kind=UnitFieldKind.TEXT,
        most=20,
        sheet="layout",
        api="layout",
    ),
    UnitField(
        column="bedrooms",
        name="bedrooms",
        kind=UnitFieldKind.NUMBER,
        most=50,
        sheet="bedrooms",
        api="bedrooms",
    ),
    UnitField(
        column="size_centi_sqm",
        name="sizeSqm",
        kind=UnitFieldKind.SIZE,
        least=1,
        most=9_999_999,
        sheet="size_sqm",
        api="sizeSqm",
    ),
    UnitField(
        column="floor",
        name="floor",
        kind=UnitFieldKind.NUMBER,
        least=-10,
        most=200,
        sheet="floor",
        api="floor",
    ),
    UnitField(
        column="rent_yen",
        name="rentYen",
        kind=UnitFieldKind.YEN,
        most=LARGEST_YEN,
        sheet="base_rent",
        api="price",
    ),
    UnitField(
        column="deposit_yen",
        name="depositYen",
        kind=UnitFieldKind.YEN,
        most=LARGEST_YEN,
        sheet="deposit",
        api="deposit",
    ),
    UnitField(
        column="reservation_fee_yen",
        name="reservationFeeYen",
        kind=UnitFieldKind.YEN,
        most=LARGEST_YEN,
        sheet="reservation_fee",
        api="reservationFee",
    ),
    UnitField(
        column="minimum_stay_days",
        name="minimumStayDays",
        kind=UnitFieldKind.NUMBER,
        least=1,
        most=3_650,
        sheet="minimum_stay_days",
        api="minimumStayDays",
    ),
    UnitField(
        column="features",
        name="features",
        kind=UnitFieldKind.LINES,
        most=MOST_LINES,
        sheet="features",
        api="features",
    ),
    UnitField(column="features_en", name="featuresEn", kind=UnitFieldKind.LINES, most=MOST_LINES),
    UnitField(
        column="description_ja", name="descriptionJa", kind=UnitFieldKind.TEXT, most=LONGEST_TEXT
    ),
    UnitField(
        column="description_en", name="descriptionEn", kind=UnitFieldKind.TEXT, most=LONGEST_TEXT
    ),
)
UNIT_FIELD: Final = {field.column: field for field in UNIT_FIELDS}


@dataclass(frozen=True, kw_only=True)
class WrittenUnit:
    """The typed fields of a unit; the size in hundredths of m², amounts in whole yen."""

    name: str
    name_kana: str | None = None
    type: UnitType
    layout: str | None = None
    bedrooms: int | None = None
    size_centi_sqm: int | None = None
    floor: int | None = None
    rent_yen: int | None = None
    deposit_yen: int | None = None
    reservation_fee_yen: int | None = None
    minimum_stay_days: int | None = None
    features: tuple[str, ...] = ()
    features_en: tuple[str, ...] = ()
    description_ja: str | None = None
    description_en: str | None = None


def check_unit(written: WrittenUnit) -> dict[str, Any]:
    """Return the columns of a unit, or raise `Refused` naming the invalid field."""
    return {
        field.column: _check_value(field, getattr(written, field.column)) for field in UNIT_FIELDS
    }


def _check_value(field: UnitField, value: Any) -> Any:
    match field.kind:
        case UnitFieldKind.NAME:
            return needed_text(field.name, value, field.most)
        case UnitFieldKind.READING:
            return check_place_reading(field.name, value)
        case UnitFieldKind.TYPE:
            return UnitType(value)
        case UnitFieldKind.TEXT:
            return check_text(field.name, value, field.most)
        case UnitFieldKind.LINES:
            return check_lines(field.name, value, field.most)
        case _:
            return check_number(field.name, value, field.least, field.most)
