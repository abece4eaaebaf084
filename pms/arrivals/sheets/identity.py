"""Tells what a row is about: the building its block names, the unit, the days of a contract."""

from datetime import date

from pms.arrivals.sheets import cells, days
from pms.arrivals.sheets.oddities import look_at_days
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


def contract_days(row: Row, start_key: str, end_key: str) -> tuple[date | None, date | None]:
    """The first and the last day of a contract, from their own columns or from one for both."""
    known = len(row.problems)
    start_on, end_on = row.read(start_key, days.day), row.read(end_key, days.day)
    term = row.read("term", days.term)
    look_at_days(row, start_key, end_key, "term")
    if term is not None:
        for key, own, other in (
            (start_key, start_on, term.start_on),
            (end_key, end_on, term.end_on),
        ):
            if own is not None and own != other:
                row.refuse(key, "differs_from_term", day=other.isoformat() if other else "-")
        start_on, end_on = start_on or term.start_on, end_on or term.end_on
    if start_on is None and len(row.problems) == known:
        row.refuse(start_key if start_key in row.header.places else "term", "missing_date")
    return start_on, end_on


def note_formulas(row: Row, *keys: str) -> None:
    """Say of each cell that a spreadsheet would take for a formula that it is kept as text."""
    for key in keys:
        if cells.trimmed(row.cell(key)).startswith(("=", "@")):
            row.note(key, "formula_kept")
