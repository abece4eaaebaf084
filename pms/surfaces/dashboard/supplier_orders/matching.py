"""Matches a supplier's order to a project, takes it out again, sets it aside, takes it back."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.match_order import match_order as match_order_verb
from pms.channels.set_order_aside import set_order_aside as set_order_aside_verb
from pms.channels.take_order_back import take_order_back as take_order_back_verb
from pms.channels.unmatch_order import unmatch_order as unmatch_order_verb
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.supplier_orders.matching_form import MatchingForm
from pms.surfaces.dashboard.supplier_orders.order import shown
from pms.surfaces.hypermedia import Undo, go


@dashboard.post("/supplier-orders/<order_id>/project", roles=MAINTENANCE)
def match_order(order_id: str) -> Response:
    """Have a project bear it."""
    form = MatchingForm(request.form)
    return submitted(
        form,
        act=lambda session: match_order_verb(
            session, clock(), actor(), order_id=order_id, number=form.projectNumber.data
        ),
        then=lambda _id: _back(
            order_id, _("Its lines are purchases of the project now."), "unmatch_order"
        ),
        again=lambda: shown(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/project/removal", roles=MAINTENANCE)
def unmatch_order(order_id: str) -> Response:
    """Take it out of its project."""
    form = MatchingForm(request.form)
    return submitted(
        form,
        act=lambda session: unmatch_order_verb(session, clock(), actor(), order_id=order_id),
        then=lambda _none: _back(order_id, _("The purchases are taken back.")),
        again=lambda: shown(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/aside", roles=MAINTENANCE)
def set_order_aside(order_id: str) -> Response:
    """Set it aside."""
    form = MatchingForm(request.form)
    return submitted(
        form,
        act=lambda session: set_order_aside_verb(
            session, clock(), actor(), order_id=order_id, why=form.why.data
        ),
        then=lambda _none: _back(order_id, _("The order is set aside."), "take_order_back"),
        again=lambda: shown(order_id, form),
    )


@dashboard.post("/supplier-orders/<order_id>/return", roles=MAINTENANCE)
def take_order_back(order_id: str) -> Response:
    """Have it wait again."""
    form = MatchingForm(request.form)
    return submitted(
        form,
        act=lambda session: take_order_back_verb(session, clock(), actor(), order_id=order_id),
        then=lambda _none: _back(order_id, _("The order waits to be matched again.")),
        again=lambda: shown(order_id, form),
    )


def _back(order_id: str, said: str, undone_by: str | None = None) -> Response:
    undo = Undo(url_for(f"dashboard.{undone_by}", order_id=order_id), {}) if undone_by else None
    return go(url_for("dashboard.supplier_order", order_id=order_id), said=said, undo=undo)
