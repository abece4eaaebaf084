"""What a tenancy still lacks between offer and refund, in order, and the office's next action."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.enumerations import Lifecycle, ReservationKind, SettlementState
from pms.rules.settlement_papers import HeldRefund, PaperState


class TenancyStep(StrEnum):
    """What a tenancy may lack, in the order of its way."""

    DATES = "dates"
    OPENING = "opening"
    AMENDMENT = "amendment"
    CONTRACT = "contract"
    EXPLANATION = "explanation"
    SIGNATURE = "signature"
    INVOICE = "invoice"
    PAYMENT = "payment"
    CONFIRMATION = "confirmation"
    MOVE_IN = "move_in"
    KEYS = "keys"
    BILLS = "bills"
    MOVE_OUT = "move_out"
    SETTLEMENT = "settlement"
    REFUND = "refund"


class Party(StrEnum):
    """Who has to act; `day` means that a date has to come."""

    OFFICE = "office"
    RESIDENT = "resident"
    DAY = "day"
    NOBODY = "nobody"


class Because(StrEnum):
    """Why a step is missing, or why none is."""

    DAMAGED = "damaged"
    NOT_TAKEN_OVER = "not_taken_over"
    NOT_SENT = "not_sent"
    CONTRACT_OVER = "contract_over"
    CONTRACT_CHANGED = "contract_changed"
    INVOICE_CHANGED = "invoice_changed"
    NO_ADDRESS = "no_address"
    UNEXPLAINED = "unexplained"
    UNSPOKEN = "unspoken"
    UNSIGNED = "unsigned"
    UNPAID = "unpaid"
    UNSIGNED_AND_UNPAID = "unsigned_and_unpaid"
    OVERDUE = "overdue"
    DUE = "due"
    READY = "ready"
    BEFORE_START = "before_start"
    STARTED = "started"
    ARRIVES_LATER = "arrives_later"
    NO_KEYS = "no_keys"
    LIVING = "living"
    LEAVING = "leaving"
    LEAVES = "leaves"
    LAST_DAY = "last_day"
    LEFT = "left"
    REFUND_UNSENT = "refund_unsent"
    UNANSWERED = "unanswered"
    OBJECTED = "objected"
    OVER = "over"


class ContractPaper(NamedTuple):
    """The contract that counts; one that is over was declined or expired unsigned.

    One sent outside the service has no day of sending. `is_unexplained`: the lease needs a prior
    explanation, which is not given yet; the paper was, and `waits_for_person` while no member of
    staff has explained it.
    """

    is_signed: bool
    is_stale: bool
    is_over: bool
    is_sent: bool
    sent_on: date | None = None
    is_unexplained: bool = False
    waits_for_person: bool = False


class MoveInBill(NamedTuple):
    """The move-in invoice; stale when it changed after it was sent.

    It is late once a transfer of its due day would have been booked.
    """

    is_stale: bool
    sent_on: date | None
    due_on: date
    is_late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WayFacts:
    """The facts that decide what is missing on a day, `on`.

    `is_damaged`: a day cannot be read; `is_to_take_over`: imported without its money;
    `is_taken_over`: its papers were made elsewhere. `is_signed` and `is_paid` are the states of
    the reservation, whoever recorded them. `has_keys`: keys were handed over, here or before that was
    recorded; `arrives_on` is the day of arrival where it is recorded. `has_money`: money is held,
    overpaid or unpaid.
    `owed_since` is the day from which a late bill is unpaid, `next_due_on` the day on which the
    next unpaid one is due or was, while its transfer is awaited. Both leave out the move-in invoice
    of a booking.
    """

    lifecycle: Lifecycle
    kind: ReservationKind
    on: date
    is_damaged: bool
    is_to_take_over: bool
    is_taken_over: bool
    is_signed: bool
    is_paid: bool
    has_offer: bool
    has_address: bool
    has_keys: bool
    has_money: bool
    paper: ContractPaper | None
    bill: MoveInBill | None
    start_on: date | None
    arrives_on: date | None
    last_on: date | None
    owed_since: date | None
    next_due_on: date | None
    settlement: SettlementState | None
    held: HeldRefund | None = None
    """What the refund waits for, of a settlement with a paper."""


class MissingStep(NamedTuple):
    """A step that is open, who has to act, why, and the day from which this counts."""

    step: TenancyStep
    waits_for: Party
    because: Because
    on: date | None = None


_BEFORE: Final = frozenset({Lifecycle.BOOKED, Lifecycle.CONFIRMED})
_HERE: Final = frozenset({Lifecycle.LIVING, Lifecycle.NOTICE_FILED})
_LIVED: Final = frozenset(Lifecycle) - _BEFORE - {Lifecycle.CANCELLED}
_GONE: Final = _LIVED - _HERE
_HANDED_ON: Final = frozenset({Lifecycle.CANCELLED, Lifecycle.TRANSFERRED})
ENDED: Final = _GONE | {Lifecycle.CANCELLED}
"""The states in which nobody lives there any more, or never will."""


def missing_steps(facts: WayFacts) -> tuple[MissingStep, ...]:
    """Return all that is open (States and transitions), in the order of the way.

    A guest of a check-in link and an owner resident need no papers and move by their days.
    """
    return tuple(_list_missing_steps(facts))


def _list_missing_steps(facts: WayFacts) -> Iterator[MissingStep]:
    is_resident = facts.kind is ReservationKind.RESIDENT
    if facts.is_damaged and facts.lifecycle not in _GONE:
        yield MissingStep(TenancyStep.DATES, Party.OFFICE, Because.DAMAGED)
    if facts.is_to_take_over:
        yield MissingStep(TenancyStep.OPENING, Party.OFFICE, Because.NOT_TAKEN_OVER)
    # Who lives there and was taken over, or is to be, signed elsewhere.
    is_elsewhere = facts.is_taken_over or facts.is_to_take_over
    if is_resident and (
        facts.lifecycle in _BEFORE or (facts.lifecycle in _HERE and not is_elsewhere)
    ):
        yield from _missing_papers(facts)
    if facts.lifecycle in _BEFORE:
        yield _missing_move_in(facts)
    elif facts.lifecycle in _HERE and is_resident and not facts.has_keys:
        yield from _missing_keys(facts)
    if facts.owed_since is not None:
        yield MissingStep(TenancyStep.BILLS, Party.RESIDENT, Because.OVERDUE, facts.owed_since)
    elif facts.next_due_on is not None:
        yield MissingStep(TenancyStep.BILLS, Party.RESIDENT, Because.DUE, facts.next_due_on)
    if facts.lifecycle is Lifecycle.NOTICE_FILED or (
        facts.lifecycle is Lifecycle.LIVING and not is_resident
    ):
        yield _missing_move_out(facts)
    yield from _missing_end(facts)


def _missing_papers(facts: WayFacts) -> Iterator[MissingStep]:
    paper, bill = facts.paper, facts.bill
    is_stale = paper is not None and paper.is_stale
    if paper and paper.is_signed and is_stale and facts.lifecycle is not Lifecycle.NOTICE_FILED:
        yield MissingStep(TenancyStep.AMENDMENT, Party.OFFICE, Because.CONTRACT_CHANGED)
    if not facts.is_signed:
        is_out = paper is not None and paper.is_sent and not (paper.is_over or is_stale)
        if not is_out:
            because = Because.NOT_SENT
            if paper is not None and (is_stale or paper.is_over):
                because = Because.CONTRACT_CHANGED if is_stale else Because.CONTRACT_OVER
            yield MissingStep(TenancyStep.CONTRACT, Party.OFFICE, _or_no_address(facts, because))
        sent_on = paper.sent_on if is_out and paper else None
        if paper is not None and paper.is_unexplained and paper.waits_for_person:
            yield MissingStep(TenancyStep.EXPLANATION, Party.OFFICE, Because.UNSPOKEN, sent_on)
        elif paper is not None and paper.is_unexplained:
            yield MissingStep(TenancyStep.EXPLANATION, Party.RESIDENT, Because.UNEXPLAINED, sent_on)
        yield MissingStep(TenancyStep.SIGNATURE, Party.RESIDENT, Because.UNSIGNED, sent_on)
    if facts.is_paid or (bill is None and facts.lifecycle in _HERE):
        if facts.is_signed and facts.is_paid and facts.lifecycle is Lifecycle.BOOKED:
            yield MissingStep(TenancyStep.CONFIRMATION, Party.OFFICE, Because.READY)
        return
    if bill is not None and (bill.is_stale or bill.sent_on is None):
        is_resent = bill.is_stale and bill.sent_on is not None
        because = Because.INVOICE_CHANGED if is_resent else Because.NOT_SENT
        yield MissingStep(TenancyStep.INVOICE, Party.OFFICE, _or_no_address(facts, because))
    if bill is not None and bill.is_late:
        yield MissingStep(TenancyStep.PAYMENT, Party.RESIDENT, Because.OVERDUE, bill.due_on)
    else:
        sent_on = bill.sent_on if bill else None
        yield MissingStep(TenancyStep.PAYMENT, Party.RESIDENT, Because.UNPAID, sent_on)


def _or_no_address(facts: WayFacts, because: Because) -> Because:
    """Return why a paper is not out; without an address it has to be handed over."""
    return because if facts.has_address else Because.NO_ADDRESS


def _missing_move_in(facts: WayFacts) -> MissingStep:
    has_started = facts.start_on is not None and facts.start_on <= facts.on
    if has_started and facts.kind is ReservationKind.RESIDENT:
        return MissingStep(TenancyStep.MOVE_IN, Party.OFFICE, Because.STARTED, facts.start_on)
    return MissingStep(TenancyStep.MOVE_IN, Party.DAY, Because.BEFORE_START, facts.start_on)


def _missing_keys(facts: WayFacts) -> Iterator[MissingStep]:
    """Yield the keys that a resident should have by now, or has on the day of arrival.

    On the last day, keys are given back and no more handed over. A start that cannot be read is
    corrected first, and who is still to be taken over got the keys elsewhere.
    """
    is_leaving = facts.last_on is not None and facts.last_on <= facts.on
    if facts.start_on is None or is_leaving or facts.is_to_take_over:
        return
    due_on = max(facts.start_on, facts.arrives_on or facts.start_on)
    if due_on > facts.on:
        yield MissingStep(TenancyStep.KEYS, Party.DAY, Because.ARRIVES_LATER, due_on)
    else:
        yield MissingStep(TenancyStep.KEYS, Party.OFFICE, Because.NO_KEYS, due_on)


def _missing_move_out(facts: WayFacts) -> MissingStep:
    is_last = facts.last_on is not None and facts.last_on <= facts.on
    if is_last and facts.kind is not ReservationKind.GUEST:
        return MissingStep(TenancyStep.MOVE_OUT, Party.OFFICE, Because.LEAVES, facts.last_on)
    return MissingStep(TenancyStep.MOVE_OUT, Party.DAY, Because.LEAVING, facts.last_on)


def _missing_end(facts: WayFacts) -> Iterator[MissingStep]:
    """Yield the settlement and the refund; where nothing is owed, some are settled by nothing.

    Guests and owner residents pay no deposit, and an amended record passes its deposit on.
    """
    if facts.settlement is not None:
        if facts.settlement is SettlementState.REFUND_PENDING:
            yield _missing_refund(facts.held)
        return
    is_over = facts.lifecycle in (Lifecycle.MOVED_OUT, *_HANDED_ON)
    is_resident = facts.kind is ReservationKind.RESIDENT
    owes_nothing = facts.lifecycle in _HANDED_ON or not is_resident
    if not is_over or (owes_nothing and not facts.has_money):
        return
    if facts.lifecycle is Lifecycle.TRANSFERRED and facts.last_on and facts.last_on >= facts.on:
        yield MissingStep(TenancyStep.SETTLEMENT, Party.DAY, Because.LAST_DAY, facts.last_on)
    else:
        yield MissingStep(TenancyStep.SETTLEMENT, Party.OFFICE, Because.LEFT, facts.last_on)


def _missing_refund(held: HeldRefund | None) -> MissingStep:
    """Return who has to act before the refund is sent: the resident is asked before the office."""
    if held is not None and held.state is PaperState.SENT:
        return MissingStep(TenancyStep.REFUND, Party.RESIDENT, Because.UNANSWERED, held.free_on)
    if held is not None and held.state is PaperState.OBJECTED:
        return MissingStep(TenancyStep.REFUND, Party.OFFICE, Because.OBJECTED)
    return MissingStep(TenancyStep.REFUND, Party.OFFICE, Because.REFUND_UNSENT)


class OfficeAct(StrEnum):
    """The office's next action."""

    SEND_PAPERS = "send_papers"
    SEND_CONTRACT = "send_contract"
    SEND_INVOICE = "send_invoice"
    CORRECT_DATES = "correct_dates"
    TAKE_OVER = "take_over"
    SEE_CONTRACT = "see_contract"
    EXPLAIN = "explain"
    RECORD_SIGNATURE = "record_signature"
    RECORD_PAYMENT = "record_payment"
    AMEND = "amend"
    CONFIRM = "confirm"
    MOVE_IN = "move_in"
    HAND_OVER_KEYS = "hand_over_keys"
    FILE_NOTICE = "file_notice"
    MOVE_OUT = "move_out"
    SETTLE = "settle"
    SEE_SETTLEMENT = "see_settlement"
    SEND_REFUND = "send_refund"
    NOTHING = "nothing"


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


