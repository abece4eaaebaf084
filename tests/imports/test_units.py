"""What a sheet of units makes, changes and leaves alone."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event

from pms.arrivals.sheet_imports import RecordOutcome, refused_csv
from pms.arrivals.sheets.reading import Limits
from pms.catalogue.models import Building, Unit, UnitFee
from pms.catalogue.records import unit_record
from pms.catalogue.units import edit_unit
from pms.foundation.work import Work
from pms.rules.enumerations import UnitType
from pms.sheets.refusals import SheetRefused
from pms.workspaces.models import Fee
from tests.imports.conftest import Importing
from tests.imports.samples import sample

pytestmark = pytest.mark.differs("bulk writing")

HEADER = "building,area,address,unit,type,layout,size_sqm,base_rent,utilities,building_maintenance,features"


def sheet(*rows: str) -> bytes:
    return "\n".join((HEADER, *rows)).encode()


ROW = 'Kawasemi House,Wakaba,若葉町2-14-5,101,sharehouse,twin,9.0,52000,12000,5000,"desk, 畳"'


def unit_of(world: Importing, name: str = "101") -> Unit:
    return next(unit for unit in world.all_of(Unit) if unit.name == name)


def fees_of(world: Importing) -> dict[str, int]:
    codes = {fee.id: fee.code for fee in world.all_of(Fee)}
    return {codes[one.fee_id]: one.amount_yen for one in world.all_of(UnitFee)}


def test_a_row_makes_a_building_a_unit_and_what_it_asks_a_month(ours: Importing) -> None:
    ours.units(sheet(ROW))
    (building,) = ours.all_of(Building)
    assert (building.name, building.area, building.address) == (
        "Kawasemi House",
        "Wakaba",
        "若葉町2-14-5",
    )
    unit = unit_of(ours)
    assert (unit.type, unit.layout, unit.size_centi_sqm) == (UnitType.SHAREHOUSE, "twin", 900)
    assert (unit.rent_yen, unit.features, unit.features_en) == (52000, ["desk", "畳"], ["desk"])
    assert unit.slug == "kawasemi-house-101"
    assert fees_of(ours) == {"utilities": 12000, "building_maintenance": 5000}


def test_a_sheet_reads_the_units_of_the_buildings_that_it_names(ours: Importing) -> None:
    ours.units(sheet(ROW, ROW.replace("Kawasemi House", "Sumida House")))
    read: list[str] = []

    def note(unit: Unit, _: object) -> None:
        read.append(unit.slug)

    event.listen(Unit, "load", note)
    try:
        ours.units(sheet(ROW.replace(",101,", ",102,")))
    finally:
        event.remove(Unit, "load", note)
    assert read == ["kawasemi-house-101"]
    assert len(ours.all_of(Unit)) == 3


def test_a_dry_run_tells_the_same_and_writes_nothing(ours: Importing) -> None:
    report = ours.units(sample("units_utf8.csv"), commit=False)
    assert report.counts["accepted"] == 142
    assert not report.is_committed
    assert not ours.all_of(Building)
    assert not ours.all_of(Unit)


def test_a_changed_cell_is_reported_with_its_value_before_and_written(ours: Importing) -> None:
    ours.units(sheet(ROW))
    ours.clock.advance(timedelta(days=1))
    changed = ROW.replace("52000", "").replace("9.0", "9.5").replace("12000", "0")
    report = ours.units(sheet(changed))
    (row,) = report.of(RecordOutcome.CHANGED)
    assert [(one.column, one.before, one.after) for one in row.changes] == [
        ("size_sqm", "9.00", "9.50"),
        ("base_rent", "52000", ""),
        ("utilities", "12000", "0"),
    ]
    unit = unit_of(ours)
    assert (unit.rent_yen, unit.size_centi_sqm, unit.version) == (None, 950, 2)
    assert unit.updated_at == ours.clock.now()
    assert fees_of(ours) == {"building_maintenance": 5000}
    assert ours.units(sheet(changed)).counts["unchanged"] == 1


def test_a_column_that_is_not_in_the_sheet_leaves_known_units_alone(ours: Importing) -> None:
    ours.units(sheet(ROW))
    report = ours.units(b"building,unit,type,base_rent\nkawasemi  HOUSE,101,sharehouse,60000")
    (row,) = report.of(RecordOutcome.CHANGED)
    assert [one.column for one in row.changes] == ["base_rent"]
    assert unit_of(ours).layout == "twin"
    assert fees_of(ours)["utilities"] == 12000
    assert len(ours.all_of(Building)) == 1


def test_rows_of_one_building_that_tell_different_addresses_keep_the_first(
    ours: Importing,
) -> None:
    other = ROW.replace("若葉町2-14-5", "別の町1").replace(",101,", ",102,")
    report = ours.units(sheet(ROW, other))
    assert [note.reason.code for note in report.rows[2].notes] == ["building_fact_kept"]
    assert ours.all_of(Building)[0].address == "若葉町2-14-5"
    assert ours.units(sheet(ROW, other)).counts["unchanged"] == 2


def test_the_same_sheet_in_two_workspaces_makes_two_worlds(
    ours: Importing, theirs: Importing
) -> None:
    ours.units(sample("units_utf8.csv"))
    assert theirs.all_of(Unit) == []
    report = theirs.units(sample("units_utf8.csv"))
    assert report.counts["accepted"] == 142
    assert len(ours.all_of(Unit)) == len(theirs.all_of(Unit)) == 142
    ids = {unit.id for unit in ours.all_of(Unit)}
    assert ids.isdisjoint(unit.id for unit in theirs.all_of(Unit))


def test_japanese_names_get_addresses_of_their_own(ours: Importing) -> None:
    rows = [ROW.replace("Kawasemi House", name) for name in ("みなとロフト", "コーポ", "①号館")]
    ours.units(sheet(*rows))
    by_chance, *readable = sorted(one.slug for one in ours.all_of(Building))
    assert readable == ["kopo", "minato-rofuto"]
    assert by_chance.startswith("house-")
    assert len({unit.slug for unit in ours.all_of(Unit)}) == 3


def test_a_sheet_that_is_refused_as_a_whole_writes_nothing(ours: Importing) -> None:
    with pytest.raises(SheetRefused):
        ours.units(sheet(ROW, ROW.replace(",101,", ",102,")), limits=Limits(most_rows=1))
    assert ours.all_of(Unit) == []


def test_refused_rows_can_be_corrected_and_sent_again(ours: Importing) -> None:
    report = ours.units(sample("units_utf8.csv"))
    for language in ("ja", "en"):
        again = refused_csv(report, language)
        assert again.startswith(b"\xef\xbb\xbf")
        second = ours.units(again, commit=False)
        assert second.counts["refused"] == 7
        assert len(second.unread_columns) == 2
    corrected = again.decode("utf-8-sig").replace("92000.5", "92000").encode()
    report = ours.units(corrected)
    assert [row.values["unit"] for row in report.of(RecordOutcome.ACCEPTED)] == ["102x"]


def test_the_number_of_statements_does_not_grow_with_the_rows(ours: Importing) -> None:
    def statements_of(data: bytes) -> int:
        seen: list[str] = []

        def see(*value: object) -> None:
            seen.append(str(value[2]))

        engine = ours.database.engine
        event.listen(engine, "before_cursor_execute", see)
        try:
            ours.units(data, commit=False)
        finally:
            event.remove(engine, "before_cursor_execute", see)
        return len(seen)

    rows = [ROW.replace(",101,", f",{number},") for number in range(500)]
    assert statements_of(sheet(*rows)) == statements_of(sheet(ROW))


def test_a_sheet_tells_the_readings_of_buildings_and_rooms(ours: Importing) -> None:
    content = ROW.replace("Kawasemi House", "青葉ハイツ").replace(",101,", ",離れ,")
    titles = f"{HEADER},物件名カナ,部屋名カナ"
    report = ours.units(f"{titles}\n{content},あおばはいつ,はなれ".encode())
    assert report.counts["accepted"] == 1
    (building,) = ours.all_of(Building)
    assert (building.slug, building.name_kana) == ("aoba-haitsu", "アオバハイツ")
    assert unit_of(ours, "離れ").slug == "aoba-haitsu-hanare"


OUT_OF_BOUNDS = [
    ("minimum_stay_days", "0", "3651"),
    ("floor", "-11", "201"),
    ("floor", "B11", "500"),
    ("bedrooms", "-1", "51"),
    ("size_sqm", "0", "100000"),
    ("layout", "x" * 21, "広" * 21),
    ("unit", "9" * 101, "x" * 101),
    ("features", "x" * 101, '"' + ",".join(map(str, range(41))) + '"'),
]
AT_THE_BOUNDS = [
    ("minimum_stay_days", "1", "3650"),
    ("floor", "-10", "200"),
    ("bedrooms", "0", "50"),
    ("size_sqm", "0.01", "99999.99"),
    ("layout", "x", "x" * 20),
    ("unit", "9", "x" * 100),
    ("features", "x" * 100, '"' + ",".join(map(str, range(40))) + '"'),
]


def sheet_of(column: str, *cells: str) -> bytes:
    """A sheet with a unit a cell, each of which says no more than it must beside it."""
    if column == "unit":
        return "\n".join(
            ("building,type,unit", *(f"House,apartment,{one}" for one in cells))
        ).encode()
    rows = (f"House,apartment,{number},{one}" for number, one in enumerate(cells, start=101))
    return "\n".join((f"building,type,unit,{column}", *rows)).encode()


@pytest.mark.parametrize(("column", "low", "high"), OUT_OF_BOUNDS)
def test_a_sheet_is_refused_what_the_form_of_a_unit_would_refuse(
    ours: Importing, column: str, low: str, high: str
) -> None:
    report = ours.units(sheet_of(column, low, high))
    assert report.counts["refused"] == 2
    assert not ours.all_of(Unit)


@pytest.mark.parametrize(("column", "low", "high"), AT_THE_BOUNDS)
def test_each_unit_of_a_sheet_can_be_edited_and_saved(
    ours: Importing, column: str, low: str, high: str
) -> None:
    ours.units(sheet_of(column, low, high))
    made = ours.all_of(Unit)
    assert len(made) == 2
    with ours.database.writing(ours.workspace_id) as session:
        for unit in made:
            record = unit_record(session, unit.id)
            edit_unit(
                Work(session, ours.clock, "staff"),
                unit_id=unit.id,
                version=record.version,
                written=replace(record.written, description_en="Bright."),
            )
