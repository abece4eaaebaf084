"""Supplier orders: receiving, matching and setting aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    LONGEST_NAME,
    check_number,
    check_text,
    needed_text,
    shorten_text,
)
from pms.catalogue.models import Building
from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import known_once, new_id
from pms.foundation.work import Work, has_row, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory
from pms.rules.message_words import OrderDoubt, OrderState
from pms.rules.upkeep_cost import (
    PURCHASE_CATEGORIES,
    NamedProject,
    doubt_of_order,
    known_order,
    project_number,
    read_project_number,
)
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_lines import MOST_YEN, add_purchase, remove_purchase
from pms.upkeep.project_lists import project_record


def order_of_state(session: Session, order_id: str, wanted: OrderState) -> SupplierOrder:
    """Return the order, locked; raise `Refused` if it is in none of the wanted states."""
    row = locked(session, SupplierOrder, order_id)
    if row.state is not wanted:
        raise Refused(
            "state: this order is {state}. Only one that is {wanted} can be changed this way.",
            state=row.state,
            wanted=wanted,
        )
    return row


def lines_of_order(session: Session, order_id: str) -> Sequence[SupplierOrderLine]:
    """Return the lines of an order, in order."""
    question = select(SupplierOrderLine).where(SupplierOrderLine.order_id == order_id)
    return session.scalars(question.order_by(SupplierOrderLine.position)).all()


def step_order(
    work: Work, row: SupplierOrder, step: tuple[OrderState, AuditEvent], **also: str
) -> None:
    """Set the state that an audit event leads to, with who and when."""
    into, audit_event = step
    facts = {"order_number": row.order_number, **also}
    row.state = into
    row.version += 1
    row.changed_at, row.changed_by = work.clock.now(), work.actor
    note_audit_event(work, audit_event, subject_of(row), after=facts)
    work.session.flush()


_SHOWN: Final = 40


def match_order(work: Work, *, order_id: str, number: str | None) -> str:
    """Match an order to the project of this number; return the project's id.

    Raises `Refused` for an unknown number, a project that is over, and an order that is already
    matched or set aside.
    """
    row = order_of_state(work.session, order_id, OrderState.NEW)
    wanted = read_project_number(number or "")
    project_id = None
    if wanted is not None:
        question = select(MaintenanceProject.id).where(MaintenanceProject.number == wanted)
        project_id = work.session.scalar(question)
    if project_id is None:
        raise Refused(
            "projectNumber: project '{number}' was not found.", number=(number or "")[:_SHOWN]
        )
    try:
        lines = lines_of_order(work.session, row.id)
        buy_lines(work, row=row, lines=lines, project_id=project_id)
    except Refused as refusal:
        raise refusal.beside("projectNumber") from refusal
    return project_id


def buy_lines(
    work: Work, *, row: SupplierOrder, lines: Sequence[SupplierOrderLine], project_id: str
) -> None:
    """Add a purchase for each line with a cost, and note the match."""
    for line in lines:
        if line.unit_price_yen:
            line.purchase_id = add_purchase(
                work,
                project_id=project_id,
                bought_on=row.ordered_on,
                what=line.description
                if line.quantity == 1
                else f"{line.description} × {line.quantity}",
                amount_yen=line.quantity * line.unit_price_yen,
                shop=row.supplier,
                category=line.category,
            )
    row.project_id = project_id
    number = project_record(work.session, project_id).name
    step = (OrderState.MATCHED, AuditEvent.ORDER_MATCHED)
    step_order(work, row, step, project_number=number)


def unmatch_order(work: Work, *, order_id: str) -> None:
    """Remove the purchases; raise `Refused` when the project is over or nothing is matched."""
    row = order_of_state(work.session, order_id, OrderState.MATCHED)
    for line in lines_of_order(work.session, row.id):
        if line.purchase_id is not None and row.project_id is not None:
            remove_purchase(work, project_id=row.project_id, purchase_id=line.purchase_id)
            line.purchase_id = None
    step_order(work, row, (OrderState.NEW, AuditEvent.ORDER_UNMATCHED))
    row.project_id = None
    work.session.flush()


def take_order_back(work: Work, *, order_id: str) -> None:
    """Put a set-aside order back to waiting; raise `Refused` for any other."""
    row = order_of_state(work.session, order_id, OrderState.SET_ASIDE)
    row.note = None
    step_order(work, row, (OrderState.NEW, AuditEvent.ORDER_TAKEN_BACK))


def set_order_aside(work: Work, *, order_id: str, why: str | None = None) -> None:
    """Set an order aside with a reason; a matched order is unmatched first."""
    row = order_of_state(work.session, order_id, OrderState.NEW)
    row.note = check_text("why", why, LONGEST_LINE)
    step_order(work, row, (OrderState.SET_ASIDE, AuditEvent.ORDER_SET_ASIDE))


MOST_ITEMS: Final = 100
MOST_PIECES: Final = 100_000
LONGEST_ITEM: Final = 150
USUAL_CATEGORY: Final = FeeCategory.REPAIR
"""The category of an item when the supplier states none: material for a repair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenItem:
    """One line: a number of pieces, each at its paid price in whole yen."""

    description: str | None
    quantity: int
    unit_price_yen: int
    category: FeeCategory = USUAL_CATEGORY

    @property
    def yen(self) -> int:
        """The cost of the line, in yen."""
        return self.quantity * self.unit_price_yen


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOrder:
    """An order as its supplier reports it."""

    supplier: str | None
    order_number: str | None
    ordered_on: date
    items: Sequence[WrittenItem]
    total_yen: int
    building_id: str | None = None
    project_number: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedOrder:
    """A checked order; the descriptions are those of the items, in order."""

    supplier: str
    order_number: str
    building_id: str | None
    number: int | None
    descriptions: Sequence[str]


