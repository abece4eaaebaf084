"""What is read without an error and is most likely wrong: totals, and rows that need a word."""

from typing import Any

import pytest

from pms.arrivals.sheet_imports import ImportReport, ReportedRow
from pms.arrivals.sheets.reading import Limits
from pms.catalogue.models import Unit
from tests.imports.conftest import Importing

UNITS = "building,unit,type,layout,base_rent\n"
ROLL = "物件名,部屋番号,入居者名,契約開始日,賃料,共益費\n"


def codes(report: ImportReport) -> dict[int, list[str]]:
    """The reasons of the rows that wait to be confirmed, by line."""
    return {row.line: [one.reason.code for one in row.problems] for row in report.to_confirm}


def names(world: Importing) -> set[str]:
    return {unit.name for unit in world.all_of(Unit)}


def rooms(count: int = 3) -> str:
    return "".join(f"A荘,10{n},空室,,{40000 + n},5000\n" for n in range(1, count + 1))


def roll(world: Importing, text: str, **limits: Any) -> ImportReport:
    from pms.rules.enumerations import UnitType

    data = (ROLL + text).encode()
    return world.rent_roll(data, limits=Limits(**limits), unit_type=UnitType.APARTMENT)


@pytest.mark.parametrize(
    "total",
    [
        "棟計,20室,,,120006,15000",
        "A荘,棟計,20室,,120006,15000",
        "A荘 合　計,3室,,,120006,",
        "A荘,小計,,,120006,15000",
        ",,合計,,120006,",
        "A荘,計3室,,,120006,",
        "A荘,3室,,,120006,15000",
        "Grand total,3 rooms,,,120006,",
        "1階計,,,,120006,",
    ],
)
def test_a_line_of_totals_makes_no_unit(ours: Importing, total: str) -> None:
    report = roll(ours, rooms() + total + "\n")
    assert report.counts["passed_over"] == 2, report.rows[-1]
    assert names(ours) == {"101", "102", "103"}


@pytest.mark.parametrize("total", ["A荘,全体,,,120006,", "A荘,9室,,,99000,"])
def test_what_may_be_a_total_waits_to_be_confirmed(ours: Importing, total: str) -> None:
    report = roll(ours, rooms() + total + "\n")
    assert codes(report) == {5: ["perhaps_total"]}
    assert names(ours) == {"101", "102", "103"}


def test_words_and_sums_by_chance_make_no_total(ours: Importing) -> None:
    rows = rooms() + "合計荘,101,空室,,50000,\nA荘,104,計 太郎,2025/4/1,120006,5000\n"
    report = roll(ours, rows + "時計台,1,会計 花,2025/4/1,60000,\n")
    assert report.counts["accepted"] == 6


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("A,101,apartment,1K,0", "rent_zero"),
        ("A,駐車場1,apartment,,8000", "parking_space"),
        ("A,P-3,apartment,,8000", "parking_space"),
        ("A,101,apartment,Parking,8000", "parking_space"),
        ("A\ue000荘,101,apartment,1K,50000", "private_letters"),
    ],
)
def test_an_odd_unit_is_taken_only_when_it_is_confirmed(
    ours: Importing, row: str, code: str
) -> None:
    data = (UNITS + row + "\n").encode()
    assert codes(ours.units(data)) == {2: [code]}
    assert not ours.all_of(Unit)
    report = ours.units(data, limits=Limits(confirmed={2}))
    assert report.counts["accepted"] == 1
    assert report.rows[-1].is_confirmed
    assert len(ours.all_of(Unit)) == 1


def test_every_oddity_of_a_row_is_told_at_once(ours: Importing) -> None:
    report = ours.units((UNITS + "A,P1,apartment,\ue001,0\n").encode())
    assert codes(report) == {2: ["parking_space", "rent_zero", "private_letters"]}


def test_a_unit_that_differs_by_case_alone_is_not_changed_unasked(ours: Importing) -> None:
    ours.units((UNITS + "A,a-101,apartment,1K,50000\n").encode())
    other = (UNITS + "A,A-101,apartment,1K,70000\n").encode()
    report = ours.units(other)
    assert codes(report) == {2: ["unit_in_other_case"]}
    assert [unit.rent_yen for unit in ours.all_of(Unit)] == [50_000]
    ours.units(other, limits=Limits(confirmed={2}))
    assert [unit.rent_yen for unit in ours.all_of(Unit)] == [70_000]


def test_a_unit_that_a_file_has_twice_but_for_case_waits_to_be_confirmed(ours: Importing) -> None:
    rows = "A,A-101,apartment,1K,50000\nA,a-101,apartment,1K,70000\nA,A-101,apartment,1K,60000\n"
    data = (UNITS + rows).encode()
    assert codes(ours.units(data)) == {3: ["unit_in_other_case"]}
    ours.units(data, limits=Limits(confirmed={3}))
    assert [(unit.name, unit.rent_yen) for unit in ours.all_of(Unit)] == [("A-101", 70_000)]


@pytest.mark.parametrize(
    ("day", "is_odd"),
    [("平成39年4月1日", True), ("H39.4.1", True), ("平成31年4月1日", False), ("S65.1.1", True)],
)
def test_a_year_the_era_never_had_waits_to_be_confirmed(
    ours: Importing, day: str, is_odd: bool
) -> None:
    report = roll(ours, f"A荘,101,佐藤,{day},50000,\n")
    assert bool(codes(report)) is is_odd
    confirmed = roll(ours, f"A荘,101,佐藤,{day},50000,\n", confirmed={2})
    assert not confirmed.to_confirm


def test_a_resident_without_rent_waits_and_an_owner_does_not(ours: Importing) -> None:
    ours.units((UNITS + "A,101,apartment,1K,50000\nA,102,apartment,1K,1\n").encode())
    head = "kind,name,building,unit,move_in_date,base_rent\n"
    rows = "resident,Sato,A,101,2026-04-01,0\nowner_resident,Ito,A,102,2026-04-01,0\n"
    report = ours.residents((head + rows).encode())
    assert codes(report) == {2: ["rent_zero"]}
    assert report.counts["accepted"] == 1


def test_a_row_that_is_wrong_besides_cannot_be_confirmed() -> None:
    assert not ReportedRow(1, 1, "refused").can_be_confirmed  # type: ignore[arg-type]
