"""Works out a settlement before anything is written: the preview and the deed share it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.deposits.models import Settlement
from pms.foundation.errors import Refused
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.changing import refusal_of_move
from pms.reservations.models import Reservation
from pms.rules import settlement as law
from pms.rules.deposit import deposit_balance
from pms.rules.enumerations import FeeCategory, Lifecycle, ReservationKind, SettlementState
from pms.rules.status_changes import lifecycle_after
from pms.rules.yen import LARGEST_YEN, RefusedAmount, read_json_amount

_LONGEST_LABEL = 200


class AskedDeduction(NamedTuple):
    """One deduction as asked for; its category is that of the charge for what is not reached."""

    label: str
    amount_yen: int
    category: FeeCategory = FeeCategory.OTHER


@dataclass(frozen=True, slots=True)
class PlannedDeduction:
    """A deduction, and how much of it money is there for."""

    asked: AskedDeduction
    reached_yen: int

    @property
    def unreached_yen(self) -> int:
        """What becomes a charge."""
        return self.asked.amount_yen - self.reached_yen


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """All that a settlement of a day would write."""

    settled_on: date
    settlement: law.Settlement
    deductions: tuple[PlannedDeduction, ...]

    @property
    def state(self) -> SettlementState:
        """Where it would stand before any refund."""
        return law.settlement_state(self.settlement.remainder_yen, self.settlement.owed_yen)


def plan_settlement(
    session: Session, row: Reservation, deductions: Sequence[AskedDeduction], on: date
) -> SettlementPlan:
    """Return the settlement of a reservation as its ledger stands on a day; raise `Refused`."""
    _refuse_state(session, row, on)
    asked = tuple(_checked(place, one) for place, one in enumerate(deductions))
    found = standings(session, (row.id,), on).get(row.id, ())
    moves = deposit_moves(session, (row.id,), on).get(row.id, ())
    held_yen = deposit_balance(found, moves, on).held_yen
    wanted = [law.Deduction(str(place), one.amount_yen) for place, one in enumerate(asked)]
    _refuse_held(row, held_yen)
    settled = law.settle(held_yen, found, wanted)
    _refuse_nothing(row, settled, asked)
    reached = dict(settled.deductions)
    planned = (PlannedDeduction(one, reached.get(str(n), 0)) for n, one in enumerate(asked))
    return SettlementPlan(on, settled, tuple(planned))


def lifecycle_on(row: Reservation, on: date) -> Lifecycle:
    """Return the lifecycle with the days passed counted: who was to leave by then has left.

    A guest leaves on the day after check-out (specification, States and transitions).
    """
    state, kind = Lifecycle(row.lifecycle), ReservationKind(row.kind)
    is_guest = kind is ReservationKind.GUEST
    is_leaving = is_guest or state is Lifecycle.NOTICE_FILED
    if row.ends_on is None or not is_leaving:
        return state
    has_left = row.ends_on < on if is_guest else row.ends_on <= on
    return lifecycle_after(state, Lifecycle.MOVED_OUT, kind) if has_left else state


def _refuse_state(session: Session, row: Reservation, on: date) -> None:
    earlier = select(Settlement.settled_on).where(Settlement.reservation_id == row.id)
    settled_on = session.scalar(earlier)
    if settled_on is not None:
        raise Refused(already_settled(settled_on))
    state = lifecycle_on(row, on)
    if state is Lifecycle.NOTICE_FILED:
        raise Refused(
            f"settlement: the resident moves out on {row.ends_on}; settle from that day on."
        )
    if state is Lifecycle.TRANSFERRED and row.ends_on is not None and on < row.ends_on:
        raise Refused(
            f"settlement: the reservation runs through {row.ends_on}; settle from that day on."
        )
    kind = ReservationKind(row.kind)
    if lifecycle_after(state, Lifecycle.SETTLED, kind) is not Lifecycle.SETTLED:
        raise Refused(refusal_of_move(state, Lifecycle.SETTLED))


def already_settled(settled_on: date | None = None) -> str:
    """Return the words for a second settlement."""
    when = f" on {settled_on}" if settled_on else ""
    return (
        f"settlement: the reservation was settled{when}, which happens once;"
        " correct it by a charge or a payment."
    )


def _checked(place: int, asked: AskedDeduction) -> AskedDeduction:
    if not asked.label.strip() or len(asked.label) > _LONGEST_LABEL:
        raise Refused(
            f"deductions[{place}].label: give each deduction a name of at most"
            f" {_LONGEST_LABEL} characters."
        )
    reading = read_json_amount(asked.amount_yen, minimum_yen=1)
    if isinstance(reading, RefusedAmount):
        raise Refused(
            f"deductions[{place}].amountYen: '{asked.amount_yen}' is refused;"
            f" whole yen from 1 to {LARGEST_YEN}."
        )
    return asked


def _refuse_held(row: Reservation, held_yen: int) -> None:
    if held_yen < 0:
        raise Refused(
            f"settlement: {-held_yen} yen more deposit was moved on than was collected;"
            " correct the payments of the move-in invoice first."
        )
    if held_yen > 0 and row.lifecycle == Lifecycle.TRANSFERRED:
        raise Refused(
            f"settlement: the held deposit of {held_yen} yen moves to the new reservation first."
        )


def _refuse_nothing(
    row: Reservation, settled: law.Settlement, asked: Sequence[AskedDeduction]
) -> None:
    """A cancelled or transferred reservation is settled only when money is open (States)."""
    is_open = settled.held_yen or settled.overpaid_yen or settled.owed_yen or asked
    if row.lifecycle in {Lifecycle.CANCELLED, Lifecycle.TRANSFERRED} and not is_open:
        raise Refused(f"settlement: nothing is open on this {row.lifecycle} reservation.")
