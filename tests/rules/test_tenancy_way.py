"""The way of a tenancy: all that is missing, and one next act with who is waited for and why."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.enumerations import Lifecycle, ReservationKind, SettlementState
from pms.rules.settlement_papers import HeldRefund, PaperState
from pms.rules.tenancy_way import (
    Because,
    ContractPaper,
    MissingStep,
    MoveInBill,
    NextAct,
    OfficeAct,
    Party,
    Stage,
    StageState,
    TenancyStep,
    WayFacts,
    missing_steps,
    next_act,
    stages,
    steps_before_move_in,
)

TODAY, SENT, DUE = date(2026, 11, 20), date(2026, 11, 18), date(2026, 12, 1)
START = date(2026, 12, 16)
BOOKED = WayFacts(
    lifecycle=Lifecycle.BOOKED,
    kind=ReservationKind.RESIDENT,
    on=TODAY,
    is_damaged=False,
    is_to_take_over=False,
    is_taken_over=False,
    is_signed=False,
    is_paid=False,
    has_offer=False,
    has_address=True,
    has_keys=True,
    has_money=False,
    paper=None,
    bill=MoveInBill(is_stale=False, sent_on=None, due_on=DUE),
    start_on=START,
    arrives_on=None,
    last_on=None,
    owed_since=None,
    next_due_on=None,
    settlement=None,
)
OUT = ContractPaper(is_signed=False, is_stale=False, is_over=False, is_sent=True, sent_on=SENT)
BILLED = MoveInBill(is_stale=False, sent_on=SENT, due_on=DUE)
WAITING = replace(BOOKED, paper=OUT, bill=BILLED)
SIGNED = replace(BOOKED, is_signed=True)
READY = replace(BOOKED, is_signed=True, is_paid=True)
CONFIRMED = replace(READY, lifecycle=Lifecycle.CONFIRMED)
STARTED = replace(BOOKED, start_on=TODAY)
LIVING = replace(READY, lifecycle=Lifecycle.LIVING, bill=BILLED, start_on=SENT)
LEAVING = replace(LIVING, lifecycle=Lifecycle.NOTICE_FILED, last_on=DUE)
LEFT = replace(LIVING, lifecycle=Lifecycle.MOVED_OUT, last_on=SENT)
SETTLED = replace(LEFT, lifecycle=Lifecycle.SETTLED, settlement=SettlementState.REFUND_PENDING)
GUEST = replace(BOOKED, kind=ReservationKind.GUEST, bill=None)
OFFICE, RESIDENT, DAY = Party.OFFICE, Party.RESIDENT, Party.DAY


@pytest.mark.parametrize(
    ("facts", "act"),
    [
        (
            BOOKED,
            NextAct(OfficeAct.SEND_PAPERS, OFFICE, Because.NOT_SENT, step=TenancyStep.CONTRACT),
        ),
        (
            replace(BOOKED, paper=OUT),
            NextAct(OfficeAct.SEND_INVOICE, OFFICE, Because.NOT_SENT, step=TenancyStep.INVOICE),
        ),
        (
            replace(BOOKED, bill=BILLED),
            NextAct(OfficeAct.SEND_CONTRACT, OFFICE, Because.NOT_SENT, step=TenancyStep.CONTRACT),
        ),
        (
            replace(WAITING, paper=OUT._replace(is_stale=True)),
            NextAct(
                OfficeAct.SEND_CONTRACT, OFFICE, Because.CONTRACT_CHANGED, step=TenancyStep.CONTRACT
            ),
        ),
        (
            replace(WAITING, paper=OUT._replace(is_over=True)),
            NextAct(
                OfficeAct.SEND_CONTRACT, OFFICE, Because.CONTRACT_OVER, step=TenancyStep.CONTRACT
            ),
        ),
        (
            replace(WAITING, bill=BILLED._replace(is_stale=True)),
            NextAct(
                OfficeAct.SEND_INVOICE, OFFICE, Because.INVOICE_CHANGED, step=TenancyStep.INVOICE
            ),
        ),
        (
            replace(BOOKED, has_address=False),
            NextAct(
                OfficeAct.RECORD_SIGNATURE, OFFICE, Because.NO_ADDRESS, step=TenancyStep.CONTRACT
            ),
        ),
        (
            replace(SIGNED, has_address=False),
            NextAct(OfficeAct.RECORD_PAYMENT, OFFICE, Because.NO_ADDRESS, step=TenancyStep.INVOICE),
        ),
        (
            WAITING,
            NextAct(
                OfficeAct.RECORD_PAYMENT,
                RESIDENT,
                Because.UNSIGNED_AND_UNPAID,
                SENT,
                TenancyStep.SIGNATURE,
            ),
        ),
        (
            replace(WAITING, is_paid=True),
            NextAct(
                OfficeAct.RECORD_SIGNATURE, RESIDENT, Because.UNSIGNED, SENT, TenancyStep.SIGNATURE
            ),
        ),
        (
            replace(WAITING, is_paid=True, paper=OUT._replace(is_unexplained=True)),
            NextAct(
                OfficeAct.SEE_CONTRACT, RESIDENT, Because.UNEXPLAINED, SENT, TenancyStep.EXPLANATION
            ),
        ),
        (
            replace(WAITING, paper=OUT._replace(is_unexplained=True, waits_for_person=True)),
            NextAct(OfficeAct.EXPLAIN, OFFICE, Because.UNSPOKEN, SENT, TenancyStep.EXPLANATION),
        ),
        (
            replace(SIGNED, bill=BILLED),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.UNPAID, SENT, TenancyStep.PAYMENT),
        ),
        (
            replace(SIGNED, bill=BILLED._replace(due_on=SENT)),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.UNPAID, SENT, TenancyStep.PAYMENT),
        ),
        (
            replace(SIGNED, bill=None),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.UNPAID, step=TenancyStep.PAYMENT),
        ),
        (
            replace(WAITING, bill=BILLED._replace(due_on=SENT, is_late=True)),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.OVERDUE, SENT, TenancyStep.PAYMENT),
        ),
        (READY, NextAct(OfficeAct.CONFIRM, OFFICE, Because.READY, step=TenancyStep.CONFIRMATION)),
        (
            CONFIRMED,
            NextAct(OfficeAct.NOTHING, DAY, Because.BEFORE_START, START, TenancyStep.MOVE_IN),
        ),
        (
            replace(CONFIRMED, start_on=TODAY),
            NextAct(OfficeAct.MOVE_IN, OFFICE, Because.STARTED, TODAY, TenancyStep.MOVE_IN),
        ),
        (
            STARTED,
            NextAct(OfficeAct.SEND_PAPERS, OFFICE, Because.NOT_SENT, step=TenancyStep.CONTRACT),
        ),
        (
            replace(WAITING, start_on=SENT),
            NextAct(OfficeAct.MOVE_IN, OFFICE, Because.STARTED, SENT, TenancyStep.MOVE_IN),
        ),
        (LIVING, NextAct(OfficeAct.FILE_NOTICE, Party.NOBODY, Because.LIVING)),
        (
            replace(LIVING, owed_since=SENT, next_due_on=DUE),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.OVERDUE, SENT, TenancyStep.BILLS),
        ),
        (
            replace(LIVING, next_due_on=DUE),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.DUE, DUE, TenancyStep.BILLS),
        ),
        (
            replace(LIVING, paper=OUT._replace(is_signed=True, is_stale=True), owed_since=SENT),
            NextAct(OfficeAct.AMEND, OFFICE, Because.CONTRACT_CHANGED, step=TenancyStep.AMENDMENT),
        ),
        (
            replace(LIVING, is_signed=False),
            NextAct(OfficeAct.SEND_CONTRACT, OFFICE, Because.NOT_SENT, step=TenancyStep.CONTRACT),
        ),
        (
            replace(LIVING, is_to_take_over=True),
            NextAct(OfficeAct.TAKE_OVER, OFFICE, Because.NOT_TAKEN_OVER, step=TenancyStep.OPENING),
        ),
        (
            replace(LIVING, is_damaged=True),
            NextAct(OfficeAct.CORRECT_DATES, OFFICE, Because.DAMAGED, step=TenancyStep.DATES),
        ),
        (LEAVING, NextAct(OfficeAct.NOTHING, DAY, Because.LEAVING, DUE, TenancyStep.MOVE_OUT)),
        (
            replace(LEAVING, last_on=TODAY, owed_since=SENT),
            NextAct(OfficeAct.MOVE_OUT, OFFICE, Because.LEAVES, TODAY, TenancyStep.MOVE_OUT),
        ),
        (
            replace(GUEST, lifecycle=Lifecycle.LIVING, last_on=TODAY),
            NextAct(OfficeAct.NOTHING, DAY, Because.LEAVING, TODAY, TenancyStep.MOVE_OUT),
        ),
        (LEFT, NextAct(OfficeAct.SETTLE, OFFICE, Because.LEFT, SENT, TenancyStep.SETTLEMENT)),
        (
            replace(LEFT, lifecycle=Lifecycle.SETTLED, settlement=SettlementState.REFUND_PENDING),
            NextAct(OfficeAct.SEND_REFUND, OFFICE, Because.REFUND_UNSENT, step=TenancyStep.REFUND),
        ),
        (
            replace(SETTLED, held=HeldRefund(PaperState.SENT, DUE)),
            NextAct(
                OfficeAct.SEE_SETTLEMENT, RESIDENT, Because.UNANSWERED, DUE, TenancyStep.REFUND
            ),
        ),
        (
            replace(SETTLED, held=HeldRefund(PaperState.OBJECTED)),
            NextAct(OfficeAct.SEE_SETTLEMENT, OFFICE, Because.OBJECTED, step=TenancyStep.REFUND),
        ),
        (
            replace(
                LEFT,
                lifecycle=Lifecycle.SETTLED,
                settlement=SettlementState.RESIDENT_OWES,
                owed_since=SENT,
            ),
            NextAct(OfficeAct.RECORD_PAYMENT, RESIDENT, Because.OVERDUE, SENT, TenancyStep.BILLS),
        ),
        (
            replace(
                LEFT,
                lifecycle=Lifecycle.REFUNDED,
                settlement=SettlementState.REFUNDED,
                is_damaged=True,
            ),
            NextAct(OfficeAct.NOTHING, Party.NOBODY, Because.OVER),
        ),
        (
            replace(BOOKED, lifecycle=Lifecycle.CANCELLED),
            NextAct(OfficeAct.NOTHING, Party.NOBODY, Because.OVER),
        ),
        (
            replace(BOOKED, lifecycle=Lifecycle.CANCELLED, has_money=True),
            NextAct(OfficeAct.SETTLE, OFFICE, Because.LEFT, step=TenancyStep.SETTLEMENT),
        ),
    ],
)
def test_one_act_comes_next(facts: WayFacts, act: NextAct) -> None:
    assert next_act(facts) == act


def test_all_that_is_open_is_named_in_its_order() -> None:
    assert [each.step for each in missing_steps(STARTED)] == [
        TenancyStep.CONTRACT,
        TenancyStep.SIGNATURE,
        TenancyStep.INVOICE,
        TenancyStep.PAYMENT,
        TenancyStep.MOVE_IN,
    ]
    assert [each.step for each in missing_steps(CONFIRMED)] == [TenancyStep.MOVE_IN]
    assert missing_steps(LIVING) == ()


def test_what_a_move_in_does_not_wait_for_stays_open_after_it() -> None:
    before = steps_before_move_in(missing_steps(replace(WAITING, start_on=TODAY)))
    assert [each.step for each in before] == [TenancyStep.SIGNATURE, TenancyStep.PAYMENT]
    after = missing_steps(replace(WAITING, lifecycle=Lifecycle.LIVING, start_on=TODAY))
    assert steps_before_move_in(after) == before


def test_who_was_taken_over_while_living_there_needs_no_papers() -> None:
    assert missing_steps(replace(LIVING, is_taken_over=True, is_signed=False, is_paid=False)) == ()
    coming = missing_steps(replace(BOOKED, is_taken_over=True))
    assert coming[0].step is TenancyStep.CONTRACT, "a booking that was taken over still is one"


KEYLESS = replace(LIVING, has_keys=False)


@pytest.mark.parametrize("start", [TODAY, SENT])
def test_who_lives_there_without_keys_is_handed_them_before_anything_else(start: date) -> None:
    facts = replace(KEYLESS, start_on=start, next_due_on=DUE)
    wanted = NextAct(OfficeAct.HAND_OVER_KEYS, OFFICE, Because.NO_KEYS, start, TenancyStep.KEYS)
    assert next_act(facts) == wanted
    assert dict(stages(facts))[Stage.KEYS] is StageState.CURRENT
    assert next_act(replace(facts, has_keys=True)).step is TenancyStep.BILLS


def test_keys_are_due_on_the_day_of_arrival_if_that_is_later() -> None:
    waiting = MissingStep(TenancyStep.KEYS, DAY, Because.ARRIVES_LATER, DUE)
    assert missing_steps(replace(KEYLESS, arrives_on=DUE)) == (waiting,)
    due = MissingStep(TenancyStep.KEYS, OFFICE, Because.NO_KEYS, TODAY)
    assert missing_steps(replace(KEYLESS, arrives_on=TODAY)) == (due,)
    early = SENT - timedelta(days=3)
    assert missing_steps(replace(KEYLESS, arrives_on=early))[0].on == SENT


@pytest.mark.parametrize(
    "facts",
    [
        replace(KEYLESS, kind=ReservationKind.OWNER_RESIDENT),
        replace(KEYLESS, kind=ReservationKind.GUEST),
        replace(KEYLESS, start_on=None),
        replace(KEYLESS, is_to_take_over=True),
        replace(KEYLESS, lifecycle=Lifecycle.NOTICE_FILED, last_on=TODAY),
        replace(KEYLESS, lifecycle=Lifecycle.MOVED_OUT, last_on=SENT),
        replace(CONFIRMED, has_keys=False, start_on=TODAY),
    ],
)
def test_no_keys_are_missed_where_none_are_handed_over(facts: WayFacts) -> None:
    assert TenancyStep.KEYS not in {each.step for each in missing_steps(facts)}


def test_keys_are_handed_over_after_a_move_in_that_papers_do_not_hold_up() -> None:
    facts = replace(WAITING, lifecycle=Lifecycle.LIVING, start_on=TODAY, has_keys=False)
    assert [each.step for each in steps_before_move_in(missing_steps(facts))] == [
        TenancyStep.SIGNATURE,
        TenancyStep.PAYMENT,
    ]
    assert next_act(facts).act is OfficeAct.HAND_OVER_KEYS


@pytest.mark.parametrize("lifecycle", [Lifecycle.BOOKED, Lifecycle.LIVING])
@pytest.mark.parametrize("kind", [ReservationKind.GUEST, ReservationKind.OWNER_RESIDENT])
def test_guests_and_owners_are_asked_for_no_paper_and_move_by_their_days(
    kind: ReservationKind, lifecycle: Lifecycle
) -> None:
    facts = replace(GUEST, kind=kind, lifecycle=lifecycle, start_on=SENT, last_on=DUE)
    (step,) = missing_steps(facts)
    assert step.waits_for is Party.DAY
    assert step.step in (TenancyStep.MOVE_IN, TenancyStep.MOVE_OUT)


@pytest.mark.parametrize("kind", [ReservationKind.GUEST, ReservationKind.OWNER_RESIDENT])
def test_who_gives_no_deposit_and_owes_nothing_is_not_settled(kind: ReservationKind) -> None:
    assert missing_steps(replace(LEFT, kind=kind)) == ()
    (step,) = missing_steps(replace(LEFT, kind=kind, has_money=True))
    assert step.step is TenancyStep.SETTLEMENT


def test_a_record_that_goes_on_in_another_waits_for_its_last_day() -> None:
    moved = replace(LEFT, lifecycle=Lifecycle.TRANSFERRED, has_money=True, last_on=TODAY)
    waits = MissingStep(TenancyStep.SETTLEMENT, Party.DAY, Because.LAST_DAY, TODAY)
    assert missing_steps(moved) == (waits,)
    assert missing_steps(replace(moved, last_on=SENT))[0].waits_for is Party.OFFICE
    assert missing_steps(replace(moved, has_money=False)) == ()


def test_the_stages_show_what_is_done_what_is_stale_and_where_it_stands() -> None:
    facts = replace(WAITING, has_offer=True, bill=BILLED._replace(is_stale=True, due_on=DUE))
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
        (replace(BOOKED, paper=OUT), Stage.INVOICE, StageState.CURRENT),
        (replace(BOOKED, bill=BILLED), Stage.INVOICE, StageState.DONE),
        (WAITING, Stage.SIGNATURE, StageState.CURRENT),
        (WAITING, Stage.PAYMENT, StageState.LATER),
        (replace(WAITING, bill=BILLED._replace(is_stale=True)), Stage.INVOICE, StageState.STALE),
        (replace(BOOKED, is_paid=True), Stage.INVOICE, StageState.DONE),
        (replace(SIGNED, bill=BILLED), Stage.PAYMENT, StageState.CURRENT),
        (replace(LIVING, owed_since=SENT), Stage.PAYMENT, StageState.DONE),
        (replace(LIVING, owed_since=SENT), Stage.LIVING, StageState.CURRENT),
        (replace(LIVING, is_signed=False), Stage.SIGNATURE, StageState.LATER),
        (LIVING, Stage.LIVING, StageState.CURRENT),
        (LEAVING, Stage.MOVE_OUT, StageState.CURRENT),
        (LEFT, Stage.SETTLEMENT, StageState.CURRENT),
        (
            replace(LEFT, lifecycle=Lifecycle.REFUNDED, settlement=SettlementState.REFUNDED),
            Stage.SETTLEMENT,
            StageState.DONE,
        ),
        (
            replace(
                LEFT,
                lifecycle=Lifecycle.SETTLED,
                settlement=SettlementState.RESIDENT_OWES,
                owed_since=SENT,
            ),
            Stage.SETTLEMENT,
            StageState.CURRENT,
        ),
    ],
)
def test_a_stage_stands_as_its_papers_and_money_do(
    facts: WayFacts, stage: Stage, state: StageState
) -> None:
    assert dict(stages(facts))[stage] is state


def test_a_guest_has_neither_contract_nor_deposit_and_a_cancelled_booking_no_way_left() -> None:
    guest = replace(GUEST, lifecycle=Lifecycle.LIVING)
    assert [stage for stage, _ in stages(guest)] == [Stage.KEYS, Stage.LIVING, Stage.MOVE_OUT]
    over = replace(BOOKED, lifecycle=Lifecycle.CANCELLED)
    assert stages(over) == ((Stage.SETTLEMENT, StageState.DONE),)


DAYS = st.none() | st.integers(-40, 40).map(lambda days: TODAY + timedelta(days=days))
FACTS = st.builds(
    WayFacts,
    lifecycle=st.sampled_from(Lifecycle),
    kind=st.sampled_from(ReservationKind),
    on=st.just(TODAY),
    is_damaged=st.booleans(),
    is_to_take_over=st.booleans(),
    is_taken_over=st.booleans(),
    is_signed=st.booleans(),
    is_paid=st.booleans(),
    has_offer=st.booleans(),
    has_address=st.booleans(),
    has_keys=st.booleans(),
    has_money=st.booleans(),
    paper=st.none()
    | st.builds(ContractPaper, *[st.booleans()] * 4, sent_on=DAYS, is_unexplained=st.booleans()),
    bill=st.none() | st.builds(MoveInBill, st.booleans(), DAYS, st.dates(SENT, DUE)),
    start_on=DAYS,
    arrives_on=DAYS,
    last_on=DAYS,
    owed_since=DAYS,
    next_due_on=DAYS,
    settlement=st.none() | st.sampled_from(SettlementState),
)


@given(FACTS)
def test_the_next_act_is_one_of_what_is_missing_and_none_only_if_nothing_is(
    facts: WayFacts,
) -> None:
    missing, found = missing_steps(facts), next_act(facts)
    assert [each.step for each in missing] == sorted(
        {each.step for each in missing}, key=list(TenancyStep).index
    ), "each step once, in order"
    assert (found.step is None) == (not missing)
    if missing:
        assert found.step in {each.step for each in missing}
        for_office = [each for each in missing if each.waits_for is Party.OFFICE]
        assert (found.waits_for is Party.OFFICE) == bool(for_office)
        assert (found.act is OfficeAct.NOTHING) == (found.waits_for is Party.DAY)
    else:
        assert found.because in (Because.LIVING, Because.OVER)
    done = {stage.value for stage, state in stages(facts) if state is StageState.DONE}
    assert not done & {each.step.value for each in missing}, "what is open is not done"
