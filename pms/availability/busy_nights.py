"""The nights on which a unit is taken, for calendars that others read: no names, no guesses."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.reservations.models import Reservation
from pms.reservations.unit_stays import stay_of
from pms.rules.days import add_months
from pms.rules.double_booking import Span
from pms.rules.held_nights import block_span, held_spans
from pms.rules.stays import Block
from pms.workspaces.queries import policy

MONTHS_AHEAD: Final = 24
MOST_RUNS: Final = 1_000


class BusyNights(NamedTuple):
    """A run of nights, the day it ends being free; `id` stays the same while it moves."""

    id: str
    first_on: date
    free_from_on: date
    changed_at: datetime


def busy_nights(session: Session, unit_id: str, today: date) -> Sequence[BusyNights]:
    """Return the nights of every stay and of every block made by hand that are not over.

    What came from another calendar is left out: that calendar tells it itself. An open end, and
    whatever lies further ahead than two years, is told up to there.
    """
    question = select(Reservation).where(
        Reservation.unit_id == unit_id, Reservation.cancelled_at.is_(None)
    )
    rows = session.scalars(question).all()
    spans = held_spans(map(stay_of, rows), today, policy(session))
    changes = {row.id: row.updated_at for row in rows}
    blocks = session.scalars(
        select(ExternalBlock).where(
            ExternalBlock.unit_id == unit_id, ExternalBlock.feed_id.is_(None)
        )
    ).all()
    changes |= {block.id: block.updated_at for block in blocks}
    taken = [*spans, *(block_span(one.id, Block(one.first_on, one.last_on)) for one in blocks)]
    found = (_run(span, changes[span.id], today) for span in taken)
    runs = sorted((run for run in found if run is not None), key=lambda run: (run.first_on, run.id))
    return runs[:MOST_RUNS]


def _run(span: Span, changed_at: datetime, today: date) -> BusyNights | None:
    horizon_on = add_months(today, MONTHS_AHEAD)
    free_from_on = min(span.free_from_on or horizon_on, horizon_on)
    if span.free_from_on is not None and span.free_from_on <= max(today, span.first_on):
        return None
    if span.first_on >= horizon_on:
        return None
    return BusyNights(span.id, span.first_on, free_from_on, changed_at)
