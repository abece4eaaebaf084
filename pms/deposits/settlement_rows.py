"""Writes the rows of a settlement as it was worked out."""

from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.deposits.models import DeductionRow, Settlement
from pms.deposits.settlement_plan import PlannedDeduction, SettlementPlan
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, DepositMoveRow
from pms.ledger.post_charge import post_charge
from pms.rules.enumerations import DepositMoveKind


def settlement_row(
    reservation_id: str, plan: SettlementPlan, clock: Clock, actor: str
) -> Settlement:
    """Return the settlement itself, still to be written."""
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


def write_deductions(
    session: Session, clock: Clock, actor: str, settled: Settlement, plan: SettlementPlan
) -> None:
    """Write each deduction, and a charge for what it did not reach."""
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
