"""Takes a supplier's order in hand to change it: locked, and as it is now."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.channel_words import OrderState
from pms.rules.deeds import Deed


def order_in_hand(session: Session, order_id: str) -> SupplierOrder:
    """Return the order, locked; raise `NotFound` for an id of nobody here."""
    found = None
    if is_id(order_id):
        question = select(SupplierOrder).where(SupplierOrder.id == order_id).with_for_update()
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise no_order(order_id)
    return found


def order_of_state(session: Session, order_id: str, wanted: OrderState) -> SupplierOrder:
    """Return the order, locked; raise `Refused` unless it is in the state that a deed begins at."""
    row = order_in_hand(session, order_id)
    if row.state is not wanted:
        raise Refused(
            "state: this order is {state}; only one that is {wanted} can be changed so.",
            state=row.state,
            wanted=wanted,
        )
    return row


def lines_in_hand(session: Session, order_id: str) -> Sequence[SupplierOrderLine]:
    """Return the lines of an order in their order."""
    question = select(SupplierOrderLine).where(SupplierOrderLine.order_id == order_id)
    return session.scalars(question.order_by(SupplierOrderLine.position)).all()


def step_order(
    session: Session,
    clock: Clock,
    actor: str,
    row: SupplierOrder,
    step: tuple[OrderState, Deed],
    **also: str,
) -> None:
    """Write the state an order comes into by a deed, with who and when."""
    into, deed = step
    told = {"order_number": row.order_number, **also}
    row.state = into
    row.version += 1
    row.changed_at, row.changed_by = clock.now(), actor
    note_deed(session, clock, actor, deed, subject_of(row), after=told)
    session.flush()


def no_order(order_id: str) -> NotFound:
    """Return the refusal of an order that is not here."""
    return NotFound("There is no order '{order_id}'.", order_id=order_id[:60])