_ACTS_AND_STAGES: Final = {
    TenancyStep.DATES: (OfficeAct.CORRECT_DATES, Stage.KEYS),
    TenancyStep.OPENING: (OfficeAct.TAKE_OVER, Stage.INVOICE),
    TenancyStep.AMENDMENT: (OfficeAct.AMEND, Stage.CONTRACT),
    TenancyStep.CONTRACT: (OfficeAct.SEND_CONTRACT, Stage.CONTRACT),
    TenancyStep.EXPLANATION: (OfficeAct.SEE_CONTRACT, Stage.SIGNATURE),
    TenancyStep.SIGNATURE: (OfficeAct.RECORD_SIGNATURE, Stage.SIGNATURE),
    TenancyStep.INVOICE: (OfficeAct.SEND_INVOICE, Stage.INVOICE),
    TenancyStep.PAYMENT: (OfficeAct.RECORD_PAYMENT, Stage.PAYMENT),
    TenancyStep.CONFIRMATION: (OfficeAct.CONFIRM, Stage.KEYS),
    TenancyStep.MOVE_IN: (OfficeAct.MOVE_IN, Stage.KEYS),
    TenancyStep.KEYS: (OfficeAct.HAND_OVER_KEYS, Stage.KEYS),
    TenancyStep.BILLS: (OfficeAct.RECORD_PAYMENT, Stage.PAYMENT),
    TenancyStep.MOVE_OUT: (OfficeAct.MOVE_OUT, Stage.MOVE_OUT),
    TenancyStep.SETTLEMENT: (OfficeAct.SETTLE, Stage.SETTLEMENT),
    TenancyStep.REFUND: (OfficeAct.SEND_REFUND, Stage.SETTLEMENT),
}
_HANDED_OVER: Final = {
    TenancyStep.CONTRACT: OfficeAct.RECORD_SIGNATURE,
    TenancyStep.INVOICE: OfficeAct.RECORD_PAYMENT,
}
"""What is recorded after a paper was handed to somebody without an address."""
_FIRST: Final = (Party.OFFICE, Party.RESIDENT, Party.DAY)


