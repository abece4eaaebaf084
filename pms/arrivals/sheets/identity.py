"""Tells what a row is about: the building its block names, one spelling for each building."""

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.reading import Row
from pms.arrivals.sheets.reasons import Unreadable


def building_of(row: Row) -> str | None:
    """The building of a row, from its own cell or from the first row of its block."""
    if cells.trimmed(row.cell("building")):
        return row.read("building", cells.required)
    if not row.building:
        row.refuse("building", "building_missing")
        return None
    try:
        name = cells.required(row.building)
    except Unreadable as refusal:
        row.refuse("building", refusal.reason.code, **refusal.reason.facts)
        return None
    row.note("building", "building_from_above", building=name)
    return name


def unit_of(row: Row) -> str | None:
    """The room of a row."""
    try:
        return cells.room(row.cell("unit"))
    except Unreadable as refusal:
        code = "unit_missing" if refusal.reason.code == "missing" else refusal.reason.code
        row.refuse("unit", code, **refusal.reason.facts)
        return None


def note_formulas(row: Row, *keys: str) -> None:
    """Say of each cell that a spreadsheet would take for a formula that it is kept as text."""
    for key in keys:
        if cells.trimmed(row.cell(key)).startswith(("=", "@")):
            row.note(key, "formula_kept")
