"""A unit's stays and external blocks: who lives there, double bookings, and month to month on a day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from pms.rules.contract_dates import ContractTerm
from pms.rules.contract_terms import term_of_day
from pms.rules.days import ONE_DAY, RecordedDay, readable
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.notices import ForcedFlag, is_window_open
from pms.rules.policy import Policy

# Enumeration members are looked up thousands of times a page; a module name is far cheaper.
_GUEST: Final = ReservationKind.GUEST
_RESIDENT: Final = ReservationKind.RESIDENT
_BOOKED: Final = Lifecycle.BOOKED


def is_unconfirmed(lifecycle: Lifecycle, kind: ReservationKind) -> bool:
    """Whether a resident's booking was neither confirmed nor moved into (States and transitions).

    Nobody lives there then, even after its start. A confirmed booking, which is signed and paid,
    lives from its start; a guest and an owner resident sign nothing and go by their days.
    """
    return lifecycle == _BOOKED and kind == _RESIDENT


class Stay(NamedTuple):
    """One reservation of a unit, its dates as stored; `end_on` is a guest's check-out.

    Nobody lives there while it `is_unconfirmed`. `later_firsts` are the first days of the terms
    that were signed after the one that was booked.
    """

    id: str
    start_on: RecordedDay
    end_on: RecordedDay = None
    move_out_on: RecordedDay = None
    expected_departure_on: RecordedDay = None
    is_forced: bool = False
    kind: ReservationKind = ReservationKind.RESIDENT
    is_cancelled: bool = False
    is_unconfirmed: bool = False
    later_firsts: tuple[date, ...] = ()


class Block(NamedTuple):
    """One external block, both days inside; without a last day it is open-ended.

    `is_of_channel`: a channel's calendar tells it, which may repeat our own nights.
    """

    first_on: RecordedDay
    last_on: RecordedDay = None
    is_of_channel: bool = False


def is_forced_open(stay: Stay) -> bool:
    """Whether a stay is forced open without an ending event (Month to month).

    A filed move-out, even a corrupt one, and a short-term booking override the flag.
    """
    return stay.is_forced and stay.move_out_on is None and stay.kind != _GUEST


def known_end(stay: Stay) -> RecordedDay:
    """The confirmed end of a stay: its filed move-out, or a guest's check-out (Availability)."""
    if stay.move_out_on is None and stay.kind == _GUEST:
        return stay.end_on
    return stay.move_out_on


def is_over(stay: Stay, today: date, policy: Policy) -> bool:
    """Whether a stay no longer holds its unit, turnover days included (Availability).

    It ends on its known end, and on its contract end if nobody ever moved in.
    """
    left_on = known_end(stay)
    if left_on is None and stay.is_unconfirmed:
        left_on = stay.end_on
    return type(left_on) is date and left_on < today - timedelta(days=policy.turnover_days)


class Span(NamedTuple):
    """The nights a stay occupies: from its first day to the first day another may start.

    Half-open: `free_from_on` is outside, and None when the span is open.
    """

    id: str
    first_on: date
    free_from_on: date | None


class SpanReading(NamedTuple):
    """The spans of one unit's stays, and the ids left out because their start is corrupt."""

    spans: tuple[Span, ...]
    unreadable: tuple[str, ...]


def read_spans(stays: Iterable[Stay], today: date, policy: Policy) -> SpanReading:
    """Return the spans of all stays not cancelled (Month to month; Availability, Rules).

    External blocks and expected departures are not read, so neither can conflict.
    """
    spans: list[Span] = []
    unreadable: list[str] = []
    for stay in stays:
        if stay.is_cancelled:
            continue
        span = span_of(stay, today, policy)
        if span is None:
            unreadable.append(stay.id)
        else:
            spans.append(span)
    return SpanReading(tuple(spans), tuple(unreadable))


def span_of(stay: Stay, today: date, policy: Policy) -> Span | None:
    """Return the span of one stay, or None when its start cannot be read (Availability, Rules).

    A stay that ends on its first day occupied that one night, so the span is never empty.
    """
    if type(stay.start_on) is not date:
        return None
    end_on = _end_of(stay, today)
    if end_on is None:
        return Span(stay.id, stay.start_on, None)
    end_on = max(end_on, stay.start_on + ONE_DAY)
    return Span(stay.id, stay.start_on, end_on + timedelta(days=policy.turnover_days))


def overlaps(span: Span, other: Span) -> bool:
    """Whether two spans share a night; spans that only touch do not (Availability, Rules)."""
    if _is_empty(span) or _is_empty(other):
        return False
    return _starts_inside(span, other) and _starts_inside(other, span)


