"""The next step of a reservation, by its state alone."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pms.rules.enumerations import Lifecycle, ReservationKind, SettlementState


class NextStep(StrEnum):
    """The next step of a reservation (States and transitions)."""

    SIGN = "sign"
    PAY = "pay"
    CONFIRM = "confirm"
    AWAIT_MOVE_IN = "await_move_in"
    MOVE_IN = "move_in"
    FILE_NOTICE = "file_notice"
    AWAIT_MOVE_OUT = "await_move_out"
    AWAIT_SETTLEMENT = "await_settlement"
    SETTLE = "settle"
    SEND_REFUND = "send_refund"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class StepFacts:
    """The facts that decide the next step; `has_started` is true from the effective start on.

    `has_ended`: the last day of a record that continues in another one is past.
    """

    lifecycle: Lifecycle
    kind: ReservationKind
    has_started: bool
    is_signed: bool
    is_paid: bool
    has_money: bool
    settlement: SettlementState | None
    has_ended: bool = True


_BEFORE = frozenset({Lifecycle.BOOKED, Lifecycle.CONFIRMED})
_ENDED_WITH_MONEY = frozenset({Lifecycle.CANCELLED, Lifecycle.TRANSFERRED})


def next_step(facts: StepFacts) -> NextStep:
    """Return the next step of a reservation; a finished one has none."""
    if facts.settlement is not None:
        is_unsent = facts.settlement is SettlementState.REFUND_PENDING
        return NextStep.SEND_REFUND if is_unsent else NextStep.NOTHING
    if facts.lifecycle in _BEFORE:
        return _before_moving_in(facts)
    if facts.lifecycle is Lifecycle.LIVING:
        is_resident = facts.kind is ReservationKind.RESIDENT
        return NextStep.FILE_NOTICE if is_resident else NextStep.AWAIT_MOVE_OUT
    if facts.lifecycle is Lifecycle.NOTICE_FILED:
        return NextStep.AWAIT_MOVE_OUT
    if facts.lifecycle is Lifecycle.REFUNDED or (_may_owe_nothing(facts) and not facts.has_money):
        return NextStep.NOTHING
    is_waiting = facts.lifecycle is Lifecycle.TRANSFERRED and not facts.has_ended
    return NextStep.AWAIT_SETTLEMENT if is_waiting else NextStep.SETTLE


def _may_owe_nothing(facts: StepFacts) -> bool:
    """Guests and owner residents pay no deposit, and an amended record passes its deposit on."""
    return facts.lifecycle in _ENDED_WITH_MONEY or facts.kind is not ReservationKind.RESIDENT


def has_begun(start_on: object, today: date) -> bool:
    """Whether an effective start is reached; a corrupt or missing one is not."""
    return isinstance(start_on, date) and start_on <= today


def _before_moving_in(facts: StepFacts) -> NextStep:
    if facts.has_started:
        return NextStep.MOVE_IN
    if facts.lifecycle is Lifecycle.CONFIRMED:
        return NextStep.AWAIT_MOVE_IN
    if not facts.is_signed:
        return NextStep.SIGN
    return NextStep.CONFIRM if facts.is_paid else NextStep.PAY
