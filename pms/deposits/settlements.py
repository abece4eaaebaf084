"""Settling a deposit: its plan, refusals, rows and preview."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.models import (
    Amendment,
    DeductionRow,
    Settlement,
    SettlementLine,
    SettlementPaper,
)
from pms.deposits.restorations import LONGEST_LIFE_MONTHS, name_restoration
from pms.deposits.settlement_records import SettledDeposit, settlement_of
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import new_token
from pms.foundation.work import Work, find_row
from pms.ledger.charges import post_charge
from pms.ledger.models import Allocation, DepositMoveRow
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.tax_bases import tenancy_taxes
from pms.reservations.changes import mark_changed, move_lifecycle, refusal_of_move
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules import deposit as law
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import lifecycle_after
from pms.rules.days import ONE_DAY
from pms.rules.deposit import DepositSettlement, deposit_balance
from pms.rules.enumerations import (
    CheckedRoom,
    DepositMoveKind,
    FeeCategory,
    Lifecycle,
    ReservationKind,
    SettlementState,
    TaxTreatment,
)
from pms.rules.tax_classes import class_of_deduction
from pms.rules.wear import DeductionBearer, WornDeduction, WornItem, WornShare, worn_share
from pms.rules.yen import LARGEST_YEN, RefusedAmount, read_json_amount

CLOSED: Final = (Lifecycle.SETTLED, Lifecycle.REFUNDED, Lifecycle.CANCELLED)
"""States in which a reservation can neither give nor receive a deposit."""

MOST_QUANTITY: Final = 99_999
_LONGEST_LABEL: Final = 200


class WornTerms(NamedTuple):
    """What a deduction is for, as far as age and bearer decide about the resident's part.

    `unit_yen` is a price in whole yen; without a day of fitting the effective move-in counts.
    """

    item: WornItem
    quantity: Decimal
    unit_yen: int
    bearer: DeductionBearer = DeductionBearer.RESIDENT
    life_months: int | None = None
    fitted_on: date | None = None
    room: CheckedRoom | None = None


class AskedDeduction(NamedTuple):
    """A requested deduction; the category is that of the charge for the uncovered part.

    With `terms` the amount is worked out from them, and the label is what is said beside the item.
    """

    label: str
    amount_yen: int
    category: FeeCategory = FeeCategory.OTHER
    terms: WornTerms | None = None

    @property
    def words(self) -> Bilingual:
        """What the deduction is called: its item, with what is said beside it."""
        return name_restoration(self.terms.item if self.terms else WornItem.OTHER, self.label)


def lifecycle_on(row: Reservation, on: date) -> Lifecycle:
    """Return the lifecycle on a day: a resident whose last day has passed has moved out.

    A guest leaves on the day after check-out (specification, States and transitions).
    """
    # The database returns plain strings, and the rules compare members.
    state, kind = Lifecycle(row.lifecycle), ReservationKind(row.kind)
    is_guest = kind is ReservationKind.GUEST
    is_leaving = is_guest or state is Lifecycle.NOTICE_FILED
    if row.ends_on is None or not is_leaving:
        return state
    has_left = row.ends_on < on if is_guest else row.ends_on <= on
    return lifecycle_after(state, Lifecycle.MOVED_OUT, kind) if has_left else state


def refuse_settling(session: Session, row: Reservation, on: date) -> None:
    """Raise `Refused` for a reservation settled before, and for one that has not ended."""
    settled = settlement_of(session, row.id)
    if settled is not None:
        raise refusal_of_second_settlement(settled.settlement.settled_on)
    state = lifecycle_on(row, on)
    is_going = state in {Lifecycle.NOTICE_FILED, Lifecycle.TRANSFERRED}
    if is_going and row.ends_on is not None and on < row.ends_on:
        raise Refused(
            "settlement: The unit is occupied through {ends_on}. Settle the deposit on "
            "that day or later.",
            ends_on=row.ends_on,
        )
    after = lifecycle_after(state, Lifecycle.SETTLED, ReservationKind(row.kind))
    if after is not Lifecycle.SETTLED:
        raise refusal_of_move(state, Lifecycle.SETTLED)


def refuse_held(session: Session, row: Reservation, held_yen: int) -> None:
    """Raise `Refused` where the held deposit is not this reservation's to settle."""
    if held_yen < 0:
        raise Refused(
            "settlement: {missing_yen} yen more than the collected deposit was moved on. "
            "Correct the payments of the move-in invoice first.",
            missing_yen=-held_yen,
        )
    if row.lifecycle == Lifecycle.TRANSFERRED:
        # The old record's last day while its new record can still receive the deposit.
        new = (
            select(Amendment.last_on)
            .join(Reservation, Amendment.new_reservation_id == Reservation.id)
            .where(Amendment.old_reservation_id == row.id, Reservation.lifecycle.not_in(CLOSED))
        )
        last_on = session.scalar(new)
    else:
        last_on = None
    if held_yen and last_on is not None:
        raise Refused(
            "settlement: the deposit of {held_yen} yen moves to the new reservation on "
            "{moves_on}. The rest can be settled from that day.",
            held_yen=held_yen,
            moves_on=last_on + ONE_DAY,
        )


