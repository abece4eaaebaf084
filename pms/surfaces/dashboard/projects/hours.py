"""Logs time worked on a project, and takes a log back."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.ids import new_id
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted, today
from pms.surfaces.dashboard.projects.hours_form import HoursForm
from pms.surfaces.dashboard.projects.taking_back import took_back
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.log_hours import log_hours as log_hours_verb
from pms.upkeep.project_record import ProjectRecord, project_record
from pms.upkeep.project_tasks import project_tasks
from pms.upkeep.remove_hours import remove_hours as remove_hours_verb


@dashboard.get("/projects/<project_id>/hours/new", roles=MAINTENANCE)
def new_hours(project_id: str) -> Response:
    """Show the form, with today filled in."""
    project = project_record(reading(), project_id)
    form = HoursForm(data={"workedOn": today(), "once": new_id()})
    return _shown(project, _offered(form, project))


@dashboard.post("/projects/<project_id>/hours/new", roles=MAINTENANCE)
def log_hours(project_id: str) -> Response:
    """Log the hours and show the project."""
    project = project_record(reading(), project_id)
    form = _offered(HoursForm(request.form), project)
    return submitted(
        form,
        act=lambda session: log_hours_verb(
            session,
            clock(),
            actor(),
            project_id=project_id,
            worked_on=form.workedOn.data,
            minutes=form.minutes.data,
            hourly_yen=form.hourly_yen,
            task_id=form.taskId.data,
            note=form.note.data,
            key=form.once.data,
        ),
        then=lambda _id: go(
            url_for("dashboard.project", project_id=project_id, _anchor="hours"),
            said=_("The hours are logged."),
        ),
        again=lambda: _shown(project, form),
    )


@dashboard.post("/projects/<project_id>/hours/<hours_id>/removal", roles=MAINTENANCE)
def remove_hours(project_id: str, hours_id: str) -> Response:
    """Take a log back."""
    return took_back(project_id, remove_hours_verb, _("The hours are taken back."), hours_id=hours_id)


def _offered(form: HoursForm, project: ProjectRecord) -> HoursForm:
    form.offer(project_tasks(reading(), project.id), is_office=desk().is_office)
    return form


def _shown(project: ProjectRecord, form: HoursForm) -> Response:
    shown = {"project": project, "form": form, "today": today()}
    return page_or_block("dashboard/projects/hours.html", "logging", **shown)
