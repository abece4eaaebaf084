"""Matches a supplier's order to a project: each of its lines becomes a purchase there."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.channels.order_in_hand import lines_in_hand, order_of_state, step_order
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.channel_words import OrderState
from pms.rules.deeds import Deed
from pms.rules.project_number import read_project_number
from pms.upkeep.add_purchase import add_purchase
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_record import project_record

_SHOWN: Final = 40


def match_order(
    session: Session, clock: Clock, actor: str, *, order_id: str, number: str | None
) -> str:
    """Return the id of the project of this number, which bears the order from now on.

    Raises `Refused` for a number of no project and a project that is over, and for an order that
    is matched or set aside.
    """
    row = order_of_state(session, order_id, OrderState.NEW)
    wanted = read_project_number(number or "")
    project_id = None
    if wanted is not None:
        question = select(MaintenanceProject.id).where(MaintenanceProject.number == wanted)
        project_id = session.scalar(question)
    if project_id is None:
        raise Refused(
            "projectNumber: there is no project '{number}'.", number=(number or "")[:_SHOWN]
        )
    try:
        lines = lines_in_hand(session, row.id)
        buy_lines(session, clock, actor, row=row, lines=lines, project_id=project_id)
    except Refused as refusal:
        raise refusal.beside("projectNumber") from refusal
    return project_id


def buy_lines(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    row: SupplierOrder,
    lines: Sequence[SupplierOrderLine],
    project_id: str,
) -> None:
    """Add a purchase for each line that costs anything, and note the match."""
    for line in lines:
        if line.unit_price_yen:
            line.purchase_id = add_purchase(
                session,
                clock,
                actor,
                project_id=project_id,
                bought_on=row.ordered_on,
                what=_what(line),
                amount_yen=line.quantity * line.unit_price_yen,
                shop=row.supplier,
                category=line.category,
            )
    row.project_id = project_id
    number = project_record(session, project_id).name
    step = (OrderState.MATCHED, Deed.ORDER_MATCHED)
    step_order(session, clock, actor, row, step, project_number=number)


def _what(line: SupplierOrderLine) -> str:
    return line.description if line.quantity == 1 else f"{line.description} × {line.quantity}"
