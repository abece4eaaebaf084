"""Every sample roll against its truth: what differs is asked about at its place, and no cell is lost."""

import csv
import io
import json
import random
import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pms.arrivals.takeover.instructions import (
    ColumnReading,
    Direction,
    Instructions,
    SheetReading,
)
from pms.arrivals.takeover.reading import read_takeover
from pms.rules.roll_heads import DayOrder, Meaning
from pms.rules.roll_legends import Sign
from pms.sheets.grid import read_grid
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import open_all_tables

SAMPLES = Path(__file__).parents[1] / "samples" / "takeover"
OFFICES = Path(__file__).parent / "sheets"
TODAY = date(2026, 11, 20)
ROLLS = sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".json")
FILES = [
    *(SAMPLES / name for name in ROLLS),
    *sorted(path for path in OFFICES.iterdir() if path.suffix != ".expected"),
]
# What a question about the file says of a value of the whole file.
OF_THE_FILE = {
    "asOf": {"as_of", "as_of_and_billed"},
    "billedThrough": {"billed_through", "as_of_and_billed"},
}
# A truth names these as words of the sheet, not as values that are taken over.
NO_VALUES = ("nationality", "guarantor", "why")


def read(data: bytes, name: str) -> dict[str, Any]:
    """What a program is told of a file, as `pms takeover check --json` prints it."""
    found = read_takeover(data, name, TODAY)
    body: dict[str, Any] = json.loads(msgspec.json.encode(found.shape()))
    return body


def truth_of(name: str) -> dict[str, Any]:
    path = SAMPLES / f"{name.split('.', maxsplit=1)[0]}.expected.json"
    body: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return body


def same(given: Any) -> Any:
    """A value without width and number of spaces, and without what says nothing."""
    if isinstance(given, str):
        return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", given)).strip()
    if isinstance(given, list):
        return [same(one) for one in given]
    if isinstance(given, dict):
        return {
            key: same(one)
            for key, one in given.items()
            if key not in NO_VALUES and not (key in ("note", "kana") and not one)
        }
    return given


