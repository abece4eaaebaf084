"""Takes in what a supplier says was ordered; one that names an open project becomes its cost at once."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_text
from pms.channels.match_order import buy_lines
from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.channels.written_order import CheckedOrder, WrittenOrder, checked_order
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.external_ids import known_once
from pms.foundation.ids import new_id
from pms.rules.channel_words import OrderDoubt, OrderState
from pms.rules.deeds import Deed
from pms.rules.order_matching import NamedProject, doubt_of_order, known_order
from pms.rules.project_number import project_number
from pms.upkeep.models import MaintenanceProject


class ReceivedOrder(NamedTuple):
    """What became of it: the project it was matched to, or why it waits for a person."""

    id: str
    matched_to: str | None
    doubt: OrderDoubt | None
    repeats_id: str | None


def receive_order(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    order: WrittenOrder,
    key_id: str | None = None,
    external_id: str | None = None,
) -> ReceivedOrder:
    """Store the order with its lines, and match it where the cost is certain.

    Raises `Refused` naming the field at fault, and `Collision` for an `external_id` that came
    before. Without one a repeated order is stored once more, marked, and costs nothing by itself.
    """
    known_as = checked_text("externalId", external_id, LONGEST_LINE)
    checked = checked_order(session, clock, order)
    # Locked before repetitions are looked for: of two that name one project the second waits here.
    project = _named_project(session, checked.number)
    row = SupplierOrder(
        id=new_id(),
        supplier=checked.supplier,
        order_number=checked.order_number,
        ordered_on=order.ordered_on,
        building_id=checked.building_id,
        named_number=checked.number,
        total_yen=order.total_yen,
        external_id=known_as,
        key_id=key_id,
        repeats_id=_earlier(session, checked),
        state=OrderState.NEW,
        received_at=clock.now(),
        received_by=actor,
        changed_at=clock.now(),
        changed_by=actor,
        version=1,
    )
    told = {"order_number": row.order_number, "total_yen": row.total_yen}
    with known_once(session, SupplierOrder.external_id, known_as):
        session.add(row)
        note_deed(session, clock, actor, Deed.ORDER_RECEIVED, subject_of(row), after=told)
    lines = _lines(row, order, checked)
    session.add_all(lines)
    session.flush()
    facts = None if project is None else NamedProject(project.state, project.building_id)
    doubt = doubt_of_order(
        row.named_number, facts, row.building_id, is_repeated=row.repeats_id is not None
    )
    if doubt is None and project is not None:
        buy_lines(session, clock, actor, row=row, lines=lines, project_id=project.id)
    matched_to = project_number(project.number) if project is not None and doubt is None else None
    return ReceivedOrder(row.id, matched_to, doubt, row.repeats_id)


def _lines(
    row: SupplierOrder, order: WrittenOrder, checked: CheckedOrder
) -> list[SupplierOrderLine]:
    return [
        SupplierOrderLine(
            id=new_id(),
            order_id=row.id,
            position=place,
            description=description,
            quantity=item.quantity,
            unit_price_yen=item.unit_price_yen,
            category=item.category,
        )
        for place, (item, description) in enumerate(
            zip(order.items, checked.descriptions, strict=True), start=1
        )
    ]


def _named_project(session: Session, number: int | None) -> MaintenanceProject | None:
    if number is None:
        return None
    question = select(MaintenanceProject).where(MaintenanceProject.number == number)
    return session.scalar(question.with_for_update().execution_options(populate_existing=True))


def _earlier(session: Session, checked: CheckedOrder) -> str | None:
    """The first order of the same supplier under the same number, however either was typed."""
    return session.scalar(
        select(SupplierOrder.id)
        .where(SupplierOrder.known_as == known_order(checked.supplier, checked.order_number))
        .order_by(SupplierOrder.received_at, SupplierOrder.id)
        .limit(1)
    )
