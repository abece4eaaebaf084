"""The stays and blocks of many units over a period, for the chart, in two queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, String, bindparam, func, or_, select, type_coerce
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import ExternalBlock
from pms.foundation.db import Unindexed, as_indexed
from pms.foundation.prepared import PreparedInWorkspace, Row, among
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, RecordedDay, read_day, readable
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Span, Stay, is_unconfirmed, known_end
from pms.rules.vacancy import block_span, held_span, is_held, own_runs, successor_start

_read = lru_cache(maxsize=8192)(read_day)
# The chart shows the nights of the stays themselves.
_WITHOUT_TURNOVER = Policy(turnover_days=0)


def _coerce_to_text(column: InstrumentedAttribute[RecordedDay]) -> ColumnElement[str]:
    # Read as text: the same few days occur thousands of times and are parsed once (`_read`).
    return func.nullif(type_coerce(column, String), "")


# A few units have few stays; nearly all stays of a workspace began before the last day.
_starts_on = Unindexed(Reservation.starts_on)
_ends_on = Unindexed(Reservation.ends_on)
_STAYS = PreparedInWorkspace(
    select(
        Reservation.unit_id,
        Reservation.id,
        Reservation.name,
        Reservation.lifecycle,
        Reservation.kind,
        func.coalesce(
            _coerce_to_text(Reservation.override_move_in_date),
            _coerce_to_text(Reservation.move_in_date),
        ),
        func.coalesce(
            _coerce_to_text(Reservation.override_contract_end_date),
            _coerce_to_text(Reservation.contract_end_date),
        ),
        _coerce_to_text(Reservation.move_out_date),
        _coerce_to_text(Reservation.expected_departure_date),
        Reservation.forced_on.is_not(None),
        Reservation.version,
        _coerce_to_text(Reservation.arrival_date),
    ).where(
        among(Reservation.unit_id, "unit_ids"),
        Reservation.cancelled_at.is_(None),
        or_(_starts_on.is_(None), _starts_on <= bindparam("through_on")),
        or_(
            _ends_on.is_(None),
            _ends_on >= bindparam("from_on"),
            # Before an owner has left, the unit is free on no later night either.
            as_indexed("kind = 'owner_resident'"),
        ),
    )
)
_BLOCKS = PreparedInWorkspace(
    select(
        ExternalBlock.unit_id,
        type_coerce(ExternalBlock.summary, String),
        type_coerce(ExternalBlock.first_on, String),
        type_coerce(ExternalBlock.last_on, String),
        ExternalBlock.feed_id.is_not(None),
    ).where(among(ExternalBlock.unit_id, "unit_ids"))
)


class Bar(NamedTuple):
    """One stay or external block of a unit in the chart; days include both ends.

    `last_on` is None while the end is unknown. From `soft_from` on the stay is uncertain: the
    contract ends without a notice, or the resident announced a departure. A successor may begin on
    the last day. `arrives_on` is the day somebody arrives, where it is not the first day. A start
    that cannot be read is shown as today.
    """

    reservation_id: str | None
    name: str
    lifecycle: Lifecycle | None
    kind: ReservationKind | None
    first_on: date
    last_on: date | None
    soft_from: date | None
    version: int | None
    arrives_on: date | None = None
    is_start_known: bool = True

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it is a booking that was neither confirmed nor moved into."""
        return (
            self.lifecycle is not None
            and self.kind is not None
            and is_unconfirmed(self.lifecycle, self.kind)
        )

    @property
    def is_block(self) -> bool:
        """Whether it is a block from outside the service."""
        return self.reservation_id is None


def timeline(
    session: Session, unit_ids: Sequence[str], from_on: date, through_on: date, today: date
) -> Mapping[str, Sequence[Bar]]:
    """Return the bars that overlap a period (both days included), by unit, in order of start.

    It takes two queries for any number of units and days (specification, Contract dates;
    Availability). A channel's block that only repeats the nights of stays is left out.
    """
    found: defaultdict[str, list[Bar]] = defaultdict(list)
    ids = list(unit_ids)
    asked = {"from_on": from_on, "through_on": through_on, "unit_ids": ids}
    for row in _STAYS.all(session, **asked):
        bar = _build_stay_bar(row, today)
        if bar.first_on <= through_on and (bar.last_on is None or bar.last_on >= from_on):
            found[row[0]].append(bar)
    for row in _BLOCKS.all(session, unit_ids=ids):
        first_on, last_on = readable(_read(row[2])) or date.min, readable(_read(row[3]))
        bar = Bar(None, row[1] or "", None, None, first_on, last_on, None, None)
        is_shown = bar.first_on <= through_on and (bar.last_on is None or bar.last_on >= from_on)
        if is_shown and not (row[4] and _is_echo(bar, found[row[0]], from_on)):
            found[row[0]].append(bar)
    return {unit_id: _close_open_bars(bars, today) for unit_id, bars in found.items()}


def _is_echo(block: Bar, bars: Iterable[Bar], from_on: date) -> bool:
    stays = [Span("", bar.first_on, bar.last_on) for bar in bars if not bar.is_block]
    nights = block_span("", Block(block.first_on, block.last_on))
    return is_held(nights, own_runs(stays), from_on)


def _build_stay_bar(row: Row, today: date) -> Bar:
    _, id_, name, lifecycle, kind, start, end, move_out, departure, is_forced, version, come = row
    stay = Stay(
        id_,
        _read(start),
        _read(end),
        _read(move_out),
        is_forced=is_forced,
        kind=kind,
        is_unconfirmed=is_unconfirmed(lifecycle, kind),
    )
    start_on, end_on = readable(stay.start_on), readable(stay.end_on)
    arrives_on = readable(_read(come))
    left_on, soft_from = readable(known_end(stay)), None
    if held := held_span(stay, today, _WITHOUT_TURNOVER):
        first_on, last_on = held.first_on, held.free_from_on
        if last_on is None and kind == ReservationKind.OWNER_RESIDENT:
            soft_from = left_on and left_on + ONE_DAY
        elif last_on is None and not is_forced:
            # The day after the earlier of the contract's end and the expected departure. Days
            # that have passed are none: without a notice the resident still lives there.
            known = [
                day
                for day in (end_on, readable(_read(departure)))
                if day is not None and day >= today
            ]
            soft_from = min(known) + ONE_DAY if known else None
    else:
        last_on = left_on or end_on
        first_on = start_on or last_on or today
    return Bar(
        id_,
        name,
        lifecycle,
        kind,
        first_on,
        last_on,
        soft_from,
        version,
        None if arrives_on == start_on else arrives_on,
        start_on is not None,
    )


def _close_open_bars(bars: list[Bar], today: date) -> Sequence[Bar]:
    """Sort the bars; an open-ended one ends on the start of the next stay to come."""
    starts = {bar.first_on for bar in bars if not bar.is_block}
    closed = (
        bar._replace(last_on=bar.last_on or successor_start(starts, bar.first_on, today))
        for bar in bars
    )
    return sorted(closed, key=lambda bar: bar.first_on)
