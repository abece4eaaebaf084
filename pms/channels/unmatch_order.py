"""Takes a supplier's order out of its project: the purchases it became cost nothing any more."""

from sqlalchemy.orm import Session

from pms.channels.order_in_hand import lines_in_hand, order_of_state, step_order
from pms.foundation.clock import Clock
from pms.rules.channel_words import OrderState
from pms.rules.deeds import Deed
from pms.upkeep.remove_purchase import remove_purchase


def unmatch_order(session: Session, clock: Clock, actor: str, *, order_id: str) -> None:
    """Take the purchases back; raise `Refused` when the project is over, or nothing is matched."""
    row = order_of_state(session, order_id, OrderState.MATCHED)
    for line in lines_in_hand(session, row.id):
        if line.purchase_id is not None and row.project_id is not None:
            remove_purchase(
                session,
                clock,
                actor,
                project_id=row.project_id,
                purchase_id=line.purchase_id,
            )
            line.purchase_id = None
    step_order(session, clock, actor, row, (OrderState.NEW, Deed.ORDER_UNMATCHED))
    row.project_id = None
    session.flush()
