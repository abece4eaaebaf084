"""Adds a task: first the building is chosen, then what is to be done there."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.tasks.task_form import NewTaskForm
from pms.surfaces.hypermedia import go, page
from pms.upkeep.add_task import add_task


def show() -> Response:
    """Show the buildings, or the empty form for the one that was chosen."""
    given = {name: request.args.get(name) for name in ("buildingId", "unitId", "projectId", "kind")}
    return _shown(NewTaskForm(data=given))


def add() -> Response:
    """Add the task and show it."""
    form = NewTaskForm(request.form)
    form.offer()
    return submitted(
        form,
        act=lambda session: add_task(session, clock(), actor(), wanted=form.wanted),
        then=lambda task_id: go(url_for("dashboard.task", task_id=task_id), said=_("Task added.")),
        again=lambda: _shown(form),
    )


def _shown(form: NewTaskForm) -> Response:
    buildings = building_names(reading())
    if len(buildings) == 1 and not form.buildingId.data:
        form.buildingId.data = buildings[0].id
    building = next((one for one in buildings if one.id == form.buildingId.data), None)
    form.offer()
    return page("dashboard/tasks/new.html", form=form, building=building, buildings=buildings)
