"""Gives a contractor, a resident or a guest their copy of the handbook, and a code by tap."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import HandbookPage
from pms.catalogue.reveal_code import reveal_code
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import HandbookReader, HandbookTopic
from pms.rules.handbook_copies import CodeSight, PageFacts, ReaderFacts, reads_page, sees_code


class CopiedPage(NamedTuple):
    """A page as its reader has it: never the code, only whether and why not it is to be had."""

    id: str
    topic: HandbookTopic
    title: Bilingual
    body: Bilingual
    is_of_unit: bool
    code: CodeSight


def handbook_copy(
    session: Session, *, building_id: str, reader: ReaderFacts
) -> Sequence[CopiedPage]:
    """Return the pages a reader has of a building and of their unit, the building's first."""
    rows = session.scalars(
        select(HandbookPage)
        .where(
            HandbookPage.building_id == building_id,
            or_(HandbookPage.unit_id.is_(None), HandbookPage.unit_id == reader.unit_id),
        )
        .order_by(HandbookPage.unit_id.is_not(None), HandbookPage.position, HandbookPage.id)
    )
    facts = ((row, facts_of_page(row)) for row in rows)
    return [_copied(row, page, reader) for row, page in facts if reads_page(page, reader)]


def reveal_copied_code(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    page_id: str,
    building_id: str,
    reader: ReaderFacts,
) -> str:
    """Return the code of a page in the reader's copy and note who looked.

    Raises `NotFound` for a page that is not in it, or whose code the reader may not see now.
    """
    page = None
    if is_id(page_id):
        page = session.scalar(
            select(HandbookPage).where(
                HandbookPage.id == page_id, HandbookPage.building_id == building_id
            )
        )
    if page is None or sees_code(facts_of_page(page), reader) != CodeSight.BY_TAP:
        raise NotFound("There is no code on the handbook page '{id}'.", id=page_id[:60])
    return reveal_code(session, clock, actor, page_id=page_id)


def facts_of_page(row: HandbookPage) -> PageFacts:
    """Return what decides who reads a page."""
    marks = {
        HandbookReader.CONTRACTOR: row.is_for_contractors,
        HandbookReader.RESIDENT: row.is_for_residents,
        HandbookReader.GUEST: row.is_for_guests,
    }
    readers = frozenset(reader for reader, is_marked in marks.items() if is_marked)
    return PageFacts(row.unit_id, readers, row.guarded_code is not None)


def _copied(row: HandbookPage, page: PageFacts, reader: ReaderFacts) -> CopiedPage:
    return CopiedPage(
        row.id,
        row.topic,
        Bilingual(row.title_ja, row.title_en),
        Bilingual(row.body_ja, row.body_en),
        row.unit_id is not None,
        sees_code(page, reader),
    )
