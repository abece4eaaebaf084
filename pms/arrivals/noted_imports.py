"""Keeps in the audit that a sheet was read, with how many records became what."""

from sqlalchemy.orm import Session

from pms.arrivals.import_report import ImportReport
from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def note_import(session: Session, clock: Clock, actor: str, report: ImportReport) -> None:
    """Note one deed for the whole of a sheet that was written; a dry run is none."""
    if report.is_committed:
        told = {"sheet": report.kind, **report.counts}
        note_deed(session, clock, actor, Deed.SHEET_IMPORTED, of_workspace(session), after=told)
