"""Takes a sheet in: kept as it came, read only afterwards."""

from sqlalchemy.orm import Session

from pms.arrivals.models import SentSheet
from pms.arrivals.sheets.tables import XLSX, open_tables
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import SheetKind

_MOST_OF_A_NAME = 120


def send_sheet(
    session: Session,
    clock: Clock,
    actor: str,
    files: Files,
    *,
    kind: SheetKind,
    name: str,
    content: bytes,
) -> str:
    """Store a sheet and return its id; `Refused` for what holds no table."""
    is_workbook = open_tables(content)[0].encoding == XLSX
    row = SentSheet(
        id=new_id(),
        kind=kind,
        name=name[:_MOST_OF_A_NAME] or ("sheet.xlsx" if is_workbook else "sheet.csv"),
        file_key=files.put(content, XLSX if is_workbook else "csv"),
        titles={},
        sent_at=clock.now(),
        sent_by=actor,
    )
    session.add(row)
    about = {"kind": kind.value, "name": row.name}
    note_deed(session, clock, actor, Deed.SHEET_SENT, ("sent_sheet", row.id), after=about)
    session.flush()
    return row.id