def refuse_nothing(
    row: Reservation, settled: DepositSettlement, asked: Sequence[AskedDeduction]
) -> None:
    """Refuse to settle a cancelled or transferred reservation without open money (States)."""
    is_open = settled.held_yen or settled.overpaid_yen or settled.owed_yen or asked
    if row.lifecycle in {Lifecycle.CANCELLED, Lifecycle.TRANSFERRED} and not is_open:
        raise Refused(
            "settlement: this {lifecycle} reservation has nothing to settle.",
            lifecycle=Lifecycle(row.lifecycle),
        )


def refusal_of_second_settlement(settled_on: date | None = None) -> Refused:
    """Return the refusal of a second settlement."""
    if settled_on is None:
        return Refused(
            "settlement: the deposit was already settled, which happens only once. Correct it "
            "with a charge or a payment."
        )
    return Refused(
        "settlement: the deposit was settled on {settled_on}, which happens only once. "
        "Correct it with a charge or a payment.",
        settled_on=settled_on,
    )


def check_deduction(place: int, asked: AskedDeduction) -> AskedDeduction:
    """Return a deduction with a name and whole yen from 1 on; raise `Refused` naming its index."""
    label = asked.label.strip()
    is_named = bool(label) or (asked.terms is not None and asked.terms.item is not WornItem.OTHER)
    if not is_named or not label.isprintable() or len(label) > _LONGEST_LABEL:
        raise Refused(
            "deductions[{place}].label: describe each deduction in one line of at most "
            "{most_characters} characters.",
            place=place,
            most_characters=_LONGEST_LABEL,
        )
    # Of one with terms the unit price is what was entered.
    yen = asked.terms.unit_yen if asked.terms else asked.amount_yen
    if isinstance(read_json_amount(yen, minimum_yen=1), RefusedAmount):
        raise Refused(
            "deductions[{place}].amountYen: '{given}' is not possible. Enter whole yen "
            "from 1 to {most_yen}.",
            place=place,
            given=str(yen)[:40],
            most_yen=LARGEST_YEN,
        )
    if asked.terms is not None:
        _check_terms(place, asked.terms)
    return asked._replace(label=label)


def _check_terms(place: int, terms: WornTerms) -> None:
    exact = terms.quantity
    is_sound = exact.is_finite() and 0 < exact <= MOST_QUANTITY and exact == round(exact, 3)
    if not is_sound or exact * terms.unit_yen > LARGEST_YEN:
        raise Refused(
            "deductions[{place}].quantity: enter a quantity above 0 and up to {most}, with at most "
            "three decimals.",
            place=place,
            most=MOST_QUANTITY,
        )
    if terms.life_months is not None and not 1 <= terms.life_months <= LONGEST_LIFE_MONTHS:
        raise Refused(
            "deductions[{place}].life: enter 1 to {most} months.",
            place=place,
            most=LONGEST_LIFE_MONTHS,
        )


