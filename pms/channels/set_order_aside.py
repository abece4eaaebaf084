"""Sets a supplier's order aside that becomes no cost: a repetition, a cancelled or a wrong one."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_text
from pms.channels.order_in_hand import order_of_state, step_order
from pms.foundation.clock import Clock
from pms.rules.channel_words import OrderState
from pms.rules.deeds import Deed


def set_order_aside(
    session: Session, clock: Clock, actor: str, *, order_id: str, why: str | None = None
) -> None:
    """Keep the order with the words why; a matched one is taken out of its project first."""
    row = order_of_state(session, order_id, OrderState.NEW)
    row.note = checked_text("why", why, LONGEST_LINE)
    step_order(session, clock, actor, row, (OrderState.SET_ASIDE, Deed.ORDER_SET_ASIDE))
