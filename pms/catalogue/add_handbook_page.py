"""Adds a page to the handbook of a building or of one of its units."""

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_page
from pms.catalogue.editing import add_row, row_to_edit
from pms.catalogue.models import Building, HandbookPage, Unit
from pms.catalogue.written_facts import WrittenPage
from pms.foundation.clock import Clock
from pms.foundation.sealing import sealed_text
from pms.rules.deeds import Deed


def add_handbook_page(
    session: Session, clock: Clock, actor: str, *, building_id: str, written: WrittenPage
) -> str:
    """Store a page at the end of the building's handbook and return its id."""
    row_to_edit(session, Building, building_id)
    return _add(session, clock, actor, building_id=building_id, written=written)


def add_unit_page(
    session: Session, clock: Clock, actor: str, *, unit_id: str, written: WrittenPage
) -> str:
    """Store a page about one unit alone and return its id."""
    unit = row_to_edit(session, Unit, unit_id)
    return _add(
        session, clock, actor, building_id=unit.building_id, unit_id=unit_id, written=written
    )


def _sealed_page(session: Session, written: WrittenPage) -> dict[str, Any]:
    columns = checked_page(written)
    return {**columns, "guarded_code": sealed_text(session, columns["guarded_code"])}


def _add(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    building_id: str,
    unit_id: str | None = None,
    written: WrittenPage,
) -> str:
    last = select(func.max(HandbookPage.position)).where(HandbookPage.building_id == building_id)
    row = HandbookPage(
        **_sealed_page(session, written),
        building_id=building_id,
        unit_id=unit_id,
        position=(session.scalar(last) or 0) + 1,
    )
    return add_row(session, clock, actor, Deed.HANDBOOK_PAGE_ADDED, row)
