"""Whatever was imported before: a sheet read twice is a sheet read once."""

import csv
import io
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pms.arrivals.sheets.reading import Limits, read_sheet
from pms.arrivals.sheets.unit_rows import UNIT_COLUMNS, read_unit_rows
from pms.rules.enumerations import UnitType
from pms.sheets.tables import open_tables
from tests.imports.conftest import Importing
from tests.tiers import examples

pytestmark = pytest.mark.differs("bulk writing")

# Every example meets the database as the ones before left it: any history will do.
over_any_history = settings(
    max_examples=examples(15, 40), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DAYS = st.integers(-400, 400).map(lambda days: date(2026, 11, 20) + timedelta(days=days))
LENGTHS = st.integers(-1, 500).map(timedelta)


def written(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([header, *rows])
    return text.getvalue().encode()


@st.composite
def rent_roll_rows(draw: st.DrawFn) -> list[str]:
    room = draw(st.sampled_from(["101", "１０１号室", "102"]))
    status = draw(st.sampled_from(["空室", "入居中", "退去済", "予約", "退去予定", ""]))
    if status == "空室":
        return ["A", room, "洋室", status, "", "", "", draw(st.sampled_from(["", "48,000"]))]
    start_on = draw(DAYS)
    end_on = draw(st.one_of(st.just(""), LENGTHS.map(lambda length: f"{start_on + length}")))
    name = draw(st.sampled_from(["佐藤", "鈴木", "高橋"]))
    return ["A", room, "洋室", status, name, f"{start_on}", end_on, "44,000"]


ROLL = ("物件名", "部屋番号", "間取り", "状態", "入居者名", "契約開始日", "契約終了日", "賃料")


@over_any_history
@given(st.lists(rent_roll_rows(), min_size=1, max_size=6))
def test_a_rent_roll_read_twice_changes_nothing_more(
    ours: Importing, rows: list[list[str]]
) -> None:
    sheet = written(ROLL, rows)
    first = ours.rent_roll(sheet).counts
    again = ours.rent_roll(sheet).counts
    assert again["accepted"] == again["changed"] == 0
    assert again["refused"] == first["refused"]


@st.composite
def resident_rows(draw: st.DrawFn) -> list[str]:
    start_on = draw(DAYS)
    name = draw(st.sampled_from(["Hanako", "Taro", "Jiro"]))
    kind = draw(st.sampled_from(["resident", "owner_resident", "guest"]))
    end_on, out_on = (
        draw(st.one_of(st.just(""), LENGTHS.map(lambda length: f"{start_on + length}")))
        for _ in range(2)
    )
    payment = draw(st.sampled_from(["pending", "paid", "refunded"]))
    rent = draw(st.sampled_from(["", "60000", "61,000"]))
    unit = draw(st.sampled_from(["101", "102"]))
    return [name, kind, "A", unit, f"{start_on}", end_on, out_on, payment, rent]


RESIDENTS = (
    "name",
    "kind",
    "building",
    "unit",
    "move_in_date",
    "contract_end_date",
    "move_out_date",
    "payment_status",
    "base_rent",
)


@over_any_history
@given(st.lists(resident_rows(), min_size=1, max_size=6))
def test_a_sheet_of_residents_read_twice_changes_nothing_more(
    ours: Importing, rows: list[list[str]]
) -> None:
    ours.units(b"building,unit,type\nA,101,apartment\nA,102,apartment\n")
    sheet = written(RESIDENTS, rows)
    first = ours.residents(sheet).counts
    again = ours.residents(sheet).counts
    assert again["accepted"] == again["changed"] == 0
    assert again["refused"] == first["refused"]


NAMES = st.text(st.sampled_from("カワセミ荘AbC-101 ①髙"), min_size=1, max_size=10).filter(
    lambda name: bool(name.strip())
)
UNITS = st.fixed_dictionaries(
    {
        "building": NAMES,
        "unit": st.integers(1, 10_000).map(str),
        "type": st.sampled_from([kind.value for kind in UnitType]),
        "rent_yen": st.one_of(st.none(), st.integers(0, 999_999_999)),
        "size_centi_sqm": st.one_of(st.none(), st.integers(1, 9_999_999)),
        "floor": st.one_of(st.none(), st.integers(-9, 99)),
    }
)


@given(st.lists(UNITS, max_size=5, unique_by=lambda unit: unit["unit"]), st.booleans())
def test_units_that_were_written_are_read_with_the_same_values(
    units: list[dict[str, Any]], has_commas: bool
) -> None:
    rows = []
    for unit in units:
        size = unit["size_centi_sqm"]
        yen = unit["rent_yen"]
        rows.append(
            [
                unit["building"],
                unit["unit"],
                unit["type"],
                "" if yen is None else f"{yen:,}" if has_commas else yen,
                "" if size is None else f"{size // 100}.{size % 100:02}",
                "" if unit["floor"] is None else unit["floor"],
            ]
        )
    header = ("building", "unit", "type", "base_rent", "size_sqm", "floor")
    sheet = read_sheet(open_tables(written(header, rows)), UNIT_COLUMNS, Limits())
    read = list(read_unit_rows(sheet.rows).values())
    assert [row.problems for row in sheet.rows] == [[]] * len(units)
    for unit, one in zip(units, read, strict=True):
        facts = {name: getattr(one, name) for name in unit}
        assert facts == unit | {"building": unit["building"].strip()}
