"""Settles a reservation's money, once: deductions, netting of what is unpaid, the remainder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.queries import SettledDeposit, settlement_of
from pms.deposits.settlement_plan import plan_settlement
from pms.deposits.settlement_refusals import AskedDeduction, already_settled, lifecycle_on
from pms.deposits.settlement_rows import settlement_row, write_allocations, write_deductions
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle


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
    settled = settlement_row(row.id, plan, clock, actor)
    with _settled_once():
        session.add(settled)
        session.flush()
    write_allocations(session, settled, plan)
    write_deductions(session, clock, actor, settled, plan)
    row.lifecycle = lifecycle_on(row, clock.today())
    move_lifecycle(row, Lifecycle.SETTLED)
    mark_changed(row, clock, actor)
    told = {
        "held_yen": settled.held_yen,
        "deducted_yen": settled.deducted_yen,
        "netted_yen": settled.netted_yen,
        "remainder_yen": settled.remainder_yen,
        "owed_yen": settled.owed_yen,
    }
    note_change(session, clock, actor, Deed.DEPOSIT_SETTLED, row, also=told)
    session.flush()
    found = settlement_of(session, row.id)
    assert found is not None
    return found


@contextmanager
def _settled_once() -> Iterator[None]:
    try:
        yield
    except IntegrityError as second:
        raise already_settled() from second
