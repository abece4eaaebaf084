"""Imports from sheets: the report of what is read and written, and its audit event."""

import csv
import io
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from pms.arrivals.sheets.columns import Header
from pms.arrivals.sheets.reading import Sheet, SheetRow
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import no_such
from pms.foundation.spreadsheet import harmless, xlsx_file
from pms.foundation.translations import translate
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.search_text import fold
from pms.sheets.refusals import Remark, SheetReason


class RecordOutcome(StrEnum):
    """The outcome of a record of the sheet."""

    ACCEPTED = "accepted"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    PASSED_OVER = "passed_over"


@dataclass(frozen=True, slots=True)
class Change:
    """A column of an existing record to which the row gives another value."""

    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """One record: its first line, its outcome with the reasons, and its values."""

    record: int
    line: int
    verdict: RecordOutcome
    makes: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    problems: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()
    cells: tuple[str, ...] = ()

    @property
    def can_be_confirmed(self) -> bool:
        """Whether it is refused only for oddities, and accepted once they are confirmed."""
        is_odd = all(remark.is_oddity for remark in self.problems)
        return self.verdict is RecordOutcome.REFUSED and bool(self.problems) and is_odd

    @property
    def is_confirmed(self) -> bool:
        """Whether it was accepted despite its oddities."""
        return any(remark.is_oddity for remark in self.notes)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The report of an import; `is_committed` is false for a dry run."""

    kind: str
    encoding: str
    header: tuple[str, ...]
    unread_columns: tuple[str, ...]
    titles: Mapping[str, str]
    """The title of each column that was found, by the column's key."""
    rows: tuple[ReportedRow, ...]
    is_committed: bool
    sheet: str = ""
    """The sheet of the workbook that was read."""
    other_sheets: tuple[str, ...] = ()
    """The sheets of the workbook that were not read."""
    remarks: tuple[SheetReason, ...] = ()
    """Remarks on how the columns were read."""

    @property
    def to_confirm(self) -> tuple[ReportedRow, ...]:
        """The rows that are refused until they are confirmed."""
        return tuple(row for row in self.rows if row.can_be_confirmed)

    @property
    def counts(self) -> dict[str, int]:
        """The number of records of each verdict, including verdicts without any."""
        found = Counter(row.verdict for row in self.rows)
        return {verdict.value: found[verdict] for verdict in RecordOutcome}

    def of(self, verdict: RecordOutcome) -> tuple[ReportedRow, ...]:
        """Return the rows of one verdict, in the order of the sheet."""
        return tuple(row for row in self.rows if row.verdict is verdict)


@dataclass(slots=True)
class RowOutcome:
    """The decision on an accepted row, while the report is built."""

    makes: str
    values: Mapping[str, Any]
    is_new: bool = False
    changes: list[Change] = field(default_factory=list)

    @property
    def verdict(self) -> RecordOutcome:
        if self.is_new:
            return RecordOutcome.ACCEPTED
        return RecordOutcome.CHANGED if self.changes else RecordOutcome.UNCHANGED


