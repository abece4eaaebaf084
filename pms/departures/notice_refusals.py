"""What stands against a notice: a day, a state or a filing that cannot be."""

from datetime import date, datetime

from pms.departures.departing import Departing
from pms.departures.models import MoveOutNotice
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import lifecycle_now
from pms.rules.days import FIRST_DAY, LAST_DAY, day_of
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notice_edits import refusal_of_notice
from pms.rules.status_changes import lifecycle_after


def asked_day(filed_at: datetime | None, clock: Clock) -> date:
    """Return the day in Japan of the instant given, or today; staff may name an earlier one."""
    if filed_at is None:
        return clock.today()
    if filed_at.tzinfo is None or filed_at > clock.now():
        raise Refused(
            "filedAt: {filed_at} is refused; an instant with its offset, not later than now.",
            filed_at=filed_at,
        )
    return day_of(filed_at)


def refuse_day(found: Departing, move_out_on: date) -> None:
    """Raise `Refused` for a day on which nobody can move out (Contract dates)."""
    if not FIRST_DAY <= move_out_on <= LAST_DAY:
        raise Refused(
            "moveOutDate: {move_out_on} is refused; {earliest_on} to {latest_on}.",
            move_out_on=move_out_on,
            earliest_on=FIRST_DAY,
            latest_on=LAST_DAY,
        )
    if refusal_of_notice(found.tenancy.term, move_out_on) is not None:
        raise Refused(
            "moveOutDate: {move_out_on} is before the move-in on {start_on}; that day or a"
            " later one.",
            move_out_on=move_out_on,
            start_on=found.tenancy.term.start_on,
        )


def refuse_filing(found: Departing, today: date) -> None:
    """Raise `Refused` where no first notice can be filed (States and transitions)."""
    if found.notice is not None:
        raise Refused(
            "notice: a notice for {filed_on} is filed already; reschedule or withdraw it.",
            filed_on=found.notice.move_out_on,
        )
    kind = ReservationKind(found.row.kind)
    if kind is ReservationKind.GUEST:
        raise Refused("notice: a guest has no move-out notice and leaves on the check-out day.")
    state = lifecycle_now(found.row, today)
    if state in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise Refused(
            "notice: nobody lives there before {start_on}; cancel the booking instead.",
            start_on=found.tenancy.term.start_on,
        )
    if lifecycle_after(state, Lifecycle.NOTICE_FILED, kind) is not Lifecycle.NOTICE_FILED:
        raise Refused(
            "notice: the reservation is {state}; only who lives there gives notice.", state=state
        )


def refuse_edit(found: Departing, notice: MoveOutNotice, *, today: date, move_out_on: date) -> None:
    """Raise `Refused` for an edit that changes nothing or comes too late."""
    if found.row.lifecycle not in {Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT}:
        raise Refused(
            "notice: the move-out day is edited until the deposit is settled; the"
            " reservation is {lifecycle}.",
            lifecycle=Lifecycle(found.row.lifecycle),
        )
    if move_out_on == notice.move_out_on:
        raise Refused(
            "moveOutDate: the move-out day is {move_out_on} already.", move_out_on=move_out_on
        )
    if found.row.lifecycle == Lifecycle.MOVED_OUT and move_out_on > today:
        raise Refused(
            "moveOutDate: {move_out_on} is refused, for the resident has moved out; a day"
            " up to today, {today}.",
            move_out_on=move_out_on,
            today=today,
        )


def refuse_order(asked_on: date, last_on: date) -> None:
    """Raise `Refused` for an edit asked for before the one that was filed last."""
    if asked_on < last_on:
        raise Refused(
            "filedAt: {asked_on} is before the last filing; {last_on} or later.",
            asked_on=asked_on,
            last_on=last_on,
        )
