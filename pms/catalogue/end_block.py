"""Ends a block of a unit, or takes it back before it begins."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.audit import facts_of, note_change, note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def end_block(session: Session, clock: Clock, actor: str, *, block_id: str, last_on: date) -> str:
    """Let a block end with a day inside, and return its unit.

    A last day before its first takes it away. A block of a channel's calendar ends there: the
    next reading would bring it back.
    """
    row = _block(session, block_id)
    if row.feed_id is not None:
        named = session.scalar(select(CalendarFeed.name).where(CalendarFeed.id == row.feed_id))
        raise Refused("lastOn: this comes from the calendar '{name}'; end it there.", name=named)
    if isinstance(row.first_on, date) and last_on < row.first_on:
        note_deed(session, clock, actor, Deed.BLOCK_ENDED, subject_of(row), before=facts_of(row))
        session.delete(row)
    else:
        row.last_on = last_on
        row.updated_at = clock.now()
        note_change(session, clock, actor, Deed.BLOCK_ENDED, row)
    session.flush()
    return row.unit_id


def _block(session: Session, block_id: str) -> ExternalBlock:
    row = None
    if is_id(block_id):
        row = session.scalar(
            select(ExternalBlock).where(ExternalBlock.id == block_id).with_for_update()
        )
    if row is None:
        raise NotFound("There is no block '{id}'.", id=block_id[:60])
    return row
