"""Reads a sheet of units into typed rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.columns import (
    SheetColumn,
)
from pms.arrivals.sheets.oddities import (
    building_of,
    look_at_unit,
    spelling_of_room,
    unit_of,
)
from pms.arrivals.sheets.reading import SheetRow
from pms.catalogue.checks import LONGEST_NAME
from pms.catalogue.unit_fields import UNIT_FIELD, UnitField, UnitFieldKind
from pms.rules.enumerations import UnitType
from pms.rules.room_names import building_key, room_key
from pms.sheets.refusals import Unreadable

UNIT_COLUMNS: Final = (
    SheetColumn(
        "building", ("building name", "property", "物件名", "物件", "建物名", "建物"), True
    ),
    SheetColumn(
        "building_kana",
        ("物件名カナ", "物件名かな", "物件カナ", "建物名カナ", "建物カナ", "building reading"),
    ),
    SheetColumn("area", ("エリア", "地域", "neighbourhood", "neighborhood")),
    SheetColumn("address", ("住所", "所在地")),
    SheetColumn("unit", ("room", "room no", "unit no", "部屋番号", "号室", "部屋", "室番号"), True),
    SheetColumn("unit_kana", ("部屋名カナ", "部屋カナ", "unit reading", "room reading")),
    SheetColumn("type", ("種別", "物件種別", "タイプ"), True),
    SheetColumn("layout", ("間取り", "間取", "floor plan")),
    SheetColumn("bedrooms", ("寝室数", "部屋数", "beds")),
    SheetColumn("size_sqm", ("size", "area sqm", "面積", "専有面積")),
    SheetColumn("floor", ("階", "階数", "所在階", "storey")),
    SheetColumn("base_rent", ("rent", "monthly rent", "賃料", "家賃", "募集賃料")),
    SheetColumn("utilities", ("utility fee", "水道光熱費", "光熱費")),
    SheetColumn(
        "building_maintenance",
        ("maintenance", "common fee", "management fee", "共益費", "管理費", "管理費・共益費"),
    ),
    SheetColumn("deposit", ("security deposit", "敷金", "保証金", "デポジット")),
    SheetColumn("reservation_fee", ("booking fee", "予約金", "申込金")),
    SheetColumn("minimum_stay_days", ("minimum stay", "最低入居日数", "最低契約日数")),
    SheetColumn("features", ("amenities", "設備", "特徴", "設備・特徴")),
)
TYPE_NAMES: Final = {
    "シェアハウス": UnitType.SHAREHOUSE,
    "シェア": UnitType.SHAREHOUSE,
    "アパート": UnitType.APARTMENT,
    "マンション": UnitType.APARTMENT,
    "一戸建て": UnitType.APARTMENT,
}


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One unit as its row states it; None where the sheet does not say."""

    building: str
    building_kana: str | None
    area: str | None
    address: str | None
    unit: str
    unit_kana: str | None
    type: UnitType
    layout: str | None
    bedrooms: int | None
    size_centi_sqm: int | None
    floor: int | None
    rent_yen: int | None
    utilities_yen: int | None
    building_maintenance_yen: int | None
    deposit_yen: int | None
    reservation_fee_yen: int | None
    minimum_stay_days: int | None
    features: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The key that different spellings of the same unit share."""
        return building_key(self.building), room_key(self.unit)


def read_unit_rows(rows: Sequence[SheetRow]) -> dict[int, UnitRow]:
    """Return the accepted rows by line; the others keep their problems.

    A unit in other letter case is the same unit, and accepted: a person has to confirm it.
    """
    taken: dict[int, UnitRow] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        unit = None if row.problems else _unit_row(row)
        if unit is None:
            continue
        spelled = building_key(unit.building), spelling_of_room(unit.unit)
        if spelled in seen:
            row.refuse("unit", "same_unit_as_line", line=seen[spelled])
            continue
        seen[spelled] = row.line
        taken[row.line] = unit
        look_at_unit(row, "base_rent", unit.rent_yen)
        if unit.rent_yen is None:
            row.note("base_rent", "no_asking_rent")
    return taken


def _unit_row(row: SheetRow) -> UnitRow | None:
    building, unit = building_of(row), unit_of(row)
    if unit is not None and len(unit) > UNIT_FIELD["name"].most:
        row.refuse("unit", "text_too_long", most=UNIT_FIELD["name"].most)
    values = UnitRow(
        building=building or "",
        building_kana=row.read("building_kana", cells.place_reading),
        area=row.read("area", cells.text),
        address=row.read("address", cells.text),
        unit=unit or "",
        unit_kana=row.read("unit_kana", _make_bounded_reader("name_kana", cells.place_reading)),
        type=UnitType(row.read("type", _read_type) or UnitType.APARTMENT),
        layout=row.read("layout", _make_bounded_reader("layout", cells.text)),
        bedrooms=row.read("bedrooms", _whole_number("bedrooms")),
        size_centi_sqm=row.read(
            "size_sqm", _make_bounded_reader("size_centi_sqm", cells.size_centi_sqm)
        ),
        floor=row.read("floor", _make_bounded_reader("floor", cells.floor)),
        rent_yen=row.read("base_rent", cells.amount),
        utilities_yen=row.read("utilities", cells.amount),
        building_maintenance_yen=row.read("building_maintenance", cells.amount),
        deposit_yen=row.read("deposit", cells.amount),
        reservation_fee_yen=row.read("reservation_fee", cells.amount),
        minimum_stay_days=row.read("minimum_stay_days", _whole_number("minimum_stay_days")),
        features=row.read("features", _make_bounded_reader("features", features)) or (),
    )
    return None if row.problems else values


def _whole_number(column: str) -> Callable[[str], int | None]:
    field = UNIT_FIELD[column]
    return partial(cells.whole_number, least=field.least, most=field.most)


def _make_bounded_reader(column: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader that also refuses values that the form of the unit would refuse."""
    field = UNIT_FIELD[column]

    def read_within(cell: str) -> Any:
        value = read(cell)
        if value is not None:
            _refuse_out_of_bounds(field, value)
        return value

    return read_within


def _refuse_out_of_bounds(field: UnitField, value: Any) -> None:
    if isinstance(value, int):
        if not field.least <= value <= field.most:
            least, most = (
                (f"{bound / 100:.2f}" if field.kind is UnitFieldKind.SIZE else str(bound))
                for bound in (field.least, field.most)
            )
            raise Unreadable("number_out_of_range", least=least, most=most)
        return
    texts, longest = (
        (value, LONGEST_NAME) if field.kind is UnitFieldKind.LINES else ((value,), field.most)
    )
    if any(len(text) > longest for text in texts):
        raise Unreadable("text_too_long", most=longest)
    if field.kind is UnitFieldKind.LINES and len(texts) > field.most:
        raise Unreadable("too_many_entries", most=field.most)


def _read_type(cell: str) -> str:
    return cells.choice(cell, [kind.value for kind in UnitType], TYPE_NAMES)


def features(cell: str) -> tuple[str, ...]:
    """Return the features of a unit, separated by commas or line breaks, not by a middle dot."""
    plain = (cells.remark(cell) or "").translate(str.maketrans("，、\n;；", ",,,,,"))
    return tuple(dict.fromkeys(part.strip() for part in plain.split(",") if part.strip()))
