"""Ends a project or takes it up again, after a look at what exactly that does."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import ProjectState
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.fields import HiddenField
from pms.surfaces.hypermedia import go, page
from pms.upkeep.end_project import end_project as end_project_verb, tasks_left
from pms.upkeep.project_record import project_record
from pms.upkeep.project_tasks import project_tasks
from pms.upkeep.reopen_project import reopen_project as reopen_project_verb
from pms.upkeep.request_record import requests_of_project
from pms.upkeep.tickets import tickets_of_project
from pms.upkeep.upkeep_in_hand import project_in_hand

_INTO = {"done": ProjectState.DONE, "cancelled": ProjectState.CANCELLED}


class EndingForm(Form):
    """How the project ends, and how many tasks were shown that close with it."""

    into = HiddenField()
    closes = HiddenField()

    @property
    def state(self) -> ProjectState:
        """The state that was asked for; done unless it is called off."""
        return _INTO.get(self.into.data or "", ProjectState.DONE)


@dashboard.get("/projects/<project_id>/end", roles=MAINTENANCE)
def check_ending(project_id: str) -> Response:
    """Show what ending would do."""
    return _shown(project_id, EndingForm(request.args))


@dashboard.post("/projects/<project_id>/end", roles=MAINTENANCE)
def end_project(project_id: str) -> Response:
    """End the project and show it."""
    form = EndingForm(request.form)

    def act(session: WorkspaceSession) -> None:
        project_in_hand(session, project_id)  # From here on no task comes to it.
        left = str(len(tasks_left(session, project_id)))
        end_project_verb(
            session,
            clock(),
            actor(),
            project_id=project_id,
            into=form.state,
            closes_tasks=form.closes.data == left,
        )

    return submitted(
        form,
        act=act,
        then=lambda _none: _gone(
            project_id,
            _("The project is done.")
            if form.state == ProjectState.DONE
            else _("The project is called off."),
        ),
        again=lambda: _shown(project_id, form),
    )


@dashboard.get("/projects/<project_id>/reopening", roles=MAINTENANCE)
def check_reopening(project_id: str) -> Response:
    """Show what reopening would do."""
    return _reopening(project_id, Form())


@dashboard.post("/projects/<project_id>/reopening", roles=MAINTENANCE)
def reopen_project(project_id: str) -> Response:
    """Take the project up again and show it."""
    form = Form()
    return submitted(
        form,
        act=lambda session: reopen_project_verb(session, clock(), actor(), project_id=project_id),
        then=lambda _none: _gone(project_id, _("The project is open again.")),
        again=lambda: _reopening(project_id, form),
    )


def _gone(project_id: str, said: str) -> Response:
    return go(url_for("dashboard.project", project_id=project_id), said=said)


def _shown(project_id: str, form: EndingForm) -> Response:
    tasks = project_tasks(reading(), project_id)
    return page(
        "dashboard/projects/ending.html",
        project=project_record(reading(), project_id),
        form=form,
        is_done=form.state == ProjectState.DONE,
        left=[task for task in tasks if task.state != "done"],
        requests=[one for one in requests_of_project(reading(), project_id) if one.is_folded],
        tickets=[one for one in tickets_of_project(reading(), project_id) if one.state == "open"],
    )


def _reopening(project_id: str, form: Form) -> Response:
    requests = requests_of_project(reading(), project_id)
    return page(
        "dashboard/projects/reopening.html",
        project=project_record(reading(), project_id),
        form=form,
        requests=[one for one in requests if one.closed_because is None],
        tickets=[one for one in tickets_of_project(reading(), project_id) if one.state == "open"],
    )
