"""The stages of a reservation from offer to settlement, and the next action."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

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


class Stage(StrEnum):
    """A stage, in order."""

    OFFER = "offer"
    CONTRACT = "contract"
    SIGNATURE = "signature"
    INVOICE = "invoice"
    PAYMENT = "payment"
    KEYS = "keys"
    LIVING = "living"
    MOVE_OUT = "move_out"
    SETTLEMENT = "settlement"


class StageState(StrEnum):
    """The state of a stage; a stale one differs from what is agreed now."""

    DONE = "done"
    CURRENT = "current"
    STALE = "stale"
    LATER = "later"


class Act(StrEnum):
    """The office's next action."""

    SEND_PAPERS = "send_papers"
    SEND_CONTRACT = "send_contract"
    SEND_INVOICE = "send_invoice"
    CORRECT_DATES = "correct_dates"
    TAKE_OVER = "take_over"
    RECORD_SIGNATURE = "record_signature"
    RECORD_PAYMENT = "record_payment"
    AMEND = "amend"
    CONFIRM = "confirm"
    MOVE_IN = "move_in"
    FILE_NOTICE = "file_notice"
    SETTLE = "settle"
    SEND_REFUND = "send_refund"
    NOTHING = "nothing"


class Party(StrEnum):
    """Who has to act; `day` means that a date has to come."""

    OFFICE = "office"
    RESIDENT = "resident"
    DAY = "day"
    NOBODY = "nobody"


class Because(StrEnum):
    """Why this is the next action."""

    DAMAGED = "damaged"
    NOT_TAKEN_OVER = "not_taken_over"
    NOT_SENT = "not_sent"
    CONTRACT_OVER = "contract_over"
    CONTRACT_CHANGED = "contract_changed"
    INVOICE_CHANGED = "invoice_changed"
    NO_ADDRESS = "no_address"
    UNSIGNED = "unsigned"
    UNPAID = "unpaid"
    UNSIGNED_AND_UNPAID = "unsigned_and_unpaid"
    OVERDUE = "overdue"
    READY = "ready"
    BEFORE_START = "before_start"
    STARTED = "started"
    LIVING = "living"
    LEAVING = "leaving"
    LAST_DAY = "last_day"
    LEFT = "left"
    REFUND_UNSENT = "refund_unsent"
    OVER = "over"


class Paper(NamedTuple):
    """The contract that counts; one that is over was declined or expired unsigned.

    One sent outside the service has no day of sending.
    """

    is_signed: bool
    is_stale: bool
    is_over: bool
    is_sent: bool
    sent_on: date | None = None


class Bill(NamedTuple):
    """The move-in invoice; stale when it changed after it was sent."""

    is_stale: bool
    sent_on: date | None
    due_on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class WayFacts:
    """The facts that decide the stages.

    `is_damaged`: a day cannot be read; `is_to_take_over`: imported without its money. `is_signed`
    and `is_paid` are the states of the reservation, whoever recorded them; `owed_since` is the day
    from which a due bill is unpaid.
    """

    step: NextStep
    lifecycle: Lifecycle
    kind: ReservationKind
    on: date
    is_damaged: bool
    is_to_take_over: bool
    is_signed: bool
    is_paid: bool
    has_offer: bool
    has_address: bool
    paper: Paper | None
    bill: Bill | None
    start_on: date | None
    last_on: date | None
    owed_since: date | None


class NextAct(NamedTuple):
    """The next action, who has to act, why, and the day from which this counts."""

    act: Act
    waits_for: Party
    because: Because
    on: date | None = None


_ARRIVING: Final = frozenset({NextStep.SIGN, NextStep.PAY, NextStep.CONFIRM})
_BOUND: Final = frozenset(
    {*_ARRIVING, NextStep.AWAIT_MOVE_IN, NextStep.MOVE_IN, NextStep.FILE_NOTICE}
)


