"""Moves a task of the project: started, done, or on hold with its reason."""

from flask import Response, request

from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import HoldReason, TaskState
from pms.surfaces.contractor_links.holder import clock, holder, home, key_of_form, submitted
from pms.surfaces.contractor_links.move_form import MoveForm
from pms.surfaces.contractor_links.tasks import task_page
from pms.surfaces.hypermedia import go
from pms.upkeep.move_task import MovedTask, move_task


def move(task_id: str) -> Response:
    """Move the task and go back to the project, where it stands now."""
    form = MoveForm(request.form)
    return submitted(
        form,
        act=lambda session: _moved(session, task_id, form),
        then=lambda _moved: go(home(told="moved", anchor=f"task-{task_id}")),
        again=lambda: task_page(task_id, move=form),
    )


def _moved(session: WorkspaceSession, task_id: str, form: MoveForm) -> MovedTask:
    to = TaskState(form.state.data)
    if to is TaskState.ON_HOLD and not form.holdReason.data:
        raise Refused("holdReason: choose why the task waits.")
    return move_task(
        session,
        clock(),
        holder().actor,
        task_id=task_id,
        to=to,
        reach=holder().reach,
        seen_moves=form.moves.data,
        hold_reason=HoldReason(form.holdReason.data) if form.holdReason.data else None,
        note=form.note.data,
        key=key_of_form(),
    )
