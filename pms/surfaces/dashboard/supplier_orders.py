"""Suppliers' orders, which become purchases of projects."""

from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.channels import order_lists, orders
from pms.channels.order_lists import FoundOrders, OrderSearch
from pms.rules.message_words import OrderState
from pms.surfaces.dashboard.gate import MAINTENANCE, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.forms import TabbedForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import Undo, go, page, page_or_block
from pms.surfaces.labels.enumerations import choices


class MatchingForm(FlaskForm):
    """The fields of the page's actions; each action reads its own."""

    projectNumber = TextField(lazy_gettext("Project"), [Optional()])
    why = TextField(lazy_gettext("Reason it is not a cost"), [Optional()])


@dashboard.get("/supplier-orders/<order_id>", roles=MAINTENANCE)
def supplier_order(order_id: str) -> Response:
    """Show the order."""
    return render_order(order_id, MatchingForm())


def render_order(order_id: str, form: MatchingForm) -> Response:
    """Show the order with the typed project number; at first the one that the order names."""
    record = order_lists.order_record(reading(), order_id)
    if not form.projectNumber.data and not form.errors:
        form.projectNumber.data = record.order.named_project
    return page(
        "dashboard/supplier_orders/order.html", record=record, order=record.order, form=form
    )


@dashboard.post("/supplier-orders/<order_id>/project", roles=MAINTENANCE)
def match_order(order_id: str) -> Response:
    """Match the order to a project, which bears its cost."""
    form = MatchingForm()
    return submitted(
        form,
        act=lambda work: orders.match_order(
            work, order_id=order_id, number=form.projectNumber.data
        ),
        then=lambda _id: _return_to_order(
            order_id, _("The order has been added to the project as purchases."), "unmatch_order"
        ),
        again=lambda: render_order(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/project/removal", roles=MAINTENANCE)
def unmatch_order(order_id: str) -> Response:
    """Take the order out of its project."""
    form = MatchingForm()
    return submitted(
        form,
        act=lambda work: orders.unmatch_order(work, order_id=order_id),
        then=lambda _none: _return_to_order(order_id, _("Purchases reversed.")),
        again=lambda: render_order(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/aside", roles=MAINTENANCE)
def set_order_aside(order_id: str) -> Response:
    """Set the order aside as no cost."""
    form = MatchingForm()
    return submitted(
        form,
        act=lambda work: orders.set_order_aside(work, order_id=order_id, why=form.why.data),
        then=lambda _none: _return_to_order(order_id, _("Order dismissed."), "take_order_back"),
        again=lambda: render_order(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/return", roles=MAINTENANCE)
def take_order_back(order_id: str) -> Response:
    """Let the order wait to be matched again."""
    form = MatchingForm()
    return submitted(
        form,
        act=lambda work: orders.take_order_back(work, order_id=order_id),
        then=lambda _none: _return_to_order(
            order_id, _("The order is waiting to be matched again.")
        ),
        again=lambda: render_order(order_id, form),
    )


def _return_to_order(order_id: str, text: str, undone_by: str | None = None) -> Response:
    undo = Undo(url_for(f"dashboard.{undone_by}", order_id=order_id), {}) if undone_by else None
    return go(url_for("dashboard.supplier_order", order_id=order_id), message=text, undo=undo)


_ALL: Final = "all"


class OrdersForm(TabbedForm):
    """The filters of the orders; the state is in the tabs, by default those to be matched."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])
    search = TextField(lazy_gettext("Supplier, number, item, project"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state.choices = [*choices(OrderState), (_ALL, str(lazy_gettext("All")))]
        self.buildingId.choices = [("", str(lazy_gettext("All buildings"))), *building_choices()]

    @property
    def query(self) -> OrderSearch:
        """The search of a valid form."""
        chosen = self.state.data or OrderState.NEW.value
        return OrderSearch(
            state=None if chosen == _ALL else OrderState(chosen),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )


@dashboard.get("/supplier-orders", roles=MAINTENANCE)
def supplier_orders() -> Response:
    """Show one page of the orders."""
    form, paging = OrdersForm(request.args), asked_paging()
    is_sound = form.validate()
    found = (
        order_lists.list_orders(reading(), form.query, paging) if is_sound else FoundOrders([], 0)
    )
    response = page_or_block(
        "dashboard/supplier_orders/orders.html",
        "results",
        form=form,
        found=found,
        counts=order_lists.count_orders(reading()),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)
