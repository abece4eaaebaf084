"""Keeps what somebody says of a sheet: its columns, its table, the odd rows that are right."""

from collections.abc import Collection, Mapping

from sqlalchemy.orm import Session

from pms.arrivals.read_sent_sheet import content_of, sent_sheet
from pms.arrivals.sheets.reading import chosen_tables, titles_of
from pms.arrivals.sheets.rent_roll_rows import COLUMNS as OF_RENT_ROLL
from pms.arrivals.sheets.resident_rows import COLUMNS as OF_RESIDENTS
from pms.arrivals.sheets.tables import open_tables
from pms.arrivals.sheets.unit_rows import COLUMNS as OF_UNITS
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.rules.deeds import Deed
from pms.rules.enumerations import SheetKind

COLUMNS_OF = {
    SheetKind.UNITS: OF_UNITS,
    SheetKind.RESIDENTS: OF_RESIDENTS,
    SheetKind.RENT_ROLL: OF_RENT_ROLL,
}


def name_sheet_columns(
    session: Session,
    clock: Clock,
    actor: str,
    files: Files,
    *,
    sheet_id: str,
    titles: Mapping[str, str],
    table: str = "",
) -> None:
    """Keep the titles chosen for columns; an empty one says the sheet has no such column.

    Another sheet of the workbook has other columns: then only its name is kept. What was confirmed
    before was confirmed of other values.
    """
    sheet = sent_sheet(session, sheet_id)
    content = content_of(sheet, files)
    if table != sheet.sheet_name:
        chosen_tables(open_tables(content), table)
        titles = {}
    there = set(titles_of(content, table))
    known = {column.key for column in COLUMNS_OF[sheet.kind]}
    for key, title in titles.items():
        if key not in known or (title and title not in there):
            raise Refused("{key}: '{title}' is no column of this sheet.", key=key, title=title)
    taken = [title for title in titles.values() if title]
    twice = next((title for title in taken if taken.count(title) > 1), None)
    if twice is not None:
        raise Refused("'{title}' was chosen for two columns; one title is one column.", title=twice)
    before = {"sheet": sheet.sheet_name, **sheet.titles}
    sheet.sheet_name, sheet.titles, sheet.confirmed = table, dict(titles), []
    about = ("sent_sheet", sheet.id)
    deed = Deed.SHEET_COLUMNS_NAMED
    note_deed(session, clock, actor, deed, about, before=before, after={"sheet": table, **titles})
    session.flush()


def confirm_rows(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    sheet_id: str,
    shown: Collection[int],
    confirmed: Collection[int],
) -> None:
    """Keep which of the lines that were shown are taken although something is odd about them."""
    sheet = sent_sheet(session, sheet_id)
    before = sheet.confirmed
    sheet.confirmed = sorted({*before} - {*shown} | {*confirmed} & {*shown})
    if sheet.confirmed != before:
        about, after = ("sent_sheet", sheet.id), {"lines": sheet.confirmed}
        deed = Deed.SHEET_ROWS_CONFIRMED
        note_deed(session, clock, actor, deed, about, before={"lines": before}, after=after)
    session.flush()
