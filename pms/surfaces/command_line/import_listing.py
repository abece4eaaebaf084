"""Reads a file to import, and puts the report into a table, one line of summary, and JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

from pms.arrivals.sheet_imports import ImportReport, RecordOutcome, ReportedRow, show_value
from pms.catalogue.calendar_imports import BlockChange, CalendarReport
from pms.catalogue.calendar_wording import say
from pms.sheets.refusals import Remark
from pms.sheets.texts import MOST_BYTES

FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_LONGEST_SHOWN: Final = 40
_MOST_LINES: Final = 10
_NAMING: Final = ("building", "unit", "room", "name")
_DRY_RUN: Final = "Nothing was saved. Run it again with --commit to save."


def bytes_of(path: Path) -> bytes:
    """Read a file, but never much more of it than an import takes."""
    with path.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def sheet_rows(report: ImportReport, language: str) -> list[dict[str, Any]]:
    """A line for each thing to know of every row; rows that change nothing are only counted."""
    return [
        line
        for row in report.rows
        if row.verdict is not RecordOutcome.UNCHANGED or row.notes
        for line in _list_row_lines(row, language)
    ]


def _list_row_lines(row: ReportedRow, language: str) -> Iterator[dict[str, Any]]:
    changed_lines = (
        (change.column, change.before, f"-> {printable(change.after)}") for change in row.changes
    )
    lines = [
        *changed_lines,
        *_remark_lines(row.problems, language),
        *_remark_lines(row.notes, language),
    ]
    what = " ".join(show_value(row.values[key]) for key in _NAMING if row.values.get(key))
    for column, value, reason in lines or [("", "", "")]:
        yield {
            "line": row.line,
            "verdict": row.verdict.value.replace("_", " "),
            "makes": row.makes,
            "what": printable(what),
            "column": printable(column),
            "value": printable(value),
            "reason": reason,
        }


def _remark_lines(remarks: Sequence[Remark], language: str) -> Iterator[tuple[str, str, str]]:
    for remark in remarks:
        yield remark.column or "", remark.value, printable(remark.say(language), longest=200)


def printable(text: str, longest: int = _LONGEST_SHOWN) -> str:
    """Text of a file as a terminal may show it: one line, bounded, nothing that steers it."""
    one_line = "".join(letter if letter.isprintable() else " " for letter in text)
    return one_line if len(one_line) <= longest else f"{one_line[: longest - 1]}…"


def sheet_summary(report: ImportReport, language: str) -> str:
    """How many rows of each verdict, what was not read, and whether they are written."""
    counts = ", ".join(f"{n} {verdict.replace('_', ' ')}" for verdict, n in report.counts.items())
    parts = [
        *(reason.say(language) for reason in report.remarks),
        _list_names("Columns not read", report.unread_columns),
        _list_names("Sheets not read", report.other_sheets),
        _odd_lines(report),
        "Written." if report.is_committed else _DRY_RUN,
    ]
    text = " ".join(printable(part, longest=400) for part in parts if part)
    table = f", {printable(report.sheet)}" if report.sheet else ""
    return f"{report.kind}, {report.encoding}{table}: {counts}. {text}"


def _list_names(what: str, names: Sequence[str]) -> str:
    return f"{what}: {', '.join(names)}." if names else ""


def _odd_lines(report: ImportReport) -> str:
    lines = [str(row.line) for row in report.to_confirm]
    if not lines:
        return ""
    flags = " ".join(f"--confirm {line}" for line in lines[:_MOST_LINES])
    return f"{len(lines)} of the refused look odd; look at them, then take them by {flags}."


def sheet_as_json(report: ImportReport, language: str) -> dict[str, Any]:
    """The whole report for a program."""
    return {
        "kind": report.kind,
        "encoding": report.encoding,
        "sheet": report.sheet or None,
        "otherSheets": report.other_sheets,
        "unreadColumns": report.unread_columns,
        "remarks": [reason.say(language) for reason in report.remarks],
        "committed": report.is_committed,
        "counts": report.counts,
        "rows": [
            {
                "record": row.record,
                "line": row.line,
                "verdict": row.verdict.value,
                "canBeConfirmed": row.can_be_confirmed,
                "makes": row.makes or None,
                "values": row.values,
                "changes": [
                    {"column": change.column, "before": change.before, "after": change.after}
                    for change in row.changes
                ],
                "problems": [_remark_as_json(remark, language) for remark in row.problems],
                "notes": [_remark_as_json(remark, language) for remark in row.notes],
            }
            for row in report.rows
        ],
    }


def _remark_as_json(remark: Remark, language: str) -> dict[str, Any]:
    return {
        "column": remark.column,
        "value": remark.value,
        "code": remark.reason.code,
        "reason": remark.say(language),
    }


def calendar_rows(report: CalendarReport, language: str) -> list[dict[str, Any]]:
    """What changes among the blocks, then the events that are not simply held."""
    changes = (("new", report.new), ("moved", report.moved), ("released", report.released))
    rows = [_block_row(verdict, block) for verdict, blocks in changes for block in blocks]
    event_rows = [
        {
            "verdict": "problem" if e.is_problem else "told",
            "event": printable(e.uid or ""),
            "from": "",
            "last day": "",
            "about": printable(say(e.code, language, **dict(e.facts)), longest=200),
        }
        for e in report.events
        if e.code != "block"
    ]
    return rows + event_rows


def _block_row(verdict: str, block: BlockChange) -> dict[str, Any]:
    before = f" (was {block.was_first_on} to {block.was_last_on})" if block.was_first_on else ""
    return {
        "verdict": verdict,
        "event": printable(block.uid),
        "from": show_value(block.first_on),
        "last day": show_value(block.last_on),
        "about": printable(block.summary or "") + before,
    }


def calendar_summary(report: CalendarReport) -> str:
    """How many blocks change, and whether that is written."""
    end = "Written." if report.is_committed else _DRY_RUN
    name = f" ({printable(report.calendar_name)})" if report.calendar_name else ""
    return (
        f"{printable(report.feed)}{name}: {len(report.new)} new, {len(report.moved)} moved, "
        f"{len(report.released)} released, {report.unchanged} unchanged, "
        f"{len(report.problems)} problems. {end}"
    )


def calendar_as_json(report: CalendarReport, language: str) -> dict[str, Any]:
    """The whole report for a program."""
    return {
        "feed": report.feed,
        "calendarName": report.calendar_name,
        "committed": report.is_committed,
        "new": [_block_as_json(block) for block in report.new],
        "moved": [_block_as_json(block) for block in report.moved],
        "released": [_block_as_json(block) for block in report.released],
        "unchanged": report.unchanged,
        "events": [
            {
                "uid": event.uid,
                "verdict": event.code,
                "problem": event.is_problem,
                "blocks": len(event.nights),
                "reason": say(event.code, language, **dict(event.facts)),
            }
            for event in report.events
        ],
    }


def _block_as_json(block: BlockChange) -> dict[str, Any]:
    return {
        "uid": block.uid,
        "firstOn": block.first_on,
        "lastOn": block.last_on,
        "summary": block.summary,
        "wasFirstOn": block.was_first_on,
        "wasLastOn": block.was_last_on,
    }
