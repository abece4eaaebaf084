"""Rows of a sheet whose stays overlap each other or a reservation."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.sheets.reading import SheetRow
from pms.reservations.changes import stay_of
from pms.reservations.models import Reservation
from pms.rules.policy import Policy
from pms.rules.unit_stays import Span, Stay, overlaps, span_of

OPEN_ENDED: Final = "…"
_MOST_ROUNDS: Final = 20


class PlacedRow(NamedTuple):
    """A row of the sheet with its unit, and the stored reservation it restates, if any."""

    row: SheetRow
    stated: ResidentRow
    unit_id: str
    stored: Reservation | None


class _HeldUnits:
    """The nights taken of each unit: by accepted rows of the sheet and by stored reservations."""

    def __init__(
        self, placed: Sequence[PlacedRow], plan: ReservationPlan, today: date, figures: Policy
    ) -> None:
        self._today, self._figures = today, figures
        self._in_sheet: dict[str, list[tuple[Span, int]]] = defaultdict(list)
        restated = {stay.stored.id for stay in placed if stay.stored is not None}
        units = dict.fromkeys(stay.unit_id for stay in placed)
        self._stored = {id_: self._spans_of(plan.by_unit.get(id_, ()), restated) for id_ in units}

    def _spans_of(self, known: Sequence[Reservation], restated: set[str]) -> list[Span]:
        spans = (
            span_of(stay_of(stored), self._today, self._figures)
            for stored in known
            if stored.id not in restated
        )
        return [span for span in spans if span is not None]

    def span(self, placed: PlacedRow) -> Span | None:
        """Return the nights for which a row takes its unit."""
        stated, stored = placed.stated, placed.stored
        stay = Stay(
            id="" if stored is None else stored.id,
            start_on=stated.start_on,
            end_on=stated.end_on,
            move_out_on=stated.move_out_date,
            is_forced=stored is not None and stored.forced_on is not None,
            kind=stated.kind,
        )
        return span_of(stay, self._today, self._figures)

    def above(self, unit_id: str, span: Span) -> tuple[Span, int] | None:
        """Return an accepted row above that shares a night.

        Accepted rows share no night with each other, so only the neighbours are compared.
        """
        taken = self._in_sheet[unit_id]
        place = bisect_left(taken, span.first_on, key=_by_first_night)
        neighbours = taken[max(0, place - 1) : place + 1]
        return next((pair for pair in neighbours if overlaps(span, pair[0])), None)

    def find_sharing_night(self, unit_id: str, span: Span) -> Span | None:
        """Return the nights of a stored reservation, not in the sheet, that shares a night."""
        return next((other for other in self._stored[unit_id] if overlaps(span, other)), None)

    def take(self, unit_id: str, span: Span, line: int) -> None:
        """Add the nights of an accepted row."""
        if span.first_on != span.free_from_on:
            insort(self._in_sheet[unit_id], (span, line), key=_by_first_night)


def _by_first_night(pair: tuple[Span, int]) -> date:
    return pair[0].first_on


def refuse_overlaps(
    placed: Sequence[PlacedRow], plan: ReservationPlan, today: date, figures: Policy
) -> None:
    """Refuse the rows that would take a unit twice: rows above win, and stored reservations win.

    The stored reservation of a refused row stays as it was and may then conflict with other rows,
    so the comparison is repeated until no such row is refused any more.
    """
    for _ in range(_MOST_ROUNDS):
        standing = [stay for stay in placed if not stay.row.problems]
        held = _HeldUnits(standing, plan, today, figures)
        for stay in standing:
            span = held.span(stay)
            if span is None:
                continue
            if (above := held.above(stay.unit_id, span)) is not None:
                stay.row.refuse(
                    "move_in_date", "overlaps_line", line=above[1], **_format_span_days(above[0])
                )
            elif (stored := held.find_sharing_night(stay.unit_id, span)) is not None:
                stay.row.refuse("move_in_date", "overlaps_reservation", **_format_span_days(stored))
            else:
                held.take(stay.unit_id, span, stay.row.line)
        if not any(stay.row.problems and stay.stored is not None for stay in standing):
            return


def _format_span_days(span: Span) -> dict[str, Any]:
    last = OPEN_ENDED if span.free_from_on is None else span.free_from_on.isoformat()
    return {"first": span.first_on.isoformat(), "last": last}
