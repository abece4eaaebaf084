"""The next step is one that can be taken: nothing is settled too early, or where nothing is owed."""

from dataclasses import replace

import pytest

from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.next_steps import NextStep, StepFacts, next_step

LEFT = StepFacts(
    lifecycle=Lifecycle.MOVED_OUT,
    kind=ReservationKind.RESIDENT,
    has_started=True,
    is_signed=True,
    is_paid=True,
    has_money=False,
    settlement=None,
)


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
