"""Cancels a task that was added by mistake, after asking why, and brings it back."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.task import shown
from pms.surfaces.fields import HiddenField, LongTextField, Required
from pms.surfaces.hypermedia import Undo, go, page
from pms.upkeep.cancel_task import cancel_task as cancel_task_verb
from pms.upkeep.restore_task import restore_task as restore_task_verb
from pms.upkeep.task_record import task_record


class CancellingForm(Form):
    """Why nobody needs the task, and how often it had been moved when it was seen."""

    reason = LongTextField(_("Why is it not needed?"), [Required()])
    moves = HiddenField()

    @property
    def seen_moves(self) -> int | None:
        """How many moves were seen; what is no number was not seen."""
        text = self.moves.data or ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@dashboard.get("/tasks/<task_id>/cancellation", roles=EVERYBODY)
def check_task_cancellation(task_id: str) -> Response:
    """Say what cancelling does, and ask why."""
    task = task_record(reading(), task_id, own_reach())
    return _asked(task_id, CancellingForm(data={"moves": str(task.moves)}))


@dashboard.post("/tasks/<task_id>/cancellation", roles=EVERYBODY)
def cancel_task(task_id: str) -> Response:
    """Cancel the task, with the way to bring it back."""
    form = CancellingForm(request.form)
    return submitted(
        form,
        act=lambda session: cancel_task_verb(
            session, clock(), actor(), reason=form.reason.data, **_seen(task_id, form)
        ),
        then=lambda _none: go(
            url_for("dashboard.task", task_id=task_id),
            said=gettext("The task is cancelled."),
            undo=Undo(url_for("dashboard.restore_task", task_id=task_id), {}),
        ),
        again=lambda: _asked(task_id, form),
    )


@dashboard.post("/tasks/<task_id>/restoration", roles=EVERYBODY)
def restore_task(task_id: str) -> Response:
    """Bring the task back."""
    form = Form()
    return submitted(
        form,
        act=lambda session: restore_task_verb(
            session, clock(), actor(), task_id=task_id, reach=own_reach()
        ),
        then=lambda _none: go(
            url_for("dashboard.task", task_id=task_id), said=gettext("The task is back.")
        ),
        again=lambda: shown(task_id, form),
    )


def _seen(task_id: str, form: CancellingForm) -> dict[str, Any]:
    return {"task_id": task_id, "reach": own_reach(), "seen_moves": form.seen_moves}


def _asked(task_id: str, form: CancellingForm) -> Response:
    task = task_record(reading(), task_id, own_reach())
    return page("dashboard/tasks/cancelling.html", task=task, form=form)
