"""Reads the handbook of a building or a unit: pages without their codes, and what is missing."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.handbook_copy import facts_of_page
from pms.catalogue.models import HandbookPage
from pms.catalogue.written_facts import WrittenPage
from pms.foundation.audit_trail import last_change
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import HandbookReader, HandbookTopic


class HandbookEntry(NamedTuple):
    """A page as it is read by whoever works on site; whether it has a code, never the code."""

    id: str
    topic: HandbookTopic
    title: Bilingual
    body: Bilingual
    has_code: bool
    has_both_languages: bool
    readers: frozenset[HandbookReader]
    """Who has the page in their copy, besides the staff."""


class Handbook(NamedTuple):
    """The pages of a building in their order, and the topics nobody has written about."""

    entries: Sequence[HandbookEntry]
    missing: Sequence[HandbookTopic]


class PageRecord(NamedTuple):
    """A page as the office edits it; the code stays where it is."""

    id: str
    building_id: str
    unit_id: str | None
    version: int
    has_code: bool
    code_changed_at: datetime | None
    written: WrittenPage


def handbook_of(session: Session, building_id: str) -> Handbook:
    """Return the handbook of a building."""
    rows = session.scalars(
        select(HandbookPage)
        .where(HandbookPage.building_id == building_id, HandbookPage.unit_id.is_(None))
        .order_by(HandbookPage.position, HandbookPage.id)
    ).all()
    written = {row.topic for row in rows} | {HandbookTopic.OTHER}
    missing = [topic for topic in HandbookTopic if topic not in written]
    return Handbook([_entry(row) for row in rows], missing)


def handbook_of_unit(session: Session, unit_id: str) -> Handbook:
    """Return the pages about one unit alone; nothing is missing there, the building's come first."""
    rows = session.scalars(
        select(HandbookPage)
        .where(HandbookPage.unit_id == unit_id)
        .order_by(HandbookPage.position, HandbookPage.id)
    ).all()
    return Handbook([_entry(row) for row in rows], [])


def page_record(session: Session, page_id: str) -> PageRecord:
    """Return one page; raise `NotFound` for an id that is not of this workspace."""
    row = None
    if is_id(page_id):
        row = session.scalar(select(HandbookPage).where(HandbookPage.id == page_id))
    if row is None:
        raise NotFound("There is no handbook page '{id}'.", id=page_id[:60])
    written = WrittenPage(
        topic=row.topic,
        title_ja=row.title_ja,
        title_en=row.title_en,
        body_ja=row.body_ja,
        body_en=row.body_en,
        is_for_contractors=row.is_for_contractors,
        is_for_residents=row.is_for_residents,
        is_for_guests=row.is_for_guests,
    )
    change = last_change(session, ("handbook_page", row.id), "guarded_code")
    return PageRecord(
        row.id,
        row.building_id,
        row.unit_id,
        row.version,
        row.guarded_code is not None,
        change.at if change else None,
        written,
    )


def _entry(row: HandbookPage) -> HandbookEntry:
    texts = (row.title_ja, row.title_en, row.body_ja, row.body_en)
    has_body = bool(row.body_ja or row.body_en)
    return HandbookEntry(
        row.id,
        row.topic,
        Bilingual(row.title_ja, row.title_en),
        Bilingual(row.body_ja, row.body_en),
        row.guarded_code is not None,
        all(texts) if has_body else bool(row.title_ja and row.title_en),
        facts_of_page(row).readers,
    )
