"""Keeps which title of a sheet each column has, where its own words do not tell."""

from collections.abc import Mapping

from sqlalchemy.orm import Session

from pms.arrivals.read_sent_sheet import content_of, sent_sheet
from pms.arrivals.sheets.reading import titles_of
from pms.arrivals.sheets.rent_roll_rows import COLUMNS as OF_RENT_ROLL
from pms.arrivals.sheets.resident_rows import COLUMNS as OF_RESIDENTS
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
) -> None:
    """Keep the titles chosen for columns; an empty one says the sheet has no such column."""
    sheet = sent_sheet(session, sheet_id)
    there = set(titles_of(content_of(sheet, files)))
    known = {column.key for column in COLUMNS_OF[sheet.kind]}
    for key, title in titles.items():
        if key not in known or (title and title not in there):
            raise Refused("{key}: '{title}' is no column of this sheet.", key=key, title=title)
    taken = [title for title in titles.values() if title]
    twice = next((title for title in taken if taken.count(title) > 1), None)
    if twice is not None:
        raise Refused("'{title}' was chosen for two columns; one title is one column.", title=twice)
    before, sheet.titles = sheet.titles, dict(titles)
    about = ("sent_sheet", sheet.id)
    deed = Deed.SHEET_COLUMNS_NAMED
    note_deed(session, clock, actor, deed, about, before=before, after=sheet.titles)
    session.flush()