def make_report(
    kind: str,
    sheet: Sheet,
    outcomes: Mapping[int, RowOutcome],
    *,
    is_committed: bool,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Return the report of a sheet, or of some of its lines; `outcomes` are by line."""
    reported = [row for row in sheet.rows if lines is None or row.line in lines]
    rows = [_report_row(row, outcomes.get(row.line)) for row in reported]
    rows += [
        ReportedRow(
            record=passed.record.number,
            line=passed.record.line,
            verdict=RecordOutcome.PASSED_OVER,
            notes=(Remark(None, "", SheetReason(passed.code)),),
            cells=passed.record.cells,
        )
        for passed in (sheet.passed_over if lines is None else ())
    ]
    return ImportReport(
        kind=kind,
        encoding=sheet.encoding,
        header=sheet.header.record.cells,
        unread_columns=sheet.header.unread,
        titles={key: sheet.header.title(key) for key in sheet.header.places},
        rows=tuple(sorted(rows, key=lambda row: row.record)),
        is_committed=is_committed,
        sheet=sheet.name,
        other_sheets=sheet.others,
        remarks=sheet.header.remarks,
    )


def _report_row(row: SheetRow, outcome: RowOutcome | None) -> ReportedRow:
    place = row.record.number, row.line
    if row.problems or outcome is None:
        building_place = next(iter(row.header.places.get("building", ())), None)
        building_cells = row.record.cells
        cells = (
            building_cells
            if building_place is None
            or building_place >= len(building_cells)
            or building_cells[building_place].strip()
            or not row.building
            else (
                *building_cells[:building_place],
                row.building,
                *building_cells[building_place + 1 :],
            )
        )
        return ReportedRow(
            *place, RecordOutcome.REFUSED, problems=tuple(row.problems), notes=(), cells=cells
        )
    return ReportedRow(
        *place,
        outcome.verdict,
        makes=outcome.makes,
        values=outcome.values,
        changes=tuple(outcome.changes),
        notes=tuple(row.notes),
        cells=row.record.cells,
    )


def compare(outcome: RowOutcome, row: SheetRow | Header, key: str, before: Any, after: Any) -> bool:
    """Add a difference to the outcome's changes; return whether there is one."""
    if before == after:
        return False
    header = row.header if isinstance(row, SheetRow) else row
    outcome.changes.append(Change(header.title(key), show_value(before), show_value(after)))
    return True


def show_value(value: Any) -> str:
    """Return a value as a report shows it: None as blank, lists joined, days in ISO form."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)


def refused_csv(report: ImportReport, language: str) -> bytes:
    """Return the refused rows as a sheet to correct and send again, with their lines and reasons.

    The two extra columns come first, so that a row with a cell too many keeps its columns.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    titles = (translate("line", language, "sheet"), translate("reason", language, "sheet"))
    writer.writerow((*titles, *map(harmless, report.header)))
    for row in report.of(RecordOutcome.REFUSED):
        writer.writerow(
            (
                row.line,
                harmless("; ".join(why_in_words(row.problems, language))),
                *map(harmless, row.cells),
            )
        )
    return text.getvalue().encode("utf-8-sig")


def why_in_words(remarks: Sequence[Remark], language: str) -> list[str]:
    """Return each remark as text, with its column before it."""
    return [
        f"{remark.column}: {remark.say(language)}" if remark.column else remark.say(language)
        for remark in remarks
    ]


Lines: TypeAlias = tuple[int, ...]

_TO_WRITE: Final = (RecordOutcome.ACCEPTED, RecordOutcome.CHANGED, RecordOutcome.UNCHANGED)
_WHOLE_BUILDINGS: Final = "units"
"""The first row of a building in a sheet of units states its address, so they stay together."""


def groups_of_lines(report: ImportReport) -> list[Lines]:
    """Return the groups of lines to write; those of one unit or building stay together.

    Two tenancies of a unit can only change places within one transaction. The groups are ordered by
    their first lines.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for row in report.rows:
        if row.verdict in _TO_WRITE:
            place: tuple[str, ...] = (_folded_value(row, "building"),)
            if report.kind != _WHOLE_BUILDINGS:
                place += (_folded_value(row, "unit") or _folded_value(row, "room"),)
            groups.setdefault(place, []).append(row.line)
    return sorted(tuple(lines) for lines in groups.values())


def parts_of(groups: Sequence[Lines], most: int) -> list[list[Lines]]:
    """Join groups into parts of at most `most` lines; a larger group is a part of its own."""
    parts: list[list[Lines]] = []
    size = most
    for group in groups:
        if size + len(group) > most:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size += len(group)
    return parts


def _folded_value(row: ReportedRow, key: str) -> str:
    return "".join(fold(str(row.values.get(key) or "")).split())


def note_import(work: Work, report: ImportReport) -> None:
    """Note one audit event for a whole sheet that was written; none for a dry run."""
    if report.is_committed:
        facts = {"sheet": report.kind, **report.counts}
        note_audit_event(work, AuditEvent.SHEET_IMPORTED, of_workspace(work.session), after=facts)


_TEMPLATES: Final = Path(__file__).parent / "sheets" / "templates.toml"


def sheet_template(kind: str, language: str) -> bytes:
    """Return the workbook template of a kind in a language; raise `NotFound` if there is none."""
    kinds: dict[str, Any] = tomllib.loads(_TEMPLATES.read_text())
    if kind not in kinds or language not in kinds[kind]:
        raise no_such("template", kind)
    template = kinds[kind][language]
    return xlsx_file([template["heads"], template["row"]], kind)