def next_act(facts: WayFacts) -> NextAct:
    """Return the next action of the office, or for whom it waits."""
    paper, is_resident = facts.paper, facts.kind is ReservationKind.RESIDENT
    if facts.is_damaged and facts.lifecycle not in _GONE:
        return NextAct(Act.CORRECT_DATES, Party.OFFICE, Because.DAMAGED)
    if facts.is_to_take_over:
        return NextAct(Act.TAKE_OVER, Party.OFFICE, Because.NOT_TAKEN_OVER)
    if paper and paper.is_signed and paper.is_stale and facts.step in _BOUND:
        return NextAct(Act.AMEND, Party.OFFICE, Because.CONTRACT_CHANGED)
    if facts.step in _ARRIVING and is_resident:
        return _of_arriving(facts)
    is_living = facts.step in (NextStep.FILE_NOTICE, NextStep.AWAIT_MOVE_OUT)
    if is_living and is_resident and facts.owed_since is not None:
        return NextAct(Act.RECORD_PAYMENT, Party.RESIDENT, Because.OVERDUE, facts.owed_since)
    return _by_step(facts)


def _by_step(facts: WayFacts) -> NextAct:
    office, day = Party.OFFICE, Party.DAY
    return {
        NextStep.SIGN: NextAct(Act.RECORD_SIGNATURE, office, Because.UNSIGNED),
        NextStep.PAY: NextAct(Act.RECORD_PAYMENT, office, Because.UNPAID),
        NextStep.CONFIRM: NextAct(Act.CONFIRM, office, Because.READY),
        NextStep.AWAIT_MOVE_IN: NextAct(Act.NOTHING, day, Because.BEFORE_START, facts.start_on),
        NextStep.MOVE_IN: NextAct(Act.MOVE_IN, office, Because.STARTED, facts.start_on),
        NextStep.FILE_NOTICE: NextAct(Act.FILE_NOTICE, Party.NOBODY, Because.LIVING),
        NextStep.AWAIT_MOVE_OUT: NextAct(Act.NOTHING, day, Because.LEAVING, facts.last_on),
        NextStep.AWAIT_SETTLEMENT: NextAct(Act.NOTHING, day, Because.LAST_DAY, facts.last_on),
        NextStep.SETTLE: NextAct(Act.SETTLE, office, Because.LEFT, facts.last_on),
        NextStep.SEND_REFUND: NextAct(Act.SEND_REFUND, office, Because.REFUND_UNSENT),
        NextStep.NOTHING: NextAct(Act.NOTHING, Party.NOBODY, Because.OVER),
    }[facts.step]


def _of_arriving(facts: WayFacts) -> NextAct:
    if facts.is_signed and facts.is_paid:
        return _by_step(facts)
    sends_contract, sends_invoice = _contract_is_due(facts), _invoice_is_due(facts)
    if sends_contract or sends_invoice:
        if not facts.has_address:
            act = Act.RECORD_PAYMENT if facts.is_signed else Act.RECORD_SIGNATURE
            return NextAct(act, Party.RESIDENT, Because.NO_ADDRESS)
        if sends_contract and sends_invoice:
            return NextAct(Act.SEND_PAPERS, Party.OFFICE, _why_sent(facts))
        act = Act.SEND_CONTRACT if sends_contract else Act.SEND_INVOICE
        return NextAct(act, Party.OFFICE, _why_sent(facts))
    return _awaited_act(facts)


def _contract_is_due(facts: WayFacts) -> bool:
    paper = facts.paper
    if facts.is_signed:
        return False
    return paper is None or paper.is_over or paper.is_stale or not paper.is_sent


def _invoice_is_due(facts: WayFacts) -> bool:
    bill = facts.bill
    return bill is not None and not facts.is_paid and (bill.is_stale or bill.sent_on is None)


def _why_sent(facts: WayFacts) -> Because:
    paper, bill = facts.paper, facts.bill
    if paper is not None and not facts.is_signed and (paper.is_stale or paper.is_over):
        return Because.CONTRACT_CHANGED if paper.is_stale else Because.CONTRACT_OVER
    if bill is not None and bill.is_stale and bill.sent_on is not None:
        return Because.INVOICE_CHANGED
    return Because.NOT_SENT


def _awaited_act(facts: WayFacts) -> NextAct:
    paper, bill = facts.paper, facts.bill
    signature_since = paper.sent_on if paper else None
    if facts.is_paid:
        return NextAct(Act.RECORD_SIGNATURE, Party.RESIDENT, Because.UNSIGNED, signature_since)
    if bill is not None and bill.due_on < facts.on:
        return NextAct(Act.RECORD_PAYMENT, Party.RESIDENT, Because.OVERDUE, bill.due_on)
    if facts.is_signed:
        payment_since = bill.sent_on if bill else None
        return NextAct(Act.RECORD_PAYMENT, Party.RESIDENT, Because.UNPAID, payment_since)
    because = Because.UNSIGNED_AND_UNPAID
    return NextAct(Act.RECORD_PAYMENT, Party.RESIDENT, because, signature_since)


