"""The suppliers' orders: what was ordered, for which project, and what waits to be matched."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.catalogue.building_names import building_names
from pms.channels.order_list import FoundOrders, count_orders, list_orders
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.supplier_orders.orders_form import OrdersForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block


@dashboard.get("/supplier-orders", roles=MAINTENANCE)
def supplier_orders() -> Response:
    """Show one page of the orders."""
    form, paging = OrdersForm(request.args), asked_paging()
    form.offer(building_names(reading()))
    is_sound = form.validate()
    found = list_orders(reading(), form.wanted, paging) if is_sound else FoundOrders([], 0)
    response = page_or_block(
        "dashboard/supplier_orders/orders.html",
        "results",
        form=form,
        found=found,
        counts=count_orders(reading()),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
