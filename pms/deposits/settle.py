"""Settles a reservation's money, once: deductions, netting of what is unpaid, the remainder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.models import DeductionRow, Settlement
from pms.deposits.queries import SettledDeposit, settlement_of
from pms.deposits.settlement_plan import (
    AskedDeduction,
    PlannedDeduction,
    SettlementPlan,
    already_settled,
    lifecycle_on,
    plan_settlement,
)
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, DepositMoveRow
from pms.ledger.post_charge import post_charge
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.rules.enumerations import DepositMoveKind, Lifecycle


def settle(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    deductions: Sequence[AskedDeduction] = (),
    expected_version: int | None = None,
) -> SettledDeposit:
    """Write the settlement of today (specification, Deposit 5); the refund is a step of its own.

    Raises `Refused` for a reservation that nobody has left, that was settled before, or that has
    nothing to settle, and for a deduction without a name or a positive amount.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    plan = plan_settlement(session, row, deductions, clock.today())
    settled = _settlement(row.id, plan, clock, actor)
    with _settled_once():
        session.add(settled)
        session.flush()
    _write_allocations(session, settled, plan)
    _write_deductions(session, clock, actor, settled, plan)
    row.lifecycle = lifecycle_on(row, clock.today())
    move_lifecycle(row, Lifecycle.SETTLED)
    mark_changed(row, clock, actor)
    session.flush()
    found = settlement_of(session, row.id)
    assert found is not None
    return found


@contextmanager
def _settled_once() -> Iterator[None]:
    try:
        yield
    except IntegrityError as second:
        raise Refused(already_settled()) from second


def _settlement(reservation_id: str, plan: SettlementPlan, clock: Clock, actor: str) -> Settlement:
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


def _write_allocations(session: Session, settled: Settlement, plan: SettlementPlan) -> None:
    """Netted entries are paid, draws leave the entries they lay on, one line closes the deposit."""
    parts = [
        *((part.entry_id, part.yen) for part in plan.settlement.nettings),
        *((part.entry_id, -part.yen) for part in plan.settlement.draws),
    ]
    rows = [_allocation(settled, entry_id, yen) for entry_id, yen in parts]
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


def _allocation(settled: Settlement, entry_id: str, yen: int) -> dict[str, Any]:
    return {
        "id": new_id(),
        "entry_id": entry_id,
        "payment_id": None,
        "settlement_id": settled.id,
        "amount_yen": yen,
        "allocated_on": settled.settled_on,
        "written_at": settled.written_at,
    }


def _write_deductions(
    session: Session, clock: Clock, actor: str, settled: Settlement, plan: SettlementPlan
) -> None:
    for position, planned in enumerate(plan.deductions, start=1):
        session.add(
            DeductionRow(
                id=new_id(),
                settlement_id=settled.id,
                position=position,
                label=planned.asked.label,
                asked_yen=planned.asked.amount_yen,
                reached_yen=planned.reached_yen,
                charge_id=_charge_id(session, clock, actor, settled.reservation_id, planned),
            )
        )


def _charge_id(
    session: Session, clock: Clock, actor: str, reservation_id: str, planned: PlannedDeduction
) -> str | None:
    """Charge what the deduction did not reach (specification, Deposit 5)."""
    if not planned.unreached_yen:
        return None
    return post_charge(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        amount_yen=planned.unreached_yen,
        label=Bilingual(planned.asked.label, planned.asked.label),
        category=planned.asked.category,
    )
