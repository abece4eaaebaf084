"""Takes a supplier's order back that was set aside: it waits to be matched again."""

from sqlalchemy.orm import Session

from pms.channels.order_in_hand import order_of_state, step_order
from pms.foundation.clock import Clock
from pms.rules.channel_words import OrderState
from pms.rules.deeds import Deed


def take_order_back(session: Session, clock: Clock, actor: str, *, order_id: str) -> None:
    """Have the order wait again; raise `Refused` unless it was set aside."""
    row = order_of_state(session, order_id, OrderState.SET_ASIDE)
    row.note = None
    step_order(session, clock, actor, row, (OrderState.NEW, Deed.ORDER_TAKEN_BACK))
