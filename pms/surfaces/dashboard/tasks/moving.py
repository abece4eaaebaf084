"""Moves a task from its page or from a card, and offers the way back."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from flask import Response, url_for
from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.foundation.prepared_writing import Writing
from pms.rules.enumerations import TaskState
from pms.surfaces.dashboard.desk import actor, clock
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.tap_form import MoveForm, read_tap
from pms.surfaces.dashboard.tasks.taps import key_of_tap, tapped
from pms.surfaces.dashboard.tasks.task import shown
from pms.surfaces.dashboard.work import answers
from pms.surfaces.dashboard.work.place import asked_place
from pms.surfaces.here import asked_here
from pms.surfaces.hypermedia import Undo, go
from pms.upkeep.move_task import MovedTask, move_task as move_task_verb

_SAID: Final[Mapping[TaskState, LazyString]] = {
    TaskState.TODO: worded("task", "Back to the tasks that are to do."),
    TaskState.DOING: worded("task", "Started."),
    TaskState.ON_HOLD: worded("task", "Put on hold."),
    TaskState.DONE: worded("task", "Done."),
}


class _Moved(NamedTuple):
    """Where a task stands after a tap, and what the board shows of it if its card was tapped."""

    task: MovedTask
    standing: answers.Standing | None


@dashboard.post("/tasks/<task_id>/moves", roles=EVERYBODY)
def move_task(task_id: str) -> Response:
    """Write the state; answer with the card to a card, else with the page that offers an undo."""
    tap = read_tap(asked_here().form)
    place = asked_place() if answers.is_from_the_board() else None

    def act(session: Writing) -> _Moved:
        assert tap is not None, "a form that names no state is refused before"
        task = move_task_verb(
            session,
            clock(),
            actor(),
            task_id=task_id,
            to=tap.to,
            reach=own_reach(),
            seen_moves=tap.seen_moves,
            hold_reason=tap.reason,
            note=tap.note,
            key=key_of_tap(),
        )
        return _Moved(task, answers.as_it_stands(session, task.id, place) if place else None)

    form = _typed if tap else _typed()
    quickly = act if place is None or answers.is_of_all(place) else None
    return tapped(form, act, _moved, partial(_not_moved, task_id), _told, quickly=quickly)


def _typed() -> MoveForm:
    return MoveForm(asked_here().form)


def _moved(moved: _Moved) -> Response:
    task, standing = moved
    if standing is not None:
        return answers.moved(task, standing)
    address = url_for("dashboard.task", task_id=task.id)
    return go(address, said=str(_SAID[task.state]), undo=_way_back(task))


def _not_moved(task_id: str, form: MoveForm) -> Response:
    if not answers.is_from_the_board():
        return shown(task_id, form)
    reasons = [str(reason) for field in form for reason in field.errors]
    return answers.not_moved(task_id, " ".join([*map(str, form.form_errors), *reasons]))


def _way_back(task: MovedTask) -> Undo | None:
    if not task.is_changed:
        return None
    fields = {"state": task.was.value, "moves": str(task.moves)}
    if task.was_reason:
        fields["holdReason"] = task.was_reason.value
    return Undo(url_for("dashboard.move_task", task_id=task.id), fields)


def _told(moved: _Moved) -> dict[str, Any]:
    return {"state": moved.task.state.value, "moves": moved.task.moves}
