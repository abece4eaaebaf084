"""Parts a sheet for writing: rows that say something of the same place stay together."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from pms.arrivals.import_report import ImportReport, ReportedRow, Verdict
from pms.rules.search_text import fold

Lines: TypeAlias = tuple[int, ...]

_TO_WRITE: Final = (Verdict.ACCEPTED, Verdict.CHANGED, Verdict.UNCHANGED)
_WHOLE_BUILDINGS: Final = "units"
"""Of a sheet of units the first row of a building tells its address, so that they stay together."""


def groups_of_lines(report: ImportReport) -> list[Lines]:
    """Return the lines that can be written, those of one unit or building together.

    Two tenancies of a unit may move past each other only within one transaction. The groups come
    in the order of their first lines.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in report.rows:
        if row.verdict in _TO_WRITE:
            groups.setdefault(_place(report, row), []).append(row.line)
    return sorted(tuple(lines) for lines in groups.values())


def parts_of(groups: Sequence[Lines], most: int) -> list[list[Lines]]:
    """Return the groups in parts of so many lines at most; a larger group is a part alone."""
    parts: list[list[Lines]] = []
    size = most
    for group in groups:
        if size + len(group) > most:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size += len(group)
    return parts


def _place(report: ImportReport, row: ReportedRow) -> tuple[str, ...]:
    building = _said(row, "building")
    if report.kind == _WHOLE_BUILDINGS:
        return (building,)
    return (building, _said(row, "unit") or _said(row, "room"))


def _said(row: ReportedRow, key: str) -> str:
    return "".join(fold(str(row.values.get(key) or "")).split())