def differences(found: dict[str, Any], truth: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The places and the names of values that are not as the truth has them."""
    for part in ("units", "tenancies"):
        read_rows = {row["at"]: same(row) for row in found[part]}
        true_rows = {row["at"]: same(row) for row in truth[part]}
        for at in read_rows.keys() | true_rows.keys():
            own, true = read_rows.get(at, {}), true_rows.get(at, {})
            for name in own.keys() | true.keys():
                if own.get(name) != true.get(name):
                    yield at, f"{part} {name}"


@pytest.mark.parametrize("name", ROLLS)
def test_a_value_that_differs_from_the_truth_is_asked_about_at_its_place(name: str) -> None:
    found, truth = read((SAMPLES / name).read_bytes(), name), truth_of(name)
    asked = {question["at"] for question in found["questions"]}
    assert [one for one in differences(found, truth) if one[0] not in asked] == []
    codes = {question["code"] for question in found["questions"]}
    for fact, of_the_file in OF_THE_FILE.items():
        assert found[fact] == truth[fact] or codes & of_the_file


@pytest.mark.parametrize("name", ROLLS)
def test_the_sums_of_a_roll_are_those_of_its_truth(name: str) -> None:
    found, truth = read((SAMPLES / name).read_bytes(), name), truth_of(name)
    assert found["totals"] == truth["totals"]
    assert truth["shownTotals"].items() <= found["shownTotals"].items()


@pytest.mark.parametrize("name", ROLLS)
def test_what_a_careful_worker_asks_is_asked_and_what_blocks_blocks(name: str) -> None:
    found, truth = read((SAMPLES / name).read_bytes(), name), truth_of(name)
    asked = {(one["at"], one["blocks"]) for one in found["questions"]}
    places = {at for at, _ in asked}
    for wanted in truth["askAboutRows"]:
        assert wanted["at"] in places
        assert not wanted["blocks"] or (wanted["at"], True) in asked
    blocks_all = any(wanted.get("blocks") for wanted in truth["askAboutTheFile"])
    assert not blocks_all or (None, True) in asked
    left = {one["at"] for one in found["passOver"]} | places
    assert {one["at"] for one in truth["passOver"]} <= left


@pytest.mark.parametrize("name", ROLLS)
def test_through_which_day_rent_was_billed_blocks_until_it_is_known(name: str) -> None:
    found = read((SAMPLES / name).read_bytes(), name)
    is_open = any(let["billedThrough"] is None for let in found["tenancies"])
    known = found["billedThrough"] is not None
    blocking = {one["code"] for one in found["questions"] if one["at"] is None and one["blocks"]}
    assert known or not is_open or blocking & OF_THE_FILE["billedThrough"]


def counted_cells(data: bytes) -> list[int]:
    """How many cells each sheet of a file has that are not blank."""
    grids = [read_grid(table) for table in open_all_tables(data)]
    return [sum(len(row.filled) for row in grid.rows) for grid in grids]


def used_cells(found: dict[str, Any]) -> list[int]:
    return [sum(sheet["cells"].values()) for sheet in found["columns"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_cell_is_read_or_passed_over_or_asked_about(path: Path) -> None:
    data = path.read_bytes()
    found = read(data, path.name)
    assert used_cells(found) == counted_cells(data)
    read_cells = sum(sheet["cells"]["read"] for sheet in found["columns"])
    assert read_cells > len(found["tenancies"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_column_that_is_not_read_is_named(path: Path) -> None:
    for sheet in read(path.read_bytes(), path.name)["columns"]:
        for column in sheet["columns"]:
            assert column["column"]
            assert column["use"] in ("read", "passedOver", "asked")


def texts_of(path: Path) -> list[list[str]]:
    """The rows of the sheet of a file that has most of them, as texts."""
    grids = [read_grid(table) for table in open_all_tables(path.read_bytes())]
    grid = max(grids, key=lambda grid: sum(len(row.filled) for row in grid.rows))
    return [list(row.cells) for row in grid.rows]


def written(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def mutated(rows: list[list[str]], chance: random.Random) -> list[list[str]]:
    """The rows with what happens to sheets: columns swapped, cells lost, heads doubled, rows shifted."""
    rows = [list(row) for row in rows]
    for _ in range(chance.randint(1, 3)):
        what, number = chance.randrange(7), chance.randrange(len(rows))
        row, width = rows[number], max(map(len, rows))
        if what == 0 and width > 1:
            one, other = chance.sample(range(width), 2)
            for each in rows:
                each.extend([""] * (width - len(each)))
                each[one], each[other] = each[other], each[one]
        elif what == 1 and row:
            del row[chance.randrange(len(row))]
        elif what == 2:
            rows.insert(chance.randrange(len(rows)), list(row))
        elif what == 3:
            row.insert(chance.randrange(len(row) + 1), chance.choice(["", "000", "x"]))
        elif what == 4 and row:
            row[chance.randrange(len(row))] = chance.choice(
                ["", "#N/A", "▲5,000", "1月2日", "合計"]
            )
        elif what == 5:
            copied = chance.randrange(width)
            for each in rows:
                each.append(each[copied] if copied < len(each) else "")
        else:
            rows = rows[: number + 1] or rows
    return rows


# Fields that run down and months that follow each other have an order of their own.
ORDERED = {"cards_across.xlsx", "payment_grid.xlsx"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name not in ORDERED], ids=lambda path: path.name
)
def test_columns_in_another_order_say_the_same(path: Path) -> None:
    rows = [row for row in texts_of(path) if any(cell.strip() for cell in row)]
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    order = list(range(width))
    random.Random(path.name).shuffle(order)
    changed = read(written([[row[place] for place in order] for row in rows]), "changed.csv")
    assert changed["totals"] == read(written(rows), "changed.csv")["totals"]


def reading_at_random(chance: random.Random) -> SheetReading:
    """What a person may say about a sheet, fitting or not."""
    meanings = [None, *Meaning]
    columns = {
        chance.randrange(30): ColumnReading(
            chance.choice(meanings),
            chance.choice([None, 1, 1_000]),
            chance.choice([None, *Sign]),
            chance.choice([None, *DayOrder]),
        )
        for _ in range(chance.randint(0, 4))
    }
    first, last = chance.randint(1, 9), chance.randint(1, 60)
    blocks = (f"A{first}:F{last}",) if chance.random() < 0.4 else ()
    return SheetReading(
        chance.choice([None, True]),
        chance.choice([None, 1, 2, 3, 900]),
        blocks,
        chance.choice([None, *Direction]),
        chance.choice(["", "コーポ桐"]),
        columns,
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_whatever_is_said_about_a_sheet_is_followed_without_losing_a_cell(path: Path) -> None:
    data = path.read_bytes()
    keys = [preview.key for preview in read_takeover(data, path.name, TODAY).previews]
    for seed in range(4):
        chance = random.Random(f"{path.name} {seed}")
        said = Instructions(sheets={key: reading_at_random(chance) for key in keys})
        found = read_takeover(data, path.name, TODAY, said)
        counted = [sum(preview.uses.values()) for preview in found.previews]
        assert counted == counted_cells(data), said


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_sheet_changed_at_random_loses_no_cell(path: Path) -> None:
    rows = [row for row in texts_of(path) if row]
    for seed in range(6):
        data = written(mutated(rows, random.Random(f"{path.name} {seed}")))
        try:
            found = read(data, "changed.csv")
        except SheetRefused:
            continue
        assert used_cells(found) == counted_cells(data), seed
        sums = ("rent", "depositHeld", "unpaid", "overpaid")
        assert all(found["totals"][name] >= 0 for name in sums)
