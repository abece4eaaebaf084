"""One supplier's order as it stands: its lines, the one it repeats, and the projects that suggest themselves."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.channels.order_in_hand import no_order
from pms.channels.order_list import ORDERS, WIDTH, ListedOrder, listed_order
from pms.foundation.ids import is_id
from pms.foundation.paging import Paging
from pms.rules.channel_words import OrderState
from pms.rules.enumerations import FeeCategory
from pms.upkeep.project_list import ProjectSearch, open_projects, project_list
from pms.upkeep.project_record import ProjectRecord

_FEW = 8


class OrderLine(NamedTuple):
    """One thing of an order, in whole yen."""

    description: str
    quantity: int
    unit_price_yen: int
    category: FeeCategory

    @property
    def yen(self) -> int:
        """What the line costs."""
        return self.quantity * self.unit_price_yen


class OrderRecord(NamedTuple):
    """One order, and where it may belong."""

    order: ListedOrder
    received_by: str
    external_id: str | None
    lines: Sequence[OrderLine]
    others: Sequence[ListedOrder]
    suggested: Sequence[ProjectRecord]


def order_record(session: Session, order_id: str) -> OrderRecord:
    """Return the order; raise `NotFound` for an id of nobody here."""
    row: Any = None
    if is_id(order_id):
        question = ORDERS.add_columns(SupplierOrder.received_by, SupplierOrder.external_id)
        row = session.execute(question.where(SupplierOrder.id == order_id)).first()
    if row is None:
        raise no_order(order_id)
    order = listed_order(row)
    received_by, external_id = row[WIDTH:]
    return OrderRecord(
        order=order,
        received_by=received_by,
        external_id=external_id,
        lines=_lines(session, order_id),
        others=_others(session, order),
        suggested=_suggested(session, order) if order.state is OrderState.NEW else (),
    )


def _lines(session: Session, order_id: str) -> Sequence[OrderLine]:
    rows = session.execute(
        select(
            SupplierOrderLine.description,
            SupplierOrderLine.quantity,
            SupplierOrderLine.unit_price_yen,
            SupplierOrderLine.category,
        )
        .where(SupplierOrderLine.order_id == order_id)
        .order_by(SupplierOrderLine.position)
    )
    return [OrderLine(*row) for row in rows]


def _others(session: Session, order: ListedOrder) -> Sequence[ListedOrder]:
    """The order that this one repeats, and those that repeat either."""
    first = order.repeats_id or order.id
    wanted = (SupplierOrder.id == first) | (SupplierOrder.repeats_id == first)
    question = ORDERS.where(wanted, SupplierOrder.id != order.id).limit(_FEW)
    return [listed_order(row) for row in session.execute(question)]


def _suggested(session: Session, order: ListedOrder) -> Sequence[ProjectRecord]:
    """The open projects of the order's building, else the newest open ones."""
    if order.building_id is not None:
        return open_projects(session, order.building_id)[:_FEW]
    return project_list(session, ProjectSearch(), Paging(1, _FEW)).projects
