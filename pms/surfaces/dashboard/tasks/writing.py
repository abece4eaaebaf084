"""Ticks the points of a task, writes notes about it, and says whose it is."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.tap_form import AssigneeForm, NoteForm
from pms.surfaces.dashboard.tasks.taps import key_of_tap, tapped
from pms.surfaces.dashboard.tasks.task import shown
from pms.surfaces.hypermedia import go, is_part
from pms.upkeep.assign_task import assign_task as assign_task_verb
from pms.upkeep.assignees import assignees
from pms.upkeep.task_record import task_record
from pms.upkeep.tick_item import tick_item
from pms.upkeep.write_task_note import write_task_note as write_task_note_verb


@dashboard.post("/tasks/<task_id>/points/<item_id>", roles=EVERYBODY)
def tick_point(task_id: str, item_id: str) -> Response:
    """Tick a point, or take the tick back."""
    form = Form()

    def act(session: WorkspaceSession) -> dict[str, Any]:
        task = tick_item(
            session,
            clock(),
            actor(),
            task_id=task_id,
            item_id=item_id,
            is_ticked=bool(request.form.get("ticked")),
            reach=own_reach(),
            key=key_of_tap(),
        )
        return {"state": task.state.value, "moves": task.moves}

    return tapped(
        form,
        act,
        lambda _told: _ticked(task_id),
        lambda form: shown(task_id, form),
        lambda told: told,
    )


@dashboard.post("/tasks/<task_id>/notes", roles=EVERYBODY)
def write_task_note(task_id: str) -> Response:
    """Write a note below those that stand."""
    form = NoteForm(request.form)

    def act(session: WorkspaceSession) -> dict[str, Any]:
        write_task_note_verb(
            session,
            clock(),
            actor(),
            task_id=task_id,
            text=form.text.data,
            reach=own_reach(),
            key=key_of_tap(),
        )
        return standing(session, task_id)

    return tapped(
        form,
        act,
        lambda _told: go(_home(task_id, "notes"), said=_("Note added.")),
        lambda form: shown(task_id, form),
        lambda told: told,
    )


@dashboard.post("/tasks/<task_id>/assignee", roles=EVERYBODY)
def assign_task(task_id: str) -> Response:
    """Give the task to somebody; who gives it out of their own reach goes back to the work."""
    form = AssigneeForm(request.form)
    form.offer(assignees(reading()))
    chosen = form.assigneeId.data
    return submitted(
        form,
        act=lambda session: assign_task_verb(
            session, clock(), actor(), task_id=task_id, assignee_id=chosen, reach=own_reach()
        ),
        then=lambda _was: go(
            url_for("dashboard.task", task_id=task_id),
            said=_("This task is yours.") if chosen == desk().person_id else _("Saved."),
        ),
        again=lambda: shown(task_id, form),
    )


def standing(session: WorkspaceSession, task_id: str) -> dict[str, Any]:
    """Return how a task stands, as a script is answered."""
    task = task_record(session, task_id, own_reach())
    return {"state": task.state.value, "moves": task.moves}


def _ticked(task_id: str) -> Response:
    if is_part():
        return shown(task_id, block="checklist")
    return go(_home(task_id, "checklist"))


def _home(task_id: str, part: str) -> str:
    return url_for("dashboard.task", task_id=task_id, _anchor=part)
