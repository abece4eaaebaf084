"""One task of the project: place, due date, checklist, and pictures of the work."""

from typing import Any

from flask import Response, request, url_for
from flask_babel import lazy_gettext

from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import HoldReason, TaskState
from pms.surfaces.contractor_links.project import TaskPhotosForm, blueprint, holder, home
from pms.surfaces.fields import (
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
    WholeNumberField,
)
from pms.surfaces.forms import ONCE, LinkForm, key_of_form, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import today
from pms.upkeep import moves, photos, reported_words, task_record
from pms.upkeep.moves import MovedTask
from pms.upkeep.photos import TASK, photos_of


class ContractorMoveForm(LinkForm):
    """The new state, the number of moves that was shown, and the reason for waiting."""

    state = PickField(lazy_gettext("Status"), [Required()])
    moves = WholeNumberField(lazy_gettext("Times rescheduled"), [Optional()])
    holdReason = PickField(lazy_gettext("Why is it on hold?"))
    note = LongTextField(lazy_gettext("Note for the office"), [Optional()])
    once = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.state.choices = choices(TaskState)
        self.holdReason.choices = choices(HoldReason)


@blueprint.get("/tasks/<task_id>", endpoint="task")
def show(task_id: str) -> Response:
    """Show the task."""
    return task_page(task_id)


@blueprint.post("/tasks/<task_id>/photos")
def add_photos(task_id: str) -> Response:
    """Save pictures of the work."""
    record = task_record.task_record(reading(), task_id, holder().visibility)
    form = TaskPhotosForm()
    return submitted(
        form,
        act=lambda work: _add_task_photos(work, record.id, form),
        then=lambda _none: go(_task_address(task_id, text="photo", anchor="photos")),
        again=lambda: task_page(task_id, photos=form),
    )


@blueprint.post("/tasks/<task_id>/points/<item_id>", endpoint="tick_point")
def tick(task_id: str, item_id: str) -> Response:
    """Tick an item of the checklist, or remove the tick."""
    return submitted(
        LinkForm(),
        act=lambda work: moves.tick_item(
            work,
            task_id=task_id,
            item_id=item_id,
            is_ticked=bool(request.form.get("ticked")),
            visibility=holder().visibility,
        ),
        then=lambda _task: go(_task_address(task_id, anchor="points")),
        again=lambda: task_page(task_id),
    )


def task_page(
    task_id: str, *, move: ContractorMoveForm | None = None, photos: TaskPhotosForm | None = None
) -> Response:
    """Show the task, with a refused form as it was typed."""
    record = task_record.task_record(reading(), task_id, holder().visibility)
    return page(
        "contractor_links/task.html",
        task=record,
        form=move or photos or LinkForm(),
        move_form=move
        or ContractorMoveForm(formdata=None, data={"moves": record.moves, ONCE: new_id()}),
        photos_form=photos or TaskPhotosForm(formdata=None, data={ONCE: new_id()}),
        reported=reported_words.reported_words(reading(), holder().project_id),
        taken=photos_of(reading(), TASK, [record.id]).get(record.id, ()),
        message=request.args.get("message", request.args.get("told")),
        page_address=_task_address(task_id),
        today=today(),
    )


def _add_task_photos(work: Work, task_id: str, form: TaskPhotosForm) -> None:
    once = key_of_form()
    for number, sized in enumerate(form.sized):
        photos.add_upkeep_photo(
            work, subject=(TASK, task_id), sized=sized, key=f"{once}-{number}" if once else None
        )


def _task_address(task_id: str, *, text: str | None = None, anchor: str | None = None) -> str:
    return url_for("contractor_links.task", task_id=task_id, message=text, _anchor=anchor)


@blueprint.post("/tasks/<task_id>", endpoint="move_task")
def move(task_id: str) -> Response:
    """Move the task to the new state and return to the project."""
    form = ContractorMoveForm()
    return submitted(
        form,
        act=lambda work: _move_task_by_form(work, task_id, form),
        then=lambda _move_task_by_form: go(home(text="moved", anchor=f"task-{task_id}")),
        again=lambda: task_page(task_id, move=form),
    )


def _move_task_by_form(work: Work, task_id: str, form: ContractorMoveForm) -> MovedTask:
    to = TaskState(form.state.data)
    if to is TaskState.ON_HOLD and not form.holdReason.data:
        raise Refused("holdReason: choose why the task is on hold.")
    return moves.move_task(
        work,
        task_id=task_id,
        to=to,
        visibility=holder().visibility,
        seen_moves=form.moves.data,
        hold_reason=HoldReason(form.holdReason.data) if form.holdReason.data else None,
        note=form.note.data,
        key=key_of_form(),
        # Inspections are the office's; a contractor is not shown their points.
        leaves_points_open=True,
    )
