"""Reads a sheet that was sent, to show what it would do or to write it."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.import_rent_roll import import_rent_roll
from pms.arrivals.import_report import ImportReport
from pms.arrivals.import_residents import import_residents
from pms.arrivals.import_units import import_units
from pms.arrivals.models import SentSheet
from pms.arrivals.sheets.reading import Limits
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.rules.enumerations import SheetKind

_IMPORTS = {SheetKind.UNITS: import_units, SheetKind.RESIDENTS: import_residents}


def sent_sheet(session: Session, sheet_id: str) -> SentSheet:
    """Return a sheet that was sent; raise `NotFound` for anything else."""
    found = None
    if is_id(sheet_id):
        found = session.scalar(select(SentSheet).where(SentSheet.id == sheet_id))
    if found is None:
        raise NotFound("There is no such sheet.")
    return found


def content_of(sheet: SentSheet, files: Files) -> bytes:
    """Return the file as it came."""
    content = files.get(sheet.file_key)
    if content is None:
        raise NotFound("The file of this sheet is gone; send it again.")
    return content


def limits_of(sheet: SentSheet) -> Limits:
    """Return what somebody said of how the sheet is to be read."""
    confirmed = frozenset(sheet.confirmed)
    return Limits(titles=sheet.titles, table=sheet.sheet_name, confirmed=confirmed)


def read_sent_sheet(
    session: Session,
    clock: Clock,
    actor: str,
    sheet: SentSheet,
    files: Files,
    *,
    commit: bool,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what the sheet, or some lines of it, makes and changes; write it when told to.

    Lines that are written together are those of whole parts (`pms.arrivals.parts_of_sheet`).
    """
    data, limits = content_of(sheet, files), limits_of(sheet)
    how: dict[str, Any] = {"commit": commit, "limits": limits, "lines": lines}
    if sheet.kind is SheetKind.RENT_ROLL:
        return import_rent_roll(session, clock, actor, data, **how)
    return _IMPORTS[sheet.kind](session, clock, actor, data, **how)
