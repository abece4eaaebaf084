"""The taken nights of units in the months ahead."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.reservations.changes import stay_of
from pms.reservations.models import Reservation
from pms.rules.days import add_months, readable
from pms.rules.unit_stays import Block, Span
from pms.rules.vacancy import block_span, held_spans
from pms.workspaces.queries import policy

MONTHS_AHEAD: Final = 24
MOST_RUNS: Final = 1_000


class BusyNights(NamedTuple):
    """A run of taken nights; the end day is free. `id` is stable when the run moves.

    `starts_on` and `arrives_on` tell of somebody who arrives on another day than the contract
    starts.
    """

    id: str
    first_on: date
    free_from_on: date
    changed_at: datetime
    starts_on: date | None = None
    arrives_on: date | None = None


def busy_nights(session: Session, unit_id: str, today: date) -> Sequence[BusyNights]:
    """Return the nights of all stays and manual blocks that are not over.

    Who filed no notice holds the unit without an end. Blocks from another calendar are left out,
    since that calendar publishes them itself. An open end, and one more than two years ahead, is cut
    off at two years.
    """
    question = select(Reservation).where(
        Reservation.unit_id == unit_id, Reservation.cancelled_at.is_(None)
    )
    rows, figures = session.scalars(question).all(), policy(session)
    # The nights before the next stay that its turnover needs cannot be sold either.
    turnover = timedelta(days=figures.turnover_days)
    spans = [
        span._replace(first_on=span.first_on - turnover)
        for span in held_spans(map(stay_of, rows), today, figures)
    ]
    changes = {row.id: row.updated_at for row in rows}
    arrivals = {row.id: (row.starts_on, readable(row.arrival_date)) for row in rows}
    blocks = session.scalars(
        select(ExternalBlock).where(
            ExternalBlock.unit_id == unit_id, ExternalBlock.feed_id.is_(None)
        )
    ).all()
    changes |= {block.id: block.updated_at for block in blocks}
    taken = [
        *spans,
        *(block_span(block.id, Block(block.first_on, block.last_on)) for block in blocks),
    ]
    found = (
        run and _with_arrival(run, arrivals.get(run.id), today)
        for span in taken
        for run in [_build_busy_nights(span, changes[span.id], today)]
    )
    runs = sorted((run for run in found if run is not None), key=lambda run: (run.first_on, run.id))
    return runs[:MOST_RUNS]


def _build_busy_nights(span: Span, changed_at: datetime, today: date) -> BusyNights | None:
    horizon_on = add_months(today, MONTHS_AHEAD)
    free_from_on = min(span.free_from_on or horizon_on, horizon_on)
    if span.free_from_on is not None and span.free_from_on <= max(today, span.first_on):
        return None
    if span.first_on >= horizon_on:
        return None
    return BusyNights(span.id, span.first_on, free_from_on, changed_at)


def _with_arrival(
    run: BusyNights, days: tuple[date | None, date | None] | None, today: date
) -> BusyNights:
    """Add the arrival to come of somebody who arrives on another day than the start."""
    starts_on, arrives_on = days or (None, None)
    if arrives_on is None or arrives_on == starts_on or arrives_on < today:
        return run
    return run._replace(starts_on=starts_on, arrives_on=arrives_on)
