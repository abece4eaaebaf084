"""Removes a page from a building's handbook."""

from sqlalchemy.orm import Session

from pms.catalogue.editing import remove_row, row_to_edit
from pms.catalogue.models import HandbookPage
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def remove_handbook_page(
    session: Session, clock: Clock, actor: str, *, page_id: str, version: int | None = None
) -> str:
    """Take a page away and return its building; its code cannot be had back."""
    row = row_to_edit(session, HandbookPage, page_id, version)
    remove_row(session, clock, actor, Deed.HANDBOOK_PAGE_REMOVED, row)
    return row.building_id
