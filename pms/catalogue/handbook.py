"""Pages of a building's handbook, and the codes in them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    WrittenPage,
    add_row,
    check_page,
    remove_row,
    write_columns,
)
from pms.catalogue.models import Building, HandbookPage, Unit
from pms.foundation.audit import last_change, note_audit_event
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.sealing import UNREADABLE, opened_text, sealed_text
from pms.foundation.work import Work, find_row, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HandbookReader, HandbookTopic
from pms.rules.handbook_copies import CodeSight, PageFacts, ReaderFacts, reads_page, sees_code


def add_handbook_page(work: Work, *, building_id: str, written: WrittenPage) -> str:
    """Append a page to the building's handbook and return its id."""
    locked(work.session, Building, building_id)
    return _add_page(work, building_id=building_id, written=written)


def add_unit_page(work: Work, *, unit_id: str, written: WrittenPage) -> str:
    """Store a page about one unit and return its id."""
    unit = locked(work.session, Unit, unit_id)
    return _add_page(work, building_id=unit.building_id, unit_id=unit_id, written=written)


def _add_page(
    work: Work, *, building_id: str, unit_id: str | None = None, written: WrittenPage
) -> str:
    last = select(func.max(HandbookPage.position)).where(HandbookPage.building_id == building_id)
    columns = check_page(written)
    sealed_page = {**columns, "guarded_code": sealed_text(work.session, columns["guarded_code"])}
    row = HandbookPage(
        **sealed_page,
        building_id=building_id,
        unit_id=unit_id,
        position=(work.session.scalar(last) or 0) + 1,
    )
    return add_row(work, AuditEvent.HANDBOOK_PAGE_ADDED, row)


def edit_handbook_page(
    work: Work, *, page_id: str, version: int, written: WrittenPage, is_code_kept: bool = False
) -> int:
    """Update a page and return its version.

    With `is_code_kept` the guarded code stays: a form does not contain a code nobody asked to see.
    """
    row = locked(work.session, HandbookPage, page_id, version)
    columns = check_page(written)
    code = columns.pop("guarded_code")
    # Sealing the same code once more would look like a change.
    if not is_code_kept and code != opened_text(work.session, row.guarded_code):
        columns["guarded_code"] = sealed_text(work.session, code)
    write_columns(work, AuditEvent.HANDBOOK_PAGE_EDITED, row, columns=columns)
    return row.version


def remove_handbook_page(work: Work, *, page_id: str, version: int | None = None) -> str:
    """Delete a page and return its building; its code cannot be recovered."""
    row = locked(work.session, HandbookPage, page_id, version)
    remove_row(work, AuditEvent.HANDBOOK_PAGE_REMOVED, row)
    return row.building_id


def reveal_code(work: Work, *, page_id: str) -> str:
    """Return the guarded code of a handbook page.

    Raises `NotFound` where there is none, `Refused` for one that no configured key opens.
    """
    row = None
    if is_id(page_id):
        row = work.session.scalar(select(HandbookPage).where(HandbookPage.id == page_id))
    if row is None or row.guarded_code is None:
        raise NotFound("There is no code on the handbook page '{id}'.", id=page_id[:60])
    code = opened_text(work.session, row.guarded_code) or ""
    if code == UNREADABLE:
        raise Refused(
            "The code cannot be read because its secret key is missing. Enter the code again."
        )
    subject = ("building", row.building_id)
    note_audit_event(
        work,
        AuditEvent.CODE_REVEALED,
        subject,
        after={"handbook_page": row.id, "title": row.title_en or row.title_ja},
    )
    work.session.flush()
    return code


class CopiedPage(NamedTuple):
    """A page as its reader sees it: never the code, only whether it may be shown and why not."""

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
    return [
        CopiedPage(
            row.id,
            row.topic,
            Bilingual(row.title_ja, row.title_en),
            Bilingual(row.body_ja, row.body_en),
            row.unit_id is not None,
            sees_code(page, reader),
        )
        for row, page in facts
        if reads_page(page, reader)
    ]


def reveal_copied_code(work: Work, *, page_id: str, building_id: str, reader: ReaderFacts) -> str:
    """Return the code of a page in the reader's copy and record who viewed it.

    Raises `NotFound` for a page that is not in it, or whose code the reader may not see now.
    """
    page = None
    if is_id(page_id):
        page = work.session.scalar(
            select(HandbookPage).where(
                HandbookPage.id == page_id, HandbookPage.building_id == building_id
            )
        )
    if page is None or sees_code(facts_of_page(page), reader) != CodeSight.BY_TAP:
        raise NotFound("There is no code on the handbook page '{id}'.", id=page_id[:60])
    return reveal_code(work, page_id=page_id)


def facts_of_page(row: HandbookPage) -> PageFacts:
    """Return the facts that decide who may read a page."""
    marks = {
        HandbookReader.CONTRACTOR: row.is_for_contractors,
        HandbookReader.RESIDENT: row.is_for_residents,
        HandbookReader.GUEST: row.is_for_guests,
    }
    readers = frozenset(reader for reader, is_marked in marks.items() if is_marked)
    return PageFacts(row.unit_id, readers, row.guarded_code is not None)


class HandbookEntry(NamedTuple):
    """A page as staff on site read it; whether it has a code, never the code."""

    id: str
    topic: HandbookTopic
    title: Bilingual
    body: Bilingual
    has_code: bool
    has_both_languages: bool
    readers: frozenset[HandbookReader]
    """The readers, besides the staff, who have the page in their copy."""


class Handbook(NamedTuple):
    """The pages of a building in their order, and the topics that have none."""

    entries: Sequence[HandbookEntry]
    missing: Sequence[HandbookTopic]


class PageRecord(NamedTuple):
    """A page as the office edits it, without the code."""

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
    return Handbook([_build_entry(row) for row in rows], missing)


def handbook_of_unit(session: Session, unit_id: str) -> Handbook:
    """Return the pages about one unit; no topic is missing there, as the building's apply too."""
    rows = session.scalars(
        select(HandbookPage)
        .where(HandbookPage.unit_id == unit_id)
        .order_by(HandbookPage.position, HandbookPage.id)
    ).all()
    return Handbook([_build_entry(row) for row in rows], [])


def page_record(session: Session, page_id: str) -> PageRecord:
    """Return one page; raise `NotFound` for an id that is not of this workspace."""
    row = find_row(session, HandbookPage, page_id)
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


def _build_entry(row: HandbookPage) -> HandbookEntry:
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
