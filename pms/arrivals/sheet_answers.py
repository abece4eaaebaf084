"""Answers about a sheet: the meaning of its columns, its table, and its confirmed rows."""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.catalogue_imports import import_residents, import_units
from pms.arrivals.models import SentSheet
from pms.arrivals.rent_roll_imports import import_rent_roll
from pms.arrivals.sheet_imports import ImportReport
from pms.arrivals.sheets.listed_rows import RESIDENT_COLUMNS
from pms.arrivals.sheets.reading import Limits, chosen_tables, titles_of
from pms.arrivals.sheets.rent_roll_rows import COLUMNS as OF_RENT_ROLL
from pms.arrivals.sheets.unit_rows import UNIT_COLUMNS
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import NotFound, Refused, no_such
from pms.foundation.files import Files
from pms.foundation.ids import is_id, new_id
from pms.foundation.runs import newest_run
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import SheetKind
from pms.sheets.tables import XLSX, Table, open_tables

_IMPORTS = {SheetKind.UNITS: import_units, SheetKind.RESIDENTS: import_residents}


def sent_sheet(session: Session, sheet_id: str) -> SentSheet:
    """Return a sheet that was sent; raise `NotFound` for an unknown id."""
    found = None
    if is_id(sheet_id):
        found = session.scalar(select(SentSheet).where(SentSheet.id == sheet_id))
    if found is None:
        raise no_such("imported file")
    return found


def content_of(sheet: SentSheet, files: Files) -> bytes:
    """Return the file as received."""
    content = files.get(sheet.file_key)
    if content is None:
        raise NotFound("The imported file is no longer stored. Upload it again.")
    return content


def limits_of(sheet: SentSheet) -> Limits:
    """Return the answers on how the sheet is to be read."""
    confirmed = frozenset(sheet.confirmed)
    return Limits(titles=sheet.titles, table=sheet.sheet_name, confirmed=confirmed)


def open_sent_sheet(sheet: SentSheet, files: Files) -> Sequence[Table]:
    """Return the tables of the file, which takes time: not while a transaction is open to write."""
    return open_tables(content_of(sheet, files))


def read_sent_sheet(
    work: Work,
    sheet: SentSheet,
    tables: Sequence[Table],
    *,
    commit: bool,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what the sheet, or some lines of it, add and change; with `commit` write them.

    Lines that are written together are those of whole groups (`pms.arrivals.sheet_imports`).
    """
    how: dict[str, Any] = {"commit": commit, "limits": limits_of(sheet), "lines": lines}
    if sheet.kind is SheetKind.RENT_ROLL:
        return import_rent_roll(work, tables, **how)
    return _IMPORTS[sheet.kind](work, tables, **how)


COLUMNS_OF = {
    SheetKind.UNITS: UNIT_COLUMNS,
    SheetKind.RESIDENTS: RESIDENT_COLUMNS,
    SheetKind.RENT_ROLL: OF_RENT_ROLL,
}


def name_sheet_columns(
    work: Work,
    tables: Sequence[Table],
    *,
    sheet_id: str,
    titles: Mapping[str, str],
    table: str = "",
) -> None:
    """Store the titles chosen for columns; an empty title says the sheet has no such column.

    `tables` are those of the file.
    Another sheet of the workbook has other columns: then only its name is stored. Earlier
    confirmations are dropped, because they were for other values.
    """
    sheet = sent_sheet(work.session, sheet_id)
    if table != sheet.sheet_name:
        chosen_tables(tables, table)
        titles = {}
    there = set(titles_of(tables, table))
    known = {column.key for column in COLUMNS_OF[sheet.kind]}
    for key, title in titles.items():
        if key not in known or (title and title not in there):
            raise Refused("{key}: '{title}' is not a column of this file.", key=key, title=title)
    taken = [title for title in titles.values() if title]
    twice = next((title for title in taken if taken.count(title) > 1), None)
    if twice is not None:
        raise Refused("'{title}' was chosen for two columns. Choose it for one only.", title=twice)
    before = {"sheet": sheet.sheet_name, **sheet.titles}
    sheet.sheet_name, sheet.titles, sheet.confirmed = table, dict(titles), []
    about = ("sent_sheet", sheet.id)
    audit_event = AuditEvent.SHEET_COLUMNS_NAMED
    note_audit_event(work, audit_event, about, before=before, after={"sheet": table, **titles})
    work.session.flush()


def confirm_rows(
    work: Work, *, sheet_id: str, shown: Collection[int], confirmed: Collection[int]
) -> None:
    """Store which of the shown lines are accepted despite their oddities."""
    sheet = sent_sheet(work.session, sheet_id)
    before = sheet.confirmed
    sheet.confirmed = sorted({*before} - {*shown} | {*confirmed} & {*shown})
    if sheet.confirmed != before:
        about, after = ("sent_sheet", sheet.id), {"lines": sheet.confirmed}
        audit_event = AuditEvent.SHEET_ROWS_CONFIRMED
        note_audit_event(work, audit_event, about, before={"lines": before}, after=after)
    work.session.flush()


_MOST_OF_A_NAME = 120
IMPORT_RUN: Final = "import"


def send_sheet(
    work: Work, files: Files, *, kind: SheetKind, name: str, content: bytes, is_workbook: bool
) -> str:
    """Store a sheet that could be opened and return its id."""
    row = SentSheet(
        id=new_id(),
        kind=kind,
        name=name[:_MOST_OF_A_NAME] or ("sheet.xlsx" if is_workbook else "sheet.csv"),
        file_key=files.put_alone(content, XLSX if is_workbook else "csv"),
        titles={},
        sent_at=work.clock.now(),
        sent_by=work.actor,
    )
    work.session.add(row)
    about = {"kind": kind.value, "name": row.name}
    note_audit_event(work, AuditEvent.SHEET_SENT, ("sent_sheet", row.id), after=about)
    work.session.flush()
    return row.id


def sent_sheets(session: Session, most: int) -> Sequence[SentSheet]:
    """Return the sheets that were sent, newest first."""
    asked = select(SentSheet).order_by(SentSheet.sent_at.desc(), SentSheet.id.desc())
    return session.scalars(asked.limit(most)).all()


def delete_sheet(work: Work, files: Files, *, sheet_id: str) -> str | None:
    """Delete a sheet with its answers; return the key of its file, to delete after the commit.

    What was imported from it stays. No key is returned for a file of an earlier version, which other
    uploads may share. Raises `Refused` while it is being imported.
    """
    row = locked(work.session, SentSheet, sent_sheet(work.session, sheet_id).id)
    run = newest_run(work.session, IMPORT_RUN, row.id)
    if run is not None and run.finished_at is None and run.failure is None:
        raise Refused("The file is being imported. Delete it when the import has ended.")
    content = files.get(row.file_key)
    is_shared = content is not None and row.file_key.startswith(sha256(content).hexdigest())
    note_audit_event(
        work, AuditEvent.SHEET_DELETED, ("sent_sheet", row.id), before={"name": row.name}
    )
    work.session.delete(row)
    work.session.flush()
    return None if is_shared else row.file_key