class NextAct(NamedTuple):
    """The next action, its step, who has to act, why, and the day from which this counts.

    `step` is None if nothing is missing.
    """

    act: OfficeAct
    waits_for: Party
    because: Because
    on: date | None = None
    step: TenancyStep | None = None


def next_act(facts: WayFacts) -> NextAct:
    """Return the next action: what the office can do, then what others have to, then what a day brings."""
    missing = missing_steps(facts)
    if not missing:
        if facts.lifecycle is Lifecycle.LIVING:
            return NextAct(OfficeAct.FILE_NOTICE, Party.NOBODY, Because.LIVING)
        return NextAct(OfficeAct.NOTHING, Party.NOBODY, Because.OVER)
    step, waits_for, because, on = min(missing, key=lambda each: _FIRST.index(each.waits_for))
    act = OfficeAct.NOTHING if waits_for is Party.DAY else _ACTS_AND_STAGES[step][0]
    if because is Because.UNSPOKEN:
        act = OfficeAct.EXPLAIN
    if because in (Because.UNANSWERED, Because.OBJECTED):
        act = OfficeAct.SEE_SETTLEMENT
    if because is Because.NO_ADDRESS:
        act = _HANDED_OVER[step]
    is_open = {each.step: each for each in missing}
    if act is OfficeAct.SEND_CONTRACT and TenancyStep.INVOICE in is_open:
        act = OfficeAct.SEND_PAPERS
    if because is Because.UNSIGNED and TenancyStep.PAYMENT in is_open:
        # Who waits for both is told of both; a payment that is late counts more.
        act, payment = OfficeAct.RECORD_PAYMENT, is_open[TenancyStep.PAYMENT]
        if payment.because is Because.OVERDUE:
            step, because, on = payment.step, payment.because, payment.on
        else:
            because = Because.UNSIGNED_AND_UNPAID
    return NextAct(act, waits_for, because, on, step)


