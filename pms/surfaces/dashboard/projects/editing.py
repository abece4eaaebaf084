"""Corrects the title, the words and the unit of a project."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.projects.editing_form import EditingForm
from pms.surfaces.hypermedia import go, page
from pms.upkeep.edit_project import edit_project as edit_project_verb
from pms.upkeep.project_record import ProjectRecord, project_record


@dashboard.get("/projects/<project_id>/edit", roles=MAINTENANCE)
def edit_project(project_id: str) -> Response:
    """Show the facts, ready to be corrected."""
    project = project_record(reading(), project_id)
    return _shown(project, Edit.of(EditingForm.of(project), project.version))


@dashboard.post("/projects/<project_id>/edit", roles=MAINTENANCE)
def save_project(project_id: str) -> Response:
    """Save them, merged with what somebody else saved meanwhile."""
    project = project_record(reading(), project_id)
    form = EditingForm(request.form)
    form.offer(project)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = project_record(session, project_id)
        now = Edit.of(EditingForm.of(record), record.version)
        edit.merge(session, now, subject=("maintenance_project", project_id))
        return edit_project_verb(
            session,
            clock(),
            actor(),
            project_id=project_id,
            title=form.title.data,
            description=form.description.data,
            unit_id=form.unitId.data or None,
            version=record.version,
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.project", project_id=project_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _shown(project, edit),
    )


def _shown(project: ProjectRecord, edit: Edit) -> Response:
    return page("dashboard/projects/edit.html", project=project, form=edit.form, edit=edit)
