"""Edits what a task says, merged with what somebody else saved meanwhile."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.task_form import EditedForm
from pms.surfaces.hypermedia import go, page
from pms.upkeep.edit_task import edit_task as edit_task_verb
from pms.upkeep.task_record import TaskRecord, task_record


@dashboard.get("/tasks/<task_id>/edit", roles=EVERYBODY)
def edit_task(task_id: str) -> Response:
    """Show the task as it is written."""
    return _shown(task_id, _edit(task_record(reading(), task_id, own_reach())))


@dashboard.post("/tasks/<task_id>/edit", roles=EVERYBODY)
def save_task(task_id: str) -> Response:
    """Save it."""
    form = EditedForm(request.form).fitted(task_record(reading(), task_id, own_reach()))
    for name in ("unitId", "projectId"):
        if name in form and name not in request.form:
            # A page that never asked for it has nothing to merge there.
            del form[name]
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> None:
        task = task_record(session, task_id, own_reach())
        edit.merge(session, _edit(task), subject=("task", task_id))
        edit_task_verb(
            session,
            clock(),
            actor(),
            task_id=task_id,
            written=form.written,
            version=task.version,
            reach=own_reach(),
        )

    return submitted(
        form,
        act=act,
        then=lambda _none: go(
            url_for("dashboard.task", task_id=task_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _shown(task_id, edit),
    )


def _edit(task: TaskRecord) -> Edit:
    return Edit.of(EditedForm.of(task), task.version)


def _shown(task_id: str, edit: Edit) -> Response:
    task = task_record(reading(), task_id, own_reach())
    return page("dashboard/tasks/edit.html", form=edit.form, edit=edit, task=task)
