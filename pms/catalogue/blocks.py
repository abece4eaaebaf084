"""Blocks: days on which a unit is not offered."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_NAME, check_text
from pms.catalogue.models import CalendarFeed, ExternalBlock, Unit
from pms.foundation.audit import facts_of, note_audit_event, note_change, subject_of
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import FIRST_DAY, LAST_DAY, RecordedDay
from pms.rules.enumerations import BlockSource


def add_block(
    work: Work,
    *,
    unit_id: str,
    source: BlockSource,
    first_on: date,
    last_on: date | None = None,
    summary: str | None = None,
) -> str:
    """Store a block, its last day included or open-ended, and return its id.

    It is shown in availability only and is not part of the double-booking check.
    """
    locked(work.session, Unit, unit_id)
    check_block_days(first_on, last_on)
    now = work.clock.now()
    row = ExternalBlock(
        id=new_id(),
        unit_id=unit_id,
        source=BlockSource(source),
        first_on=first_on,
        last_on=last_on,
        summary=check_text("summary", summary, LONGEST_NAME),
        created_at=now,
        updated_at=now,
    )
    work.session.add(row)
    note_change(work, AuditEvent.BLOCK_ADDED, row)
    work.session.flush()
    return row.id


def check_block_days(first_on: date, last_on: date | None) -> None:
    """Raise `Refused` unless the last day is on or after the first."""
    if not FIRST_DAY <= first_on <= LAST_DAY:
        raise Refused(
            "firstOn: {day} is not between {first} and {last}.",
            day=first_on,
            first=FIRST_DAY,
            last=LAST_DAY,
        )
    if last_on is not None and not first_on <= last_on <= LAST_DAY:
        raise Refused(
            "lastOn: {day} is not between the first day {first} and {last}.",
            day=last_on,
            first=first_on,
            last=LAST_DAY,
        )


class BlockRecord(NamedTuple):
    """A block, its last day included; `feed` names the channel's calendar it comes from."""

    id: str
    unit_id: str
    source: BlockSource
    first_on: RecordedDay
    last_on: RecordedDay
    summary: str | None
    feed: str | None

    def is_over(self, today: date) -> bool:
        """Whether its last day has passed; a damaged day is never past."""
        return isinstance(self.last_on, date) and self.last_on < today


_BLOCKS = select(
    ExternalBlock.id,
    ExternalBlock.unit_id,
    ExternalBlock.source,
    ExternalBlock.first_on,
    ExternalBlock.last_on,
    ExternalBlock.summary,
    CalendarFeed.name,
).outerjoin(CalendarFeed, refers_to(ExternalBlock.feed_id, CalendarFeed))


def blocks_of(session: Session, unit_id: str, today: date) -> Sequence[BlockRecord]:
    """Return the blocks of a unit that are not over, by first day."""
    rows = session.execute(
        _BLOCKS.where(ExternalBlock.unit_id == unit_id).order_by(
            ExternalBlock.first_on, ExternalBlock.id
        )
    )
    blocks = (BlockRecord._make(row) for row in rows)
    return [block for block in blocks if not block.is_over(today)]


def block_record(session: Session, block_id: str) -> BlockRecord:
    """Return one block; raise `NotFound` for an id that is not of this workspace."""
    found = is_id(block_id) and session.execute(_BLOCKS.where(ExternalBlock.id == block_id)).first()
    if not found:
        raise no_such("block", block_id)
    return BlockRecord._make(found)


def end_block(work: Work, *, block_id: str, last_on: date) -> str:
    """Set the last day of a block, that day included, and return its unit.

    A last day before its first deletes it. Blocks of a channel's calendar cannot be ended here: the
    next reading would restore them.
    """
    row = locked(work.session, ExternalBlock, block_id)
    if row.feed_id is not None:
        named = work.session.scalar(select(CalendarFeed.name).where(CalendarFeed.id == row.feed_id))
        raise Refused("lastOn: this comes from the calendar '{name}'. End it there.", name=named)
    if isinstance(row.first_on, date) and last_on < row.first_on:
        note_audit_event(work, AuditEvent.BLOCK_ENDED, subject_of(row), before=facts_of(row))
        work.session.delete(row)
    else:
        row.last_on = last_on
        row.updated_at = work.clock.now()
        note_change(work, AuditEvent.BLOCK_ENDED, row)
    work.session.flush()
    return row.unit_id
