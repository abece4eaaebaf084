"""Shows an entrance code or a WiFi key, and writes down who looked."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import HandbookPage
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.sealing import UNREADABLE, opened_text
from pms.rules.deeds import Deed


def reveal_code(session: Session, clock: Clock, actor: str, *, page_id: str) -> str:
    """Return the guarded code of a handbook page.

    Raises `NotFound` where there is none, `Refused` for one that no secret key opens any more.
    """
    row = None
    if is_id(page_id):
        row = session.scalar(select(HandbookPage).where(HandbookPage.id == page_id))
    if row is None or row.guarded_code is None:
        raise NotFound("There is no code on the handbook page '{id}'.", id=page_id[:60])
    code = opened_text(session, row.guarded_code) or ""
    if code == UNREADABLE:
        raise Refused("The code cannot be read: its secret key is missing. Write the code anew.")
    subject = ("building", row.building_id)
    note_deed(
        session,
        clock,
        actor,
        Deed.CODE_REVEALED,
        subject,
        after={"handbook_page": row.id, "title": row.title_en or row.title_ja},
    )
    session.flush()
    return code