def conflicts_with(new: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans that a new booking would overlap, except its own (Errors: 400)."""
    return tuple(span for span in spans if span.id != new.id and overlaps(new, span))


def conflicts(spans: Iterable[Span]) -> tuple[tuple[Span, Span], ...]:
    """All pairs that share a night, the earlier start first (Availability, Rules)."""
    found: list[tuple[Span, Span]] = []
    open_spans: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.first_on, span.id)):
        open_spans = [earlier for earlier in open_spans if _starts_inside(span, earlier)]
        if not _is_empty(span):
            found.extend((earlier, span) for earlier in open_spans)
            open_spans.append(span)
    return tuple(found)


def _end_of(stay: Stay, today: date) -> date | None:
    """A known end; forced: open; else the contract end, for who lives there not before tomorrow."""
    end_on = known_end(stay)
    if type(end_on) is date:
        return end_on
    if is_forced_open(stay) or type(stay.end_on) is not date:
        return None
    if stay.is_unconfirmed:
        return stay.end_on
    # No notice is filed, so the resident still lives there today, whatever the contract says.
    return max(stay.end_on, today + ONE_DAY)


def _is_empty(span: Span) -> bool:
    return span.free_from_on is not None and span.free_from_on <= span.first_on


def _starts_inside(later: Span, earlier: Span) -> bool:
    return earlier.free_from_on is None or later.first_on < earlier.free_from_on


@dataclass(frozen=True, slots=True)
class TenancyFacts:
    """The facts that decide about month to month; None where something is not set.

    A move-out without a filing day counts as filed before any day asked about. `billed_through_on`
    is the last day billed before the tenancy was taken over, None for one booked here. Nobody lives
    there while it `is_unconfirmed`. `term` runs from the first term's start to the contract end;
    `later_firsts` are the first days of the terms signed after the first.
    """

    term: ContractTerm
    kind: ReservationKind = ReservationKind.RESIDENT
    filed_on: date | None = None
    move_out_on: date | None = None
    successor_start_on: date | None = None
    forced: ForcedFlag | None = None
    is_cancelled: bool = False
    billed_through_on: date | None = None
    is_unconfirmed: bool = False
    later_firsts: tuple[date, ...] = ()

    def term_on(self, day: date) -> ContractTerm:
        """The term in force on a day, which decides about notice, window and early exit there."""
        return term_of_day(self.term.start_on, self.later_firsts, self.term.end_on, day)


@dataclass(frozen=True, slots=True)
class BillableSpan:
    """The days that are billed, both ends included; without a last day the span is open."""

    first_on: date
    last_on: date | None


def filed_move_out_on(tenancy: TenancyFacts, on: date) -> date | None:
    """The move-out day of a notice that was filed by a day (specification, Contract dates)."""
    is_filed = tenancy.filed_on is None or tenancy.filed_on <= on
    return tenancy.move_out_on if is_filed else None


def month_to_month_state(tenancy: TenancyFacts, on: date, policy: Policy) -> MonthToMonthState:
    """None, derived or forced on a day (States and transitions, Month to month).

    A filed move-out, a short-term booking or a cancellation overrides a forced flag; before the
    start, and while nobody moved in, the state is None.
    """
    is_short_term = tenancy.kind == ReservationKind.GUEST
    is_awaited = tenancy.is_unconfirmed or tenancy.term.start_on > on
    is_living = not is_awaited and not tenancy.is_cancelled
    if is_short_term or not is_living or filed_move_out_on(tenancy, on) is not None:
        return MonthToMonthState.NONE
    if tenancy.forced is not None and tenancy.forced.is_set_on(on):
        return MonthToMonthState.FORCED
    is_open = tenancy.term.end_on is None or is_window_open(tenancy.term_on(on), on, policy)
    if is_open and tenancy.successor_start_on is None:
        return MonthToMonthState.DERIVED
    return MonthToMonthState.NONE


def state_of_stay(
    stay: Stay, successor_start_on: date | None, on: date, policy: Policy
) -> MonthToMonthState:
    """The state of a stay without a forced flag (Month to month).

    A filed move-out ends it, even one whose day cannot be read.
    """
    start_on = readable(stay.start_on)
    if start_on is None or stay.move_out_on is not None:
        return MonthToMonthState.NONE
    term = ContractTerm(start_on, readable(stay.end_on))
    tenancy = TenancyFacts(
        term,
        kind=ReservationKind(stay.kind),
        successor_start_on=successor_start_on,
        is_cancelled=stay.is_cancelled,
        is_unconfirmed=stay.is_unconfirmed,
        later_firsts=stay.later_firsts,
    )
    return month_to_month_state(tenancy, on, policy)


def billable_span(tenancy: TenancyFacts, on: date, policy: Policy) -> BillableSpan | None:
    """The billable days as known on a billing day, or None (Month to month; Money 5).

    Nothing is billed for a cancelled booking, nor automatically for an owner resident.
    """
    if tenancy.is_cancelled or tenancy.kind == ReservationKind.OWNER_RESIDENT:
        return None
    first_on, last_on = tenancy.term.start_on, _last_billable_on(tenancy, on, policy)
    if last_on is not None and last_on < first_on:
        return None
    return BillableSpan(first_on, last_on)


def _last_billable_on(tenancy: TenancyFacts, on: date, policy: Policy) -> date | None:
    move_out_on = filed_move_out_on(tenancy, on)
    if move_out_on is not None:
        return move_out_on
    end_on = tenancy.term.end_on
    if end_on is None or month_to_month_state(tenancy, on, policy) is not MonthToMonthState.NONE:
        return None
    if tenancy.successor_start_on is None:
        return end_on
    return min(end_on, tenancy.successor_start_on - ONE_DAY)