@dataclass(frozen=True, slots=True)
class PlannedDeduction:
    """A line of a settlement, and the part of it covered by money held.

    `asked.amount_yen` is the resident's part; a line whose part is 0 is no deduction.
    """

    asked: AskedDeduction
    terms: WornTerms
    fitted_on: date
    share: WornShare
    reached_yen: int

    @property
    def unreached_yen(self) -> int:
        """The uncovered part, which becomes a charge."""
        return self.asked.amount_yen - self.reached_yen


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """Everything that a settlement on a day would post."""

    settled_on: date
    settlement: law.DepositSettlement
    deductions: tuple[PlannedDeduction, ...]

    @property
    def state(self) -> SettlementState:
        """The settlement's state before any refund."""
        return law.settlement_state(self.settlement.remainder_yen, self.settlement.owed_yen)


def plan_settlement(
    session: Session, row: Reservation, deductions: Sequence[AskedDeduction], on: date
) -> SettlementPlan:
    """Return a reservation's settlement from its ledger on a day, or raise `Refused`."""
    refuse_settling(session, row, on)
    asked = tuple(check_deduction(place, deduction) for place, deduction in enumerate(deductions))
    lines: list[PlannedDeduction] = []
    for deduction in asked:
        # A line with the resident's part, which the rule of wear works out once.
        left_on = min(row.ends_on or on, on)
        terms = deduction.terms or WornTerms(WornItem.OTHER, Decimal(1), deduction.amount_yen)
        fitted_on = terms.fitted_on or row.starts_on or left_on
        share = worn_share(
            WornDeduction(
                terms.quantity, terms.unit_yen, terms.bearer, terms.life_months, fitted_on
            ),
            left_on,
        )
        counted = deduction._replace(amount_yen=share.resident_yen)
        lines.append(PlannedDeduction(counted, terms, fitted_on, share, reached_yen=0))
    found = standings(session, (row.id,), on).get(row.id, ())
    moves = deposit_moves(session, (row.id,), on).get(row.id, ())
    held_yen = deposit_balance(found, moves, on).held_yen
    refuse_held(session, row, held_yen)
    wanted = [
        law.Deduction(str(place), line.asked.amount_yen)
        for place, line in enumerate(lines)
        if line.asked.amount_yen
    ]
    settled = law.settle(held_yen, found, wanted)
    refuse_nothing(row, settled, asked)
    reached = dict(settled.deductions)
    planned = (replace(line, reached_yen=reached.get(str(n), 0)) for n, line in enumerate(lines))
    return SettlementPlan(on, settled, tuple(planned))


def preview_settlement(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    deductions: Sequence[AskedDeduction] = (),
) -> SettlementPlan:
    """Return the settlement as `settle` would post it today; raise what it would raise."""
    row = find_row(session, Reservation, reservation_id)
    return plan_settlement(session, row, deductions, clock.today())


def settlement_row(
    reservation_id: str, plan: SettlementPlan, clock: Clock, actor: str
) -> Settlement:
    """Return the settlement's own row, not inserted yet."""
    found = plan.settlement
    return Settlement(
        id=new_id(),
        reservation_id=reservation_id,
        settled_on=plan.settled_on,
        held_yen=found.held_yen,
        overpaid_yen=found.overpaid_yen,
        deducted_yen=found.deducted_yen,
        netted_yen=found.netted_yen,
        remainder_yen=found.remainder_yen,
        owed_yen=found.owed_yen,
        written_at=clock.now(),
        written_by=actor,
    )


def write_allocations(session: Session, settled: Settlement, plan: SettlementPlan) -> None:
    """Insert allocations for netted entries and overpayments used, and close the deposit."""
    parts = [
        *((part.entry_id, part.yen) for part in plan.settlement.nettings),
        *((part.entry_id, -part.yen) for part in plan.settlement.draws),
    ]
    rows = [_build_allocation(settled, entry_id, yen) for entry_id, yen in parts]
    if rows:
        session.execute(insert(Allocation), rows)
    if settled.held_yen:
        session.add(
            DepositMoveRow(
                id=new_id(),
                reservation_id=settled.reservation_id,
                kind=DepositMoveKind.SETTLED,
                moved_on=settled.settled_on,
                amount_yen=settled.held_yen,
                transfer_id=None,
                settlement_id=settled.id,
                written_at=settled.written_at,
                written_by=settled.written_by,
            )
        )


