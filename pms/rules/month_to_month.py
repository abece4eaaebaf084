"""Whether a tenancy is month to month on a day, and which days are then billable."""

from dataclasses import dataclass
from datetime import date

from pms.rules.contract_dates import Term
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import MonthToMonthState, ReservationKind
from pms.rules.notices import ForcedFlag, is_window_open
from pms.rules.policy import Policy
from pms.rules.unit_stays import Stay


@dataclass(frozen=True, slots=True)
class Tenancy:
    """The facts that decide about month to month; None where something is not set.

    A move-out without a filing day counts as filed before any day asked about. `billed_through_on`
    is the last day billed before the tenancy was taken over, None for one booked here.
    """

    term: Term
    kind: ReservationKind = ReservationKind.RESIDENT
    filed_on: date | None = None
    move_out_on: date | None = None
    successor_start_on: date | None = None
    forced: ForcedFlag | None = None
    is_cancelled: bool = False
    billed_through_on: date | None = None


@dataclass(frozen=True, slots=True)
class BillableSpan:
    """The days that are billed, both ends included; without a last day the span is open."""

    first_on: date
    last_on: date | None


def filed_move_out_on(tenancy: Tenancy, on: date) -> date | None:
    """The move-out day of a notice that was filed by a day (specification, Contract dates)."""
    is_filed = tenancy.filed_on is None or tenancy.filed_on <= on
    return tenancy.move_out_on if is_filed else None


def month_to_month_state(tenancy: Tenancy, on: date, policy: Policy) -> MonthToMonthState:
    """None, derived or forced on a day (States and transitions, Month to month).

    A filed move-out, a short-term booking or a cancellation overrides a forced flag; before the
    start the state is None.
    """
    is_short_term = tenancy.kind == ReservationKind.GUEST
    is_living = tenancy.term.start_on <= on and not tenancy.is_cancelled
    if is_short_term or not is_living or filed_move_out_on(tenancy, on) is not None:
        return MonthToMonthState.NONE
    if tenancy.forced is not None and tenancy.forced.is_set_on(on):
        return MonthToMonthState.FORCED
    is_open = tenancy.term.end_on is None or is_window_open(tenancy.term, on, policy)
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
    term = Term(start_on, readable(stay.end_on))
    tenancy = Tenancy(
        term,
        kind=ReservationKind(stay.kind),
        successor_start_on=successor_start_on,
        is_cancelled=stay.is_cancelled,
    )
    return month_to_month_state(tenancy, on, policy)


def billable_span(tenancy: Tenancy, on: date, policy: Policy) -> BillableSpan | None:
    """The billable days as known on a billing day, or None (Month to month; Money 5).

    Nothing is billed for a cancelled booking, nor automatically for an owner resident.
    """
    if tenancy.is_cancelled or tenancy.kind == ReservationKind.OWNER_RESIDENT:
        return None
    first_on, last_on = tenancy.term.start_on, _last_billable_on(tenancy, on, policy)
    if last_on is not None and last_on < first_on:
        return None
    return BillableSpan(first_on, last_on)


def _last_billable_on(tenancy: Tenancy, on: date, policy: Policy) -> date | None:
    move_out_on = filed_move_out_on(tenancy, on)
    if move_out_on is not None:
        return move_out_on
    end_on = tenancy.term.end_on
    if end_on is None or month_to_month_state(tenancy, on, policy) is not MonthToMonthState.NONE:
        return None
    if tenancy.successor_start_on is None:
        return end_on
    return min(end_on, tenancy.successor_start_on - ONE_DAY)
