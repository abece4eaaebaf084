"""Changes a visit: tasks in and out, their order, and calling it off."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from collections.abc import Callable
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.visits.reaching import visit_reach
from pms.surfaces.dashboard.visits.visit import offer, shown
from pms.surfaces.dashboard.visits.visit_form import DayForm, TasksForm
from pms.surfaces.hypermedia import Undo, go, is_part
from pms.upkeep.cancel_visit import CancelledVisit, cancel_visit as cancel_visit_verb
from pms.upkeep.change_visit import add_to_visit as add_to_visit_verb, order_visit as order_visit_verb, remove_from_visit as remove_from_visit_verb
from pms.upkeep.move_visit import move_visit as move_visit_verb
from pms.upkeep.visits import visit_record

_WAYS: Final = ("up", "down")


@dashboard.post("/visits/<visit_id>/tasks", roles=EVERYBODY)
def add_to_visit(visit_id: str) -> Response:
    """Take more tasks along."""
    form = TasksForm(request.form)
    visit = visit_record(reading(), visit_id, visit_reach()).visit
    offer(form, visit.building_id, visit_id)
    return submitted(
        form,
        act=lambda session: add_to_visit_verb(
            session,
            clock(),
            actor(),
            visit_id=visit_id,
            task_ids=form.taskIds.data or (),
            reach=visit_reach(),
            may_take_over=form.takesOver.data,
        ),
        then=lambda _count: _back(visit_id, _("The tasks are part of the visit.")),
        again=lambda: shown(visit_id, form),
    )


@dashboard.post("/visits/<visit_id>/order", roles=EVERYBODY)
def order_visit(visit_id: str) -> Response:
    """Move a task a place up or down."""
    way = request.form.get("way")
    said = _("Moved up.") if way == "up" else _("Moved down.")
    return _changed(visit_id, order_visit_verb, said, way=way if way in _WAYS else "down")


@dashboard.post("/visits/<visit_id>/removals", roles=EVERYBODY)
def remove_from_visit(visit_id: str) -> Response:
    """Leave a task out, with the way to take it along after all."""
    address = url_for("dashboard.add_to_visit", visit_id=visit_id)
    undo = Undo(address, {"taskIds": request.form.get("taskId", "")})
    said = _("The task is no longer part of the visit.")
    return _changed(visit_id, remove_from_visit_verb, said, undo)


@dashboard.post("/visits/<visit_id>/day", roles=EVERYBODY)
def move_visit(visit_id: str) -> Response:
    """Put the visit on another day; it may join one that stands there."""
    form = DayForm(request.form)
    return submitted(
        form,
        act=lambda session: move_visit_verb(
            session,
            clock(),
            actor(),
            visit_id=visit_id,
            on_day=form.onDay.data,
            reach=visit_reach(),
        ),
        then=lambda moved_id: _back(moved_id, _("The visit is on another day now.")),
        again=lambda: shown(visit_id, TasksForm(), day=form),
    )


@dashboard.post("/visits/<visit_id>/cancellation", roles=EVERYBODY)
def cancel_visit(visit_id: str) -> Response:
    """Call the visit off, with the way to plan it after all."""
    form = Form()
    return submitted(
        form,
        act=lambda session: cancel_visit_verb(
            session, clock(), actor(), visit_id=visit_id, reach=visit_reach()
        ),
        then=lambda gone: go(
            url_for("dashboard.visits", fromOn=gone.on_day.isoformat()),
            said=_("The visit is cancelled. Its tasks can be planned anew."),
            undo=_planned_anew(gone),
        ),
        again=lambda: shown(visit_id, TasksForm()),
    )


def _planned_anew(visit: CancelledVisit) -> Undo | None:
    if not visit.task_ids:
        return None
    fields = {
        "buildingId": visit.building_id,
        "personId": visit.person_id,
        "onDay": visit.on_day.isoformat(),
        "note": visit.note or "",
        "taskIds": ",".join(visit.task_ids),
    }
    return Undo(url_for("dashboard.plan_visit"), fields)


def _changed(
    visit_id: str, deed: Callable[..., None], said: str, undo: Undo | None = None, **step: Any
) -> Response:
    form = TasksForm()
    return submitted(
        Form(),
        act=lambda session: deed(
            session,
            clock(),
            actor(),
            visit_id=visit_id,
            task_id=request.form.get("taskId", ""),
            reach=visit_reach(),
            **step,
        ),
        then=lambda _none: _back(visit_id, said, undo),
        again=lambda: shown(visit_id, form),
    )


def _back(visit_id: str, said: str, undo: Undo | None = None) -> Response:
    # A step of the order stays in place; what offers a way back is a page of its own.
    if is_part() and undo is None:
        return shown(visit_id, TasksForm(), said)
    return go(url_for("dashboard.visit", visit_id=visit_id), said=said, undo=undo)
