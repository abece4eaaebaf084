"""One supplier's order: its lines, where it came from, and the projects that may bear it."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response

from pms.channels.order_record import order_record
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.supplier_orders.matching_form import MatchingForm
from pms.surfaces.hypermedia import page


@dashboard.get("/supplier-orders/<order_id>", roles=MAINTENANCE)
def supplier_order(order_id: str) -> Response:
    """Show the order."""
    return shown(order_id, MatchingForm())


def shown(order_id: str, form: MatchingForm) -> Response:
    """Show the order with a number as far as it is typed; the one it names stands there first."""
    record = order_record(reading(), order_id)
    if not form.projectNumber.data and not form.errors:
        form.projectNumber.data = record.order.named
    return page("dashboard/supplier_orders/order.html", record=record, one=record.order, form=form)
