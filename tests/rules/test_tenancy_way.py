"""The way of a reservation: one next act for every state, with who is waited for and why."""

from dataclasses import replace
from datetime import date

import pytest

from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.tenancy_way import (
    Act,
    Because,
    Bill,
    NextAct,
    NextStep,
    Paper,
    Party,
    Stage,
    StageState,
    WayFacts,
    next_act,
    stages,
)

TODAY, SENT, DUE = date(2026, 11, 20), date(2026, 11, 18), date(2026, 12, 1)
BOOKED = WayFacts(
    step=NextStep.SIGN,
    lifecycle=Lifecycle.BOOKED,
    kind=ReservationKind.RESIDENT,
    on=TODAY,
    is_damaged=False,
    is_to_take_over=False,
    is_signed=False,
    is_paid=False,
    has_offer=False,
    has_address=True,
    paper=None,
    bill=Bill(is_stale=False, sent_on=None, due_on=DUE),
    start_on=date(2026, 12, 16),
    last_on=None,
    owed_since=None,
)
OUT = Paper(is_signed=False, is_stale=False, is_over=False, is_sent=True, sent_on=SENT)
BILLED = Bill(is_stale=False, sent_on=SENT, due_on=DUE)
SIGNED = replace(BOOKED, is_signed=True, step=NextStep.PAY)
LIVING = replace(
    BOOKED,
    step=NextStep.FILE_NOTICE,
    lifecycle=Lifecycle.LIVING,
    is_signed=True,
    is_paid=True,
    bill=BILLED,
)
OFFICE, RESIDENT, DAY = Party.OFFICE, Party.RESIDENT, Party.DAY


@pytest.mark.parametrize(
    ("facts", "act"),
    [
        (BOOKED, NextAct(Act.SEND_PAPERS, OFFICE, Because.NOT_SENT)),
        (
            replace(BOOKED, paper=OUT),
            NextAct(Act.SEND_INVOICE, OFFICE, Because.NOT_SENT),
        ),
        (
            replace(BOOKED, bill=BILLED),
            NextAct(Act.SEND_CONTRACT, OFFICE, Because.NOT_SENT),
        ),
        (
            replace(BOOKED, paper=OUT._replace(is_stale=True), bill=BILLED),
            NextAct(Act.SEND_CONTRACT, OFFICE, Because.CONTRACT_CHANGED),
        ),
        (
            replace(BOOKED, paper=OUT._replace(is_over=True), bill=BILLED),
            NextAct(Act.SEND_CONTRACT, OFFICE, Because.CONTRACT_OVER),
        ),
        (
            replace(BOOKED, paper=OUT, bill=BILLED._replace(is_stale=True)),
            NextAct(Act.SEND_INVOICE, OFFICE, Because.INVOICE_CHANGED),
        ),
        (
            replace(BOOKED, has_address=False),
            NextAct(Act.RECORD_SIGNATURE, RESIDENT, Because.NO_ADDRESS),
        ),
        (
            replace(SIGNED, has_address=False),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.NO_ADDRESS),
        ),
        (
            replace(BOOKED, paper=OUT, bill=BILLED),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.UNSIGNED_AND_UNPAID, SENT),
        ),
        (
            replace(BOOKED, paper=OUT, bill=BILLED, is_paid=True),
            NextAct(Act.RECORD_SIGNATURE, RESIDENT, Because.UNSIGNED, SENT),
        ),
        (
            replace(SIGNED, bill=BILLED),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.UNPAID, SENT),
        ),
        (
            replace(SIGNED, bill=BILLED._replace(due_on=TODAY)),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.UNPAID, SENT),
        ),
        (
            replace(SIGNED, bill=None),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.UNPAID),
        ),
        (
            replace(SIGNED, bill=BILLED._replace(due_on=SENT)),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.OVERDUE, SENT),
        ),
        (
            replace(BOOKED, is_signed=True, is_paid=True, step=NextStep.CONFIRM),
            NextAct(Act.CONFIRM, OFFICE, Because.READY),
        ),
        (
            replace(BOOKED, step=NextStep.AWAIT_MOVE_IN, is_signed=True, is_paid=True),
            NextAct(Act.NOTHING, DAY, Because.BEFORE_START, BOOKED.start_on),
        ),
        (
            replace(BOOKED, step=NextStep.MOVE_IN),
            NextAct(Act.MOVE_IN, OFFICE, Because.STARTED, BOOKED.start_on),
        ),
        (LIVING, NextAct(Act.FILE_NOTICE, Party.NOBODY, Because.LIVING)),
        (
            replace(LIVING, owed_since=SENT),
            NextAct(Act.RECORD_PAYMENT, RESIDENT, Because.OVERDUE, SENT),
        ),
        (
            replace(LIVING, paper=OUT._replace(is_signed=True, is_stale=True), owed_since=SENT),
            NextAct(Act.AMEND, OFFICE, Because.CONTRACT_CHANGED),
        ),
        (
            replace(LIVING, is_to_take_over=True),
            NextAct(Act.TAKE_OVER, OFFICE, Because.NOT_TAKEN_OVER),
        ),
        (replace(LIVING, is_damaged=True), NextAct(Act.CORRECT_DATES, OFFICE, Because.DAMAGED)),
        (
            replace(LIVING, kind=ReservationKind.GUEST, step=NextStep.AWAIT_MOVE_OUT, last_on=DUE),
            NextAct(Act.NOTHING, DAY, Because.LEAVING, DUE),
        ),
        (
            replace(LIVING, lifecycle=Lifecycle.MOVED_OUT, step=NextStep.SETTLE, last_on=SENT),
            NextAct(Act.SETTLE, OFFICE, Because.LEFT, SENT),
        ),
        (
            replace(LIVING, lifecycle=Lifecycle.SETTLED, step=NextStep.SEND_REFUND),
            NextAct(Act.SEND_REFUND, OFFICE, Because.REFUND_UNSENT),
        ),
        (
            replace(LIVING, lifecycle=Lifecycle.REFUNDED, step=NextStep.NOTHING, is_damaged=True),
            NextAct(Act.NOTHING, Party.NOBODY, Because.OVER),
        ),
    ],
)
def test_one_act_comes_next(facts: WayFacts, act: NextAct) -> None:
    assert next_act(facts) == act


