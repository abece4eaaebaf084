"""Blocks from outside the service that share nights with a tenancy, as a list for the office.

Nothing here refuses a booking: the double-booking check never reads blocks (Availability, Rules).
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_wording import is_closure
from pms.catalogue.models import Building, CalendarFeed, ExternalBlock, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.reservations.changes import stay_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import BlockSource, ReservationKind
from pms.rules.unit_stays import Block, Span
from pms.rules.vacancy import (
    Meeting,
    block_span,
    end_at_successors,
    held_spans,
    is_held,
    meetings,
    own_runs,
    repeats_own_nights,
)
from pms.workspaces.queries import counters, policy


class BlockConflict(NamedTuple):
    """A tenancy and a block on the same nights; without a last day the end is unknown."""

    unit_id: str
    building: Bilingual
    unit: str
    reservation_id: str
    resident: str
    kind: ReservationKind
    block_id: str
    source: BlockSource
    feed: str | None
    first_on: date
    free_from_on: date | None


class _Taken(NamedTuple):
    """A block that is not over, with its unit's name."""

    unit_id: str
    building: Bilingual
    unit: str
    source: BlockSource
    feed: str | None
    is_of_channel: bool
    booking_reference: str | None
    summary: str | None
    span: Span

    def repeats(self, spans: Sequence[Span], today: date, turnover_days: int) -> bool:
        """Whether it is an echo of our own nights, and no guest's stay."""
        if not self.is_of_channel or self.booking_reference is not None:
            return False
        is_closed = is_closure(self.summary) and is_held(self.span, own_runs(spans), today)
        return is_closed or repeats_own_nights(self.span, spans, today, turnover_days)


_BLOCKS = (
    select(
        ExternalBlock.id,
        ExternalBlock.first_on,
        ExternalBlock.last_on,
        ExternalBlock.source,
        CalendarFeed.name,
        ExternalBlock.unit_id,
        Unit.name,
        Building.name,
        Building.name_en,
        ExternalBlock.feed_id.is_not(None).label("is_of_channel"),
        ExternalBlock.booking_reference,
        ExternalBlock.summary,
    )
    .join(Unit, refers_to(ExternalBlock.unit_id, Unit))
    .join(Building, refers_to(Unit.building_id, Building))
    .outerjoin(CalendarFeed, refers_to(ExternalBlock.feed_id, CalendarFeed))
)


def block_conflicts(
    session: Session, today: date, unit_id: str | None = None
) -> Sequence[BlockConflict]:
    """Return the tenancies that share a night from today on with a block, the earliest first.

    Without a notice a tenancy is listed until the next one starts. A channel's block that only
    repeats our own nights is none. It takes two queries and the policy for any number of units, and
    the result for all is cached until a unit or a stay changes.
    """
    if unit_id is not None:
        return _find_conflicts(session, today, unit_id)
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _CONFLICTS.answer(session, today, state, lambda: _find_conflicts(session, today))


_CONFLICTS: Final = KeptAnswers(most=4)


def _find_conflicts(
    session: Session, today: date, unit_id: str | None = None
) -> Sequence[BlockConflict]:
    taken = _read_taken_nights(session, today, unit_id)
    by_unit: defaultdict[str, list[_Taken]] = defaultdict(list)
    for block in taken:
        by_unit[block.unit_id].append(block)
    if not by_unit:
        return ()
    figures = policy(session)
    gone_before = today - timedelta(days=figures.turnover_days)
    stays: defaultdict[str, list[Reservation]] = defaultdict(list)
    question = select(Reservation).where(
        one_of(Reservation.unit_id, by_unit),
        Reservation.cancelled_at.is_(None),
        or_(Reservation.ends_on.is_(None), Reservation.ends_on >= gone_before),
    )
    for row in session.scalars(question):
        stays[row.unit_id].append(row)
    found: list[BlockConflict] = []
    for id_, blocks in by_unit.items():
        rows = {row.id: row for row in stays[id_]}
        stays_of_unit = [stay_of(row) for row in rows.values()]
        spans = held_spans(stays_of_unit, today, figures)
        known = {
            block.span.id: block
            for block in blocks
            if not block.repeats(spans, today, figures.turnover_days)
        }
        taken_nights = (block.span for block in known.values())
        for meeting in meetings(end_at_successors(spans, today), taken_nights, today):
            found.append(_build_conflict(meeting, rows[meeting.stay_id], known[meeting.block_id]))
    return sorted(found, key=lambda conflict: (conflict.first_on, conflict.unit, conflict.block_id))


def count_units_taken_twice(session: Session, today: date) -> int:
    """Return the number of units with such a conflict."""
    return len({each.unit_id for each in block_conflicts(session, today)})


def _read_taken_nights(session: Session, today: date, unit_id: str | None) -> list[_Taken]:
    # Days are stored as sortable text; a damaged one is checked in Python.
    is_ahead = or_(ExternalBlock.last_on.is_(None), ExternalBlock.last_on >= today)
    question = _BLOCKS.where(is_ahead)
    if unit_id is not None:
        question = question.where(ExternalBlock.unit_id == unit_id)
    return [
        _Taken(
            row.unit_id,
            Bilingual(row[7], row[8]),
            row[6],
            row.source,
            row[4],
            bool(row.is_of_channel),
            row.booking_reference,
            row.summary,
            block_span(row.id, Block(row.first_on, row.last_on)),
        )
        for row in session.execute(question)
    ]


def _build_conflict(meeting: Meeting, stay: Reservation, block: _Taken) -> BlockConflict:
    return BlockConflict(
        unit_id=block.unit_id,
        building=block.building,
        unit=block.unit,
        reservation_id=stay.id,
        resident=stay.name,
        kind=stay.kind,
        block_id=meeting.block_id,
        source=block.source,
        feed=block.feed,
        first_on=meeting.first_on,
        free_from_on=meeting.free_from_on,
    )