def _build_allocation(settled: Settlement, entry_id: str, yen: int) -> dict[str, Any]:
    return {
        "id": new_id(),
        "entry_id": entry_id,
        "payment_id": None,
        "settlement_id": settled.id,
        "amount_yen": yen,
        "allocated_on": settled.settled_on,
        "written_at": settled.written_at,
    }


def write_deductions(work: Work, settled: Settlement, plan: SettlementPlan) -> None:
    """Insert each line, with its deduction and a charge for its uncovered part, of the same class of tax."""
    whose, on = settled.reservation_id, settled.settled_on
    taxes = tenancy_taxes(work.session, [whose], on)[whose]
    for position, planned in enumerate(plan.deductions, start=1):
        terms, share = planned.terms, planned.share
        work.session.add(
            SettlementLine(
                id=new_id(),
                settlement_id=settled.id,
                position=position,
                item=terms.item,
                note=planned.asked.label or None,
                room=terms.room,
                quantity=terms.quantity,
                unit_yen=terms.unit_yen,
                bearer=terms.bearer,
                life_months=terms.life_months,
                fitted_on=planned.fitted_on,
                used_months=share.used_months,
                cost_yen=share.cost_yen,
                resident_yen=share.resident_yen,
            )
        )
        if not share.resident_yen:
            continue
        treatment = class_of_deduction(taxes, planned.asked.category)
        work.session.add(
            DeductionRow(
                id=new_id(),
                settlement_id=settled.id,
                position=position,
                label=planned.asked.words.ja,
                label_en=planned.asked.words.en if planned.asked.terms else None,
                asked_yen=planned.asked.amount_yen,
                reached_yen=planned.reached_yen,
                tax_treatment=treatment,
                charge_id=_post_unreached(work, whose, planned, treatment),
            )
        )


def _post_unreached(
    work: Work, reservation_id: str, planned: PlannedDeduction, treatment: TaxTreatment
) -> str | None:
    """Post the charge for the uncovered part (specification, Deposit 5); return its id."""
    if not planned.unreached_yen:
        return None
    return post_charge(
        work,
        reservation_id=reservation_id,
        amount_yen=planned.unreached_yen,
        label=planned.asked.words,
        category=planned.asked.category,
        tax_treatment=treatment,
    )


def settle(
    work: Work,
    *,
    reservation_id: str,
    deductions: Sequence[AskedDeduction] = (),
    expected_version: int | None = None,
) -> SettledDeposit:
    """Post the settlement of today (specification, Deposit 5); the refund is a separate step.

    Its paper waits to be sent, and a refund file takes the refund once that is answered.

    Raises `Refused` for a reservation that has not ended, that was settled before, or that has
    nothing to settle, and for a deduction without a name or a positive amount.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    plan = plan_settlement(work.session, row, deductions, work.clock.today())
    settled = settlement_row(row.id, plan, work.clock, work.actor)
    with _settled_once():
        work.session.add(settled)
        work.session.flush()
    write_allocations(work.session, settled, plan)
    write_deductions(work, settled, plan)
    work.session.add(SettlementPaper(id=new_id(), settlement_id=settled.id, nonce=new_token()))
    row.lifecycle = lifecycle_on(row, work.clock.today())
    move_lifecycle(row, Lifecycle.SETTLED)
    mark_changed(row, work.clock, work.actor)
    facts = {
        "held_yen": settled.held_yen,
        "deducted_yen": settled.deducted_yen,
        "netted_yen": settled.netted_yen,
        "remainder_yen": settled.remainder_yen,
        "owed_yen": settled.owed_yen,
    }
    note_change(work, AuditEvent.DEPOSIT_SETTLED, row, also=facts)
    work.session.flush()
    found = settlement_of(work.session, row.id)
    assert found is not None
    return found


@contextmanager
def _settled_once() -> Iterator[None]:
    try:
        yield
    except IntegrityError as second:
        raise refusal_of_second_settlement() from second