def check_order(session: Session, clock: Clock, order: WrittenOrder) -> CheckedOrder:
    """Return the checked order; raise `Refused` naming a wrong field, since nothing is corrected.

    Raises `NotFound` for an unknown building.
    """
    if order.ordered_on > clock.today():
        raise Refused(
            "orderedOn: {day} is in the future. Enter today or earlier.", day=order.ordered_on
        )
    if not 1 <= len(order.items) <= MOST_ITEMS:
        raise Refused(
            "items: there are {count}. Enter 1 to {most}.",
            count=len(order.items),
            most=MOST_ITEMS,
        )
    descriptions: list[str] = []
    for place, item in enumerate(order.items):
        within = f"items[{place}]"
        description = needed_text(f"{within}.description", item.description, LONGEST_ITEM)
        check_number(f"{within}.quantity", item.quantity, 1, MOST_PIECES)
        check_number(f"{within}.unitPrice", item.unit_price_yen, 0, MOST_YEN)
        if item.yen > MOST_YEN:
            raise Refused(
                "{field}: the line costs {yen}. At most {most} yen are possible.",
                field=f"{within}.quantity",
                yen=item.yen,
                most=MOST_YEN,
            )
        if item.category not in PURCHASE_CATEGORIES:
            raise Refused(
                "{field}: '{category}' is not one of {allowed}.",
                field=f"{within}.category",
                category=item.category,
                allowed=", ".join(PURCHASE_CATEGORIES),
            )
        descriptions.append(description)
    total = sum(item.yen for item in order.items)
    if total != order.total_yen:
        raise Refused(
            "total: {total} is not the total of the items, {sum}.", total=order.total_yen, sum=total
        )
    return CheckedOrder(
        needed_text("supplier", order.supplier, LONGEST_NAME),
        needed_text("orderNumber", order.order_number, LONGEST_NAME),
        _check_building(session, order.building_id),
        _check_project_number(order.project_number),
        descriptions,
    )


def _check_building(session: Session, building_id: str | None) -> str | None:
    if not building_id:
        return None
    if not has_row(session, Building, building_id):
        raise NotFound(
            "buildingId: building '{building_id}' was not found.", building_id=building_id[:60]
        )
    return building_id


def _check_project_number(text: str | None) -> int | None:
    if not text:
        return None
    number = read_project_number(text)
    if number is None:
        raise Refused(
            "projectNumber: '{text}' is not a project number such as PRJ-0042.",
            text=shorten_text(text),
        )
    return number


class ReceivedOrder(NamedTuple):
    """The result: the project it was matched to, or why it waits for a person."""

    id: str
    matched_to: str | None
    doubt: OrderDoubt | None
    repeats_id: str | None


def receive_order(
    work: Work, *, order: WrittenOrder, key_id: str | None = None, external_id: str | None = None
) -> ReceivedOrder:
    """Store an order with its lines, and match it when the project is certain.

    Raises `Refused` naming a wrong field, and `Collision` for a known `external_id`. Without an
    `external_id` a repeated order is stored again and marked, and is not matched automatically.
    """
    known_as = check_text("externalId", external_id, LONGEST_LINE)
    checked = check_order(work.session, work.clock, order)
    # Lock the project before looking for repeats: a second order that names it waits here.
    number = checked.number
    if number is None:
        project = None
    else:
        question = select(MaintenanceProject).where(MaintenanceProject.number == number)
        project = work.session.scalar(
            question.with_for_update().execution_options(populate_existing=True)
        )
    row = _new_order(work, order, checked)
    row.external_id, row.key_id = known_as, key_id
    noted = {"order_number": row.order_number, "total_yen": row.total_yen}
    with known_once(work.session, SupplierOrder.external_id, known_as):
        work.session.add(row)
        note_audit_event(work, AuditEvent.ORDER_RECEIVED, subject_of(row), after=noted)
    lines = [
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
    work.session.add_all(lines)
    work.session.flush()
    facts = None if project is None else NamedProject(project.state, project.building_id)
    doubt = doubt_of_order(
        row.named_number, facts, row.building_id, is_repeated=row.repeats_id is not None
    )
    if doubt is None and project is not None:
        buy_lines(work, row=row, lines=lines, project_id=project.id)
    matched_to = project_number(project.number) if project is not None and doubt is None else None
    return ReceivedOrder(row.id, matched_to, doubt, row.repeats_id)


def _new_order(work: Work, order: WrittenOrder, checked: CheckedOrder) -> SupplierOrder:
    return SupplierOrder(
        id=new_id(),
        supplier=checked.supplier,
        order_number=checked.order_number,
        ordered_on=order.ordered_on,
        building_id=checked.building_id,
        named_number=checked.number,
        total_yen=order.total_yen,
        # The first order of the same supplier and number, whatever the spelling.
        repeats_id=work.session.scalar(
            select(SupplierOrder.id)
            .where(SupplierOrder.known_as == known_order(checked.supplier, checked.order_number))
            .order_by(SupplierOrder.received_at, SupplierOrder.id)
            .limit(1)
        ),
        state=OrderState.NEW,
        received_at=work.clock.now(),
        received_by=work.actor,
        changed_at=work.clock.now(),
        changed_by=work.actor,
        version=1,
    )
