"""Reads the external blocks of a unit: what takes it outside the service."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.days import RecordedDay
from pms.rules.enumerations import BlockSource


class BlockRecord(NamedTuple):
    """Days taken, the last one inside; of a channel's calendar when `feed` names it."""

    id: str
    unit_id: str
    source: BlockSource
    first_on: RecordedDay
    last_on: RecordedDay
    summary: str | None
    feed: str | None

    def is_over(self, today: date) -> bool:
        """Whether its last day has passed; a damaged day is never in the past."""
        return isinstance(self.last_on, date) and self.last_on < today


_BLOCKS = select(
    ExternalBlock.id,
    ExternalBlock.unit_id,
    ExternalBlock.source,
    ExternalBlock.first_on,
    ExternalBlock.last_on,
    ExternalBlock.summary,
    CalendarFeed.name,
).outerjoin(
    CalendarFeed,
    (CalendarFeed.workspace_id == ExternalBlock.workspace_id)
    & (CalendarFeed.id == ExternalBlock.feed_id),
)


def blocks_of(session: Session, unit_id: str, today: date) -> Sequence[BlockRecord]:
    """Return the blocks of a unit that are not over, by their first day."""
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
        raise NotFound("There is no block '{id}'.", id=block_id[:60])
    return BlockRecord._make(found)