_STAGE_OF: Final = {
    Act.SEND_PAPERS: Stage.CONTRACT,
    Act.SEND_CONTRACT: Stage.CONTRACT,
    Act.AMEND: Stage.CONTRACT,
    Act.CORRECT_DATES: Stage.KEYS,
    Act.TAKE_OVER: Stage.INVOICE,
    Act.SEND_INVOICE: Stage.INVOICE,
    Act.RECORD_SIGNATURE: Stage.SIGNATURE,
    Act.CONFIRM: Stage.KEYS,
    Act.MOVE_IN: Stage.KEYS,
    Act.FILE_NOTICE: Stage.LIVING,
    Act.SETTLE: Stage.SETTLEMENT,
    Act.SEND_REFUND: Stage.SETTLEMENT,
}
_LIVED: Final = frozenset(
    {
        Lifecycle.LIVING,
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
        Lifecycle.SETTLED,
        Lifecycle.REFUNDED,
        Lifecycle.TRANSFERRED,
    }
)
_GONE: Final = _LIVED - {Lifecycle.LIVING, Lifecycle.NOTICE_FILED}


def stages(facts: WayFacts) -> tuple[tuple[Stage, StageState], ...]:
    """Return every stage with its state, leaving out contract or deposit where there is none."""
    done, stale, current = _reached_stages(facts), set(_stale(facts)), _current(facts)

    def state(stage: Stage) -> StageState:
        if stage in stale:
            return StageState.STALE
        if stage is current:
            return StageState.CURRENT
        return StageState.DONE if stage in done else StageState.LATER

    return tuple((stage, state(stage)) for stage in _stages_of(facts))


def _stages_of(facts: WayFacts) -> Iterator[Stage]:
    if facts.has_offer:
        yield Stage.OFFER
    if facts.lifecycle is Lifecycle.CANCELLED:
        yield Stage.SETTLEMENT
        return
    if facts.kind is ReservationKind.RESIDENT:
        yield from (Stage.CONTRACT, Stage.SIGNATURE, Stage.INVOICE, Stage.PAYMENT)
    yield from (Stage.KEYS, Stage.LIVING, Stage.MOVE_OUT)
    if facts.kind is ReservationKind.RESIDENT:
        yield Stage.SETTLEMENT


def _reached_stages(facts: WayFacts) -> set[Stage]:
    paper, bill = facts.paper, facts.bill
    way = {
        Stage.OFFER: facts.has_offer,
        Stage.CONTRACT: facts.is_signed or (paper is not None and paper.is_sent),
        Stage.SIGNATURE: facts.is_signed,
        Stage.INVOICE: facts.is_paid or (bill is not None and bill.sent_on is not None),
        Stage.PAYMENT: facts.is_paid,
        Stage.KEYS: facts.lifecycle in _LIVED,
        Stage.LIVING: facts.lifecycle in _GONE,
        Stage.MOVE_OUT: facts.lifecycle in _GONE,
        Stage.SETTLEMENT: facts.lifecycle in (*_GONE, Lifecycle.CANCELLED)
        and facts.step is NextStep.NOTHING,
    }
    return {stage for stage, is_done in way.items() if is_done}


def _stale(facts: WayFacts) -> Iterator[Stage]:
    if facts.paper is not None and facts.paper.is_stale:
        yield Stage.CONTRACT
    if facts.bill is not None and facts.bill.is_stale and facts.bill.sent_on is not None:
        yield Stage.INVOICE


def _current(facts: WayFacts) -> Stage | None:
    act = next_act(facts)
    if act.act is Act.RECORD_PAYMENT:
        return Stage.LIVING if facts.lifecycle in _LIVED else Stage.PAYMENT
    if act.act is not Act.NOTHING:
        return _STAGE_OF[act.act]
    awaited = {
        Because.BEFORE_START: Stage.KEYS,
        Because.LEAVING: Stage.MOVE_OUT,
        Because.LAST_DAY: Stage.MOVE_OUT,
    }
    return awaited.get(act.because)
