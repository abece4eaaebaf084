"""Sets the rows of a sheet of residents beside each other and beside what is stored."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from pms.arrivals.reservation_plan import ReservationPlan, stay_of
from pms.arrivals.sheets.reading import Row
from pms.arrivals.sheets.resident_rows import ResidentRow
from pms.reservations.models import Reservation
from pms.rules.double_booking import Span, overlaps, span_of
from pms.rules.policy import Policy
from pms.rules.stays import Stay

OPEN_ENDED: Final = "…"
_MOST_ROUNDS: Final = 20


class Placed(NamedTuple):
    """A row of the sheet in its unit, and the stored reservation it is about."""

    row: Row
    stated: ResidentRow
    unit_id: str
    stored: Reservation | None


class _HeldUnits:
    """What holds each unit: rows of the sheet taken so far, and what is stored."""

    def __init__(
        self, placed: Sequence[Placed], plan: ReservationPlan, today: date, figures: Policy
    ) -> None:
        self._today, self._figures = today, figures
        self._in_sheet: dict[str, list[tuple[Span, int]]] = defaultdict(list)
        restated = {one.stored.id for one in placed if one.stored is not None}
        units = dict.fromkeys(one.unit_id for one in placed)
        self._stored = {id_: self._spans_of(plan.by_unit.get(id_, ()), restated) for id_ in units}

    def _spans_of(self, known: Sequence[Reservation], restated: set[str]) -> list[Span]:
        spans = (
            span_of(stay_of(stored), self._today, self._figures)
            for stored in known
            if stored.id not in restated
        )
        return [span for span in spans if span is not None]

    def span(self, one: Placed) -> Span | None:
        """The nights a row holds its unit."""
        return span_of(_stay(one), self._today, self._figures)

    def above(self, unit_id: str, span: Span) -> tuple[Span, int] | None:
        """A row above that shares a night; those taken share none, so neighbours suffice."""
        taken = self._in_sheet[unit_id]
        place = bisect_left(taken, span.first_on, key=_by_first_night)
        neighbours = taken[max(0, place - 1) : place + 1]
        return next((pair for pair in neighbours if overlaps(span, pair[0])), None)

    def stored(self, unit_id: str, span: Span) -> Span | None:
        """A stored reservation, not restated by the sheet, that shares a night."""
        return next((other for other in self._stored[unit_id] if overlaps(span, other)), None)

    def take(self, unit_id: str, span: Span, line: int) -> None:
        """Count the nights of a row that is taken."""
        if span.first_on != span.free_from_on:
            insort(self._in_sheet[unit_id], (span, line), key=_by_first_night)


def _by_first_night(pair: tuple[Span, int]) -> date:
    return pair[0].first_on


def refuse_overlaps(
    placed: Sequence[Placed], plan: ReservationPlan, today: date, figures: Policy
) -> None:
    """Take out what would hold a unit twice: rows above come first, then what is stored.

    A refused row leaves its stored reservation as it was, which then stands in the way of others,
    so rows are set side by side again until no such row is refused any more.
    """
    for _ in range(_MOST_ROUNDS):
        standing = [one for one in placed if not one.row.problems]
        held = _HeldUnits(standing, plan, today, figures)
        for one in standing:
            _refuse_overlap(one, held)
        if not any(one.row.problems and one.stored is not None for one in standing):
            return


def _refuse_overlap(one: Placed, held: _HeldUnits) -> None:
    span = held.span(one)
    if span is None:
        return
    if (above := held.above(one.unit_id, span)) is not None:
        one.row.refuse("move_in_date", "overlaps_line", line=above[1], **_days(above[0]))
    elif (stored := held.stored(one.unit_id, span)) is not None:
        one.row.refuse("move_in_date", "overlaps_reservation", **_days(stored))
    else:
        held.take(one.unit_id, span, one.row.line)


def _stay(one: Placed) -> Stay:
    stated, stored = one.stated, one.stored
    return Stay(
        id="" if stored is None else stored.id,
        start_on=stated.start_on,
        end_on=stated.end_on,
        move_out_on=stated.move_out_date,
        is_forced=stored is not None and stored.forced_on is not None,
        kind=stated.kind,
    )


def _days(span: Span) -> dict[str, Any]:
    last = OPEN_ENDED if span.free_from_on is None else span.free_from_on.isoformat()
    return {"first": span.first_on.isoformat(), "last": last}
