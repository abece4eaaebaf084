"""The list of projects: by state, building, number and words."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.surfaces.dashboard.desk import desk, reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.projects.projects_form import ProjectsForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.upkeep.project_cost import costs_of_projects
from pms.upkeep.project_list import FoundProjects, project_list
from pms.upkeep.project_tasks import tasks_of_projects


@dashboard.get("/projects", roles=MAINTENANCE)
def projects() -> Response:
    """Show one page of the projects; a filter that cannot be read is told."""
    form = ProjectsForm(request.args)
    form.offer()
    is_sound, paging = form.validate(), asked_paging()
    found = FoundProjects((), 0)
    if is_sound:
        found = project_list(reading(), form.search_for, paging)
    ids = [one.id for one in found.projects]
    response = page_or_block(
        "dashboard/projects/list.html",
        "results",
        form=form,
        found=found,
        tasks=tasks_of_projects(reading(), ids),
        costs=costs_of_projects(reading(), ids) if desk().is_office else {},
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
