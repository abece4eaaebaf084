"""Adds a task: first the building is chosen, then what is to be done there."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import actor, clock, may, reading, submitted
from pms.surfaces.dashboard.tasks.task_form import NewTaskForm
from pms.surfaces.hypermedia import go, page
from pms.upkeep.add_task import add_task as add_task_verb
from pms.upkeep.project_record import ProjectRecord, project_record


@dashboard.get("/tasks/new", roles=EVERYBODY)
def new_task() -> Response:
    """Show the buildings, or the empty form for the one that was chosen."""
    given = {name: request.args.get(name) for name in ("buildingId", "unitId", "projectId", "kind")}
    project = _project(given["projectId"])
    if project is not None:
        given |= {"buildingId": project.building_id, "unitId": given["unitId"] or project.unit_id}
    return _shown(NewTaskForm(data=given))


@dashboard.post("/tasks", roles=EVERYBODY)
def add_task() -> Response:
    """Add the task and show it."""
    form = NewTaskForm(request.form)
    form.offer()
    return submitted(
        form,
        act=lambda session: add_task_verb(session, clock(), actor(), wanted=form.wanted),
        then=lambda task_id: go(_home(form, task_id), said=_("Task added.")),
        again=lambda: _shown(form),
    )


def _home(form: NewTaskForm, task_id: str) -> str:
    """Where somebody came from: the project, else the new task."""
    if form.projectId.data and may("project"):
        return url_for("dashboard.project", project_id=form.projectId.data)
    return url_for("dashboard.task", task_id=task_id)


def _project(project_id: str | None) -> ProjectRecord | None:
    return project_record(reading(), project_id) if project_id and may("project") else None


def _shown(form: NewTaskForm) -> Response:
    buildings = building_names(reading())
    if len(buildings) == 1 and not form.buildingId.data:
        form.buildingId.data = buildings[0].id
    building = next((one for one in buildings if one.id == form.buildingId.data), None)
    form.offer()
    return page(
        "dashboard/tasks/new.html",
        form=form,
        building=building,
        buildings=buildings,
        project=_project(form.projectId.data),
    )