def test_every_step_has_its_act() -> None:
    for step in NextStep:
        assert next_act(replace(BOOKED, kind=ReservationKind.GUEST, step=step))


def test_the_stages_show_what_is_done_what_is_stale_and_where_it_stands() -> None:
    facts = replace(
        BOOKED, has_offer=True, paper=OUT, bill=BILLED._replace(is_stale=True, due_on=DUE)
    )
    assert stages(facts) == (
        (Stage.OFFER, StageState.DONE),
        (Stage.CONTRACT, StageState.DONE),
        (Stage.SIGNATURE, StageState.LATER),
        (Stage.INVOICE, StageState.STALE),
        (Stage.PAYMENT, StageState.LATER),
        (Stage.KEYS, StageState.LATER),
        (Stage.LIVING, StageState.LATER),
        (Stage.MOVE_OUT, StageState.LATER),
        (Stage.SETTLEMENT, StageState.LATER),
    )


@pytest.mark.parametrize(
    ("facts", "stage", "state"),
    [
        (BOOKED, Stage.CONTRACT, StageState.CURRENT),
        (SIGNED, Stage.CONTRACT, StageState.DONE),
        (replace(BOOKED, paper=OUT._replace(is_sent=False)), Stage.SIGNATURE, StageState.LATER),
        (replace(BOOKED, paper=OUT), Stage.INVOICE, StageState.CURRENT),
        (replace(BOOKED, bill=BILLED), Stage.INVOICE, StageState.DONE),
        (replace(BOOKED, bill=BILLED._replace(is_stale=True)), Stage.INVOICE, StageState.STALE),
        (
            replace(BOOKED, bill=BILLED._replace(is_stale=True, sent_on=None)),
            Stage.INVOICE,
            StageState.LATER,
        ),
        (replace(BOOKED, bill=None), Stage.INVOICE, StageState.LATER),
        (replace(BOOKED, is_paid=True), Stage.INVOICE, StageState.DONE),
        (replace(BOOKED, paper=OUT, bill=BILLED), Stage.PAYMENT, StageState.CURRENT),
        (replace(LIVING, owed_since=SENT), Stage.PAYMENT, StageState.DONE),
        (replace(LIVING, owed_since=SENT), Stage.LIVING, StageState.CURRENT),
        (replace(LIVING, step=NextStep.AWAIT_MOVE_OUT), Stage.MOVE_OUT, StageState.CURRENT),
        (
            replace(LIVING, lifecycle=Lifecycle.SETTLED, step=NextStep.SEND_REFUND),
            Stage.SETTLEMENT,
            StageState.CURRENT,
        ),
        (
            replace(LIVING, lifecycle=Lifecycle.REFUNDED, step=NextStep.NOTHING),
            Stage.SETTLEMENT,
            StageState.DONE,
        ),
        (replace(LIVING, step=NextStep.NOTHING), Stage.SETTLEMENT, StageState.LATER),
        (
            replace(LIVING, lifecycle=Lifecycle.MOVED_OUT, step=NextStep.AWAIT_SETTLEMENT),
            Stage.SETTLEMENT,
            StageState.LATER,
        ),
    ],
)
def test_a_stage_stands_as_its_papers_and_money_do(
    facts: WayFacts, stage: Stage, state: StageState
) -> None:
    assert dict(stages(facts))[stage] is state


def test_a_guest_has_neither_contract_nor_deposit_and_a_cancelled_booking_no_way_left() -> None:
    guest = replace(LIVING, kind=ReservationKind.GUEST, step=NextStep.AWAIT_MOVE_OUT)
    assert [stage for stage, _ in stages(guest)] == [Stage.KEYS, Stage.LIVING, Stage.MOVE_OUT]
    over = replace(BOOKED, lifecycle=Lifecycle.CANCELLED, step=NextStep.NOTHING)
    assert stages(over) == ((Stage.SETTLEMENT, StageState.DONE),)