class StageState(StrEnum):
    """The state of a stage; a stale one differs from what is agreed now."""

    DONE = "done"
    CURRENT = "current"
    STALE = "stale"
    LATER = "later"


_OF_PAPERS: Final = (Stage.CONTRACT, Stage.SIGNATURE, Stage.INVOICE, Stage.PAYMENT)


def stages(facts: WayFacts) -> tuple[tuple[Stage, StageState], ...]:
    """Return every stage with its state, leaving out contract or deposit where there is none."""
    next_step = next_act(facts).step
    current = _stage_of(next_step, facts.lifecycle) if next_step else None
    if next_step is None and facts.lifecycle is Lifecycle.LIVING:
        current = Stage.LIVING
    open_stages = {_stage_of(each.step, facts.lifecycle) for each in missing_steps(facts)}
    stale, reached = set(_list_stale_stages(facts)), _reached_stages(facts)

    def state(stage: Stage) -> StageState:
        if stage in stale:
            return StageState.STALE
        if stage is current:
            return StageState.CURRENT
        is_done = stage in reached and stage not in open_stages
        return StageState.DONE if is_done else StageState.LATER

    return tuple((stage, state(stage)) for stage in _stages_of(facts))


def _stage_of(step: TenancyStep, lifecycle: Lifecycle) -> Stage:
    """Return the stage of a step; open bills belong to the stage that the tenancy is in."""
    if step is not TenancyStep.BILLS or lifecycle in _BEFORE:
        return _ACTS_AND_STAGES[step][1]
    return Stage.LIVING if lifecycle in _HERE else Stage.SETTLEMENT


