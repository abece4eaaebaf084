"""What stands against a settlement: who still lives there, what was settled, what is no amount."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.deposits.models import Amendment, Settlement
from pms.foundation.errors import Refused
from pms.reservations.changing import refusal_of_move
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import FeeCategory, Lifecycle, ReservationKind
from pms.rules.settlement import Settlement as Settled
from pms.rules.status_changes import lifecycle_after
from pms.rules.yen import LARGEST_YEN, RefusedAmount, read_json_amount

CLOSED: Final = (Lifecycle.SETTLED, Lifecycle.REFUNDED, Lifecycle.CANCELLED)
"""Whose money is over: such a reservation neither gives nor takes a deposit."""

_LONGEST_LABEL: Final = 200


class AskedDeduction(NamedTuple):
    """One deduction as asked for; its category is that of the charge for what is not reached."""

    label: str
    amount_yen: int
    category: FeeCategory = FeeCategory.OTHER


def lifecycle_on(row: Reservation, on: date) -> Lifecycle:
    """Return the lifecycle with the days passed counted: who was to leave by then has left.

    A guest leaves on the day after check-out (specification, States and transitions).
    """
    # The database gives back plain words, and the rules compare members.
    state, kind = Lifecycle(row.lifecycle), ReservationKind(row.kind)
    is_guest = kind is ReservationKind.GUEST
    is_leaving = is_guest or state is Lifecycle.NOTICE_FILED
    if row.ends_on is None or not is_leaving:
        return state
    has_left = row.ends_on < on if is_guest else row.ends_on <= on
    return lifecycle_after(state, Lifecycle.MOVED_OUT, kind) if has_left else state


def refuse_settling(session: Session, row: Reservation, on: date) -> None:
    """Raise `Refused` for a reservation settled before, and for one that nobody has left."""
    earlier = select(Settlement.settled_on).where(Settlement.reservation_id == row.id)
    settled_on = session.scalar(earlier)
    if settled_on is not None:
        raise already_settled(settled_on)
    state = lifecycle_on(row, on)
    is_going = state in {Lifecycle.NOTICE_FILED, Lifecycle.TRANSFERRED}
    if is_going and row.ends_on is not None and on < row.ends_on:
        raise Refused(
            "settlement: somebody lives there through {ends_on}; from that day on.",
            ends_on=row.ends_on,
        )
    after = lifecycle_after(state, Lifecycle.SETTLED, ReservationKind(row.kind))
    if after is not Lifecycle.SETTLED:
        raise refusal_of_move(state, Lifecycle.SETTLED)


def refuse_held(session: Session, row: Reservation, held_yen: int) -> None:
    """Raise `Refused` where the held deposit is not this reservation's to settle."""
    if held_yen < 0:
        raise Refused(
            "settlement: {missing_yen} yen more deposit was moved on than was collected;"
            " correct the payments of the move-in invoice first.",
            missing_yen=-held_yen,
        )
    last_on = _awaited_after(session, row) if row.lifecycle == Lifecycle.TRANSFERRED else None
    if held_yen and last_on is not None:
        raise Refused(
            "settlement: the held deposit of {held_yen} yen moves to the new reservation first,"
            " on {moves_on}; what is left is settled from that day on.",
            held_yen=held_yen,
            moves_on=last_on + ONE_DAY,
        )


def refuse_nothing(row: Reservation, settled: Settled, asked: Sequence[AskedDeduction]) -> None:
    """A cancelled or transferred reservation is settled only when money is open (States)."""
    is_open = settled.held_yen or settled.overpaid_yen or settled.owed_yen or asked
    if row.lifecycle in {Lifecycle.CANCELLED, Lifecycle.TRANSFERRED} and not is_open:
        raise Refused(
            "settlement: nothing is open on this {lifecycle} reservation.",
            lifecycle=Lifecycle(row.lifecycle),
        )


def already_settled(settled_on: date | None = None) -> Refused:
    """Return the refusal of a second settlement."""
    if settled_on is None:
        return Refused(
            "settlement: the reservation was settled, which happens once;"
            " correct it by a charge or a payment."
        )
    return Refused(
        "settlement: the reservation was settled on {settled_on}, which happens once;"
        " correct it by a charge or a payment.",
        settled_on=settled_on,
    )


def checked_deduction(place: int, asked: AskedDeduction) -> AskedDeduction:
    """Return a deduction with a name and whole yen from 1 on, or raise `Refused` by its place."""
    label = asked.label.strip()
    if not label or not label.isprintable() or len(label) > _LONGEST_LABEL:
        raise Refused(
            "deductions[{place}].label: name each deduction in one line of at most"
            " {most_characters} characters.",
            place=place,
            most_characters=_LONGEST_LABEL,
        )
    if isinstance(read_json_amount(asked.amount_yen, minimum_yen=1), RefusedAmount):
        raise Refused(
            "deductions[{place}].amountYen: '{given}' is refused; whole yen from 1 to {most_yen}.",
            place=place,
            given=str(asked.amount_yen)[:40],
            most_yen=LARGEST_YEN,
        )
    return asked._replace(label=label)


def _awaited_after(session: Session, row: Reservation) -> date | None:
    """The last day of the old record while its new one can still take the deposit."""
    new = (
        select(Amendment.last_on)
        .join(Reservation, Amendment.new_reservation_id == Reservation.id)
        .where(Amendment.old_reservation_id == row.id, Reservation.lifecycle.not_in(CLOSED))
    )
    return session.scalar(new)
