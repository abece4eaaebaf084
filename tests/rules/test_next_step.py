"""The next step is one that can be taken: nothing is settled too early, or where nothing is owed."""

from dataclasses import replace
from datetime import date

import pytest

from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle, ReservationKind, SettlementState
from pms.rules.tenancy_way import NextStep, StepFacts, has_begun, next_step

TODAY = date(2026, 11, 20)
LEFT = StepFacts(
    lifecycle=Lifecycle.MOVED_OUT,
    kind=ReservationKind.RESIDENT,
    has_started=True,
    is_signed=True,
    is_paid=True,
    has_money=False,
    settlement=None,
)


BOOKED = replace(LEFT, lifecycle=Lifecycle.BOOKED, has_started=False)


@pytest.mark.parametrize(
    ("facts", "step"),
    [
        (replace(BOOKED, is_signed=False), NextStep.SIGN),
        (replace(BOOKED, is_paid=False), NextStep.PAY),
        (BOOKED, NextStep.CONFIRM),
        (replace(BOOKED, lifecycle=Lifecycle.CONFIRMED), NextStep.AWAIT_MOVE_IN),
        (replace(BOOKED, has_started=True), NextStep.MOVE_IN),
        (replace(LEFT, lifecycle=Lifecycle.LIVING), NextStep.FILE_NOTICE),
        (
            replace(LEFT, lifecycle=Lifecycle.LIVING, kind=ReservationKind.GUEST),
            NextStep.AWAIT_MOVE_OUT,
        ),
        (replace(LEFT, lifecycle=Lifecycle.NOTICE_FILED), NextStep.AWAIT_MOVE_OUT),
        (replace(LEFT, lifecycle=Lifecycle.REFUNDED, has_money=True), NextStep.NOTHING),
        (replace(LEFT, lifecycle=Lifecycle.CANCELLED), NextStep.NOTHING),
        (replace(LEFT, lifecycle=Lifecycle.CANCELLED, has_money=True), NextStep.SETTLE),
        (replace(LEFT, settlement=SettlementState.REFUND_PENDING), NextStep.SEND_REFUND),
        (replace(LEFT, settlement=SettlementState.ZERO_REFUND), NextStep.NOTHING),
    ],
)
def test_each_state_waits_for_one_step(facts: StepFacts, step: NextStep) -> None:
    assert next_step(facts) is step


@pytest.mark.parametrize(
    ("start_on", "begun"),
    [(TODAY, True), (date(2026, 11, 21), False), (None, False), (CorruptDay("soon"), False)],
)
def test_a_start_has_come_from_its_day_on(start_on: object, begun: bool) -> None:
    assert has_begun(start_on, TODAY) is begun


@pytest.mark.parametrize("kind", [ReservationKind.GUEST, ReservationKind.OWNER_RESIDENT])
def test_who_gives_no_deposit_and_owes_nothing_is_not_settled(kind: ReservationKind) -> None:
    assert next_step(replace(LEFT, kind=kind)) is NextStep.NOTHING
    assert next_step(replace(LEFT, kind=kind, has_money=True)) is NextStep.SETTLE


def test_a_resident_who_left_is_settled_also_with_nothing_held() -> None:
    assert next_step(LEFT) is NextStep.SETTLE


def test_a_record_that_goes_on_in_another_waits_for_its_last_day() -> None:
    moved = replace(LEFT, lifecycle=Lifecycle.TRANSFERRED, has_money=True, has_ended=False)
    assert next_step(moved) is NextStep.AWAIT_SETTLEMENT
    assert next_step(replace(moved, has_ended=True)) is NextStep.SETTLE
    assert next_step(replace(moved, has_money=False)) is NextStep.NOTHING