def _stages_of(facts: WayFacts) -> Iterator[Stage]:
    if facts.has_offer:
        yield Stage.OFFER
    if facts.lifecycle is Lifecycle.CANCELLED:
        yield Stage.SETTLEMENT
        return
    if facts.kind is ReservationKind.RESIDENT:
        yield from _OF_PAPERS
    yield from (Stage.KEYS, Stage.LIVING, Stage.MOVE_OUT)
    if facts.kind is ReservationKind.RESIDENT:
        yield Stage.SETTLEMENT


def _reached_stages(facts: WayFacts) -> set[Stage]:
    """Return the stages that the lifecycle has reached; of papers, those that need none any more."""
    reached = {Stage.OFFER, *_OF_PAPERS}
    if facts.lifecycle in _LIVED:
        reached.add(Stage.KEYS)
    if facts.lifecycle in _GONE:
        reached |= {Stage.LIVING, Stage.MOVE_OUT}
    if facts.lifecycle in ENDED:
        reached.add(Stage.SETTLEMENT)
    return reached


def _list_stale_stages(facts: WayFacts) -> Iterator[Stage]:
    if facts.paper is not None and facts.paper.is_stale:
        yield Stage.CONTRACT
    if facts.bill is not None and facts.bill.is_stale and facts.bill.sent_on is not None:
        yield Stage.INVOICE


def steps_before_move_in(missing: Sequence[MissingStep]) -> tuple[MissingStep, ...]:
    """Return the open steps that come before a move-in, which it does not wait for."""
    order = list(TenancyStep)
    return tuple(
        each for each in missing if order.index(each.step) < order.index(TenancyStep.MOVE_IN)
    )
