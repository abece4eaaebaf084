"""Supplier orders in a list and on a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.catalogue.models import Building
from pms.channels.models import SupplierOrder, SupplierOrderLine
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import FeeCategory, ProjectState
from pms.rules.message_words import OrderDoubt, OrderState
from pms.rules.upkeep_cost import NamedProject, doubt_of_order, project_number, read_project_number
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_lists import ProjectRecord, ProjectSearch, open_projects, project_list
from pms.upkeep.task_visibility import holds_words


class OrderSearch(NamedTuple):
    """The filters of a list of orders; an unset filter excludes nothing."""

    state: OrderState | None = OrderState.NEW
    building_id: str | None = None
    text: str = ""


class ListedOrder(NamedTuple):
    """One order of a list, with the project it is matched to or names."""

    id: str
    supplier: str
    order_number: str
    ordered_on: date
    total_yen: int
    state: OrderState
    received_at: datetime
    repeats_id: str | None
    named_number: int | None
    project_id: str | None
    note: str | None
    building_id: str | None
    project_number: int | None
    project_title: str | None
    project_state: ProjectState | None
    project_building_id: str | None
    key_name: str | None
    key_hint: str | None
    building: Bilingual

    @property
    def named_project(self) -> str | None:
        """The project number it names, in standard form, known here or not."""
        return None if self.named_number is None else project_number(self.named_number)

    @property
    def project(self) -> str | None:
        """The matched project; before the match, the known project that it names."""
        return None if self.project_number is None else project_number(self.project_number)

    @property
    def doubt(self) -> OrderDoubt | None:
        """Why it waits, by the current data."""
        if self.state is not OrderState.NEW:
            return None
        known = None
        if self.project_state is not None and self.project_building_id is not None:
            known = NamedProject(self.project_state, self.project_building_id)
        is_repeated = self.repeats_id is not None
        return doubt_of_order(self.named_number, known, self.building_id, is_repeated=is_repeated)


class FoundOrders(NamedTuple):
    """One page of orders, and the number of all."""

    orders: Sequence[ListedOrder]
    total: int


# A matched order has its project's id; before the match the named number finds the project.
_ITS_PROJECT: Final = and_(
    MaintenanceProject.workspace_id == SupplierOrder.workspace_id,
    or_(
        MaintenanceProject.id == SupplierOrder.project_id,
        and_(
            SupplierOrder.project_id.is_(None),
            MaintenanceProject.number == SupplierOrder.named_number,
        ),
    ),
)
COLUMNS: Final = (
    SupplierOrder.id,
    SupplierOrder.supplier,
    SupplierOrder.order_number,
    SupplierOrder.ordered_on,
    SupplierOrder.total_yen,
    SupplierOrder.state,
    SupplierOrder.received_at,
    SupplierOrder.repeats_id,
    SupplierOrder.named_number,
    SupplierOrder.project_id,
    SupplierOrder.note,
    SupplierOrder.building_id,
    MaintenanceProject.number,
    MaintenanceProject.title,
    MaintenanceProject.state,
    MaintenanceProject.building_id,
    ApiKey.name,
    ApiKey.hint,
    Building.name,
    Building.name_en,
)
WIDTH: Final = len(COLUMNS)
ORDERS: Final[Any] = (
    select(*COLUMNS)
    .select_from(SupplierOrder)
    .outerjoin(MaintenanceProject, _ITS_PROJECT)
    .outerjoin(
        Building,
        and_(
            Building.workspace_id == SupplierOrder.workspace_id,
            Building.id == func.coalesce(SupplierOrder.building_id, MaintenanceProject.building_id),
        ),
    )
    .outerjoin(ApiKey, refers_to(SupplierOrder.key_id, ApiKey))
    .order_by(SupplierOrder.received_at.desc(), SupplierOrder.id.desc())
)


def list_orders(session: Session, search: OrderSearch, paging: Paging) -> FoundOrders:
    """Return one page of the matching orders."""
    asked = list(_list_conditions(search))
    count = (
        select(func.count()).select_from(SupplierOrder).outerjoin(MaintenanceProject, _ITS_PROJECT)
    )
    total = session.scalar(count.where(*asked)) or 0
    page = ORDERS.where(*asked).offset(min(paging.offset, total)).limit(paging.limit)
    rows: Iterable[Any] = session.execute(page)
    return FoundOrders([listed_order(row) for row in rows], total)


def count_orders(session: Session) -> Mapping[OrderState, int]:
    """Return the number of orders in each state that has any."""
    rows = session.execute(select(SupplierOrder.state, func.count()).group_by(SupplierOrder.state))
    return {row[0]: row[1] for row in rows}


def listed_order(row: Sequence[Any]) -> ListedOrder:
    """Return a result row as an order."""
    *facts, ja, en = row[:WIDTH]
    return ListedOrder._make((*facts, Bilingual(ja, en)))


def _list_conditions(search: OrderSearch) -> Iterator[ColumnElement[bool]]:
    if search.state:
        yield SupplierOrder.state == search.state
    if search.building_id:
        yield (
            func.coalesce(SupplierOrder.building_id, MaintenanceProject.building_id)
            == search.building_id
        )
    if search.text:
        text = search.text
        in_lines = (
            select(SupplierOrderLine.id)
            .where(
                refers_to(SupplierOrderLine.order_id, SupplierOrder),
                holds_words(text, SupplierOrderLine.description),
            )
            .exists()
        )
        number = read_project_number(text)
        in_order = holds_words(text, SupplierOrder.supplier, SupplierOrder.order_number)
        found = or_(in_order, in_lines)
        contains_text = found if number is None else or_(MaintenanceProject.number == number, found)
        yield contains_text


_FEW = 8


class OrderLine(NamedTuple):
    """One line of an order, in whole yen."""

    description: str
    quantity: int
    unit_price_yen: int
    category: FeeCategory

    @property
    def yen(self) -> int:
        """The cost of the line, in yen."""
        return self.quantity * self.unit_price_yen


class OrderRecord(NamedTuple):
    """One order, and the projects it may belong to."""

    order: ListedOrder
    received_by: str
    external_id: str | None
    lines: Sequence[OrderLine]
    others: Sequence[ListedOrder]
    suggested: Sequence[ProjectRecord]


def order_record(session: Session, order_id: str) -> OrderRecord:
    """Return the order; raise `NotFound` for an unknown id."""
    row: Any = None
    if is_id(order_id):
        question = ORDERS.add_columns(SupplierOrder.received_by, SupplierOrder.external_id)
        row = session.execute(question.where(SupplierOrder.id == order_id)).first()
    if row is None:
        raise no_such("order", order_id)
    order = listed_order(row)
    received_by, external_id = row[WIDTH:]
    first = order.repeats_id or order.id
    wanted = (SupplierOrder.id == first) | (SupplierOrder.repeats_id == first)
    question = ORDERS.where(wanted, SupplierOrder.id != order.id).limit(_FEW)
    others = [listed_order(row) for row in session.execute(question)]
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
    if order.state is OrderState.NEW:
        # The open projects of the order's building, else the newest open ones.
        if order.building_id is not None:
            suggested = open_projects(session, order.building_id)[:_FEW]
        else:
            suggested = project_list(session, ProjectSearch(), Paging(1, _FEW)).projects
    else:
        suggested = ()
    return OrderRecord(
        order=order,
        received_by=received_by,
        external_id=external_id,
        lines=[OrderLine(*row) for row in rows],
        others=others,
        suggested=suggested,
    )
