"""The page of one task: where and when, what is to be done, and everything that was done."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Any

from flask import Response
from wtforms import Form

from pms.catalogue.handbook import handbook_of, handbook_of_unit
from pms.rules.enumerations import HoldReason
from pms.surfaces.dashboard.buildings.codes_seen import sees_codes
from pms.surfaces.dashboard.desk import actor, desk, reading, today
from pms.surfaces.dashboard.photos.photos_form import PhotosForm
from pms.surfaces.dashboard.tasks.own_reach import own_reach
from pms.surfaces.dashboard.tasks.tap_form import AssigneeForm, MoveForm, NoteForm
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.request_scope import files
from pms.upkeep.assignees import assignees
from pms.upkeep.cancel_task import may_cancel
from pms.upkeep.reported_words import reported_words
from pms.upkeep.task_record import TaskRecord, task_record
from pms.upkeep.task_window import task_window
from pms.upkeep.upkeep_photos import TASK, photos_of


@dashboard.get("/tasks/<task_id>", roles=EVERYBODY)
def task(task_id: str) -> Response:
    """Show the task."""
    return shown(task_id)


def shown(task_id: str, form: Form | None = None, block: str = "task") -> Response:
    """Show the task, or one block of it, with the form that could not be accepted."""
    task = task_record(reading(), task_id, own_reach())
    return page_or_block(
        "dashboard/tasks/task.html",
        block,
        task=task,
        form=form,
        note_form=form if isinstance(form, NoteForm) else NoteForm(data={"text": _unsent(form)}),
        photos_form=form if isinstance(form, PhotosForm) else PhotosForm(files=files()),
        assignee_form=_assignee_form(task),
        reported=reported_words(reading(), task.project.id if task.project else None),
        photos=photos_of(reading(), TASK, [task.id]).get(task.id, ()),
        hold_reasons=list(HoldReason),
        own_id=desk().person_id,
        is_own=may_cancel(task.created_by, actor(), own_reach()),
        today=today(),
        **_place(task),
    )


def _unsent(form: Form | None) -> str | None:
    """What was written beside a move that came too late: it can still be sent as a note."""
    return form.note.data if isinstance(form, MoveForm) else None


def _place(task: TaskRecord) -> dict[str, Any]:
    unit_id = task.place.unit_id
    return {
        "window": task_window(
            reading(),
            unit_id=unit_id,
            leaving_id=task.leaving_id,
            opens_on=task.opens_on,
            today=today(),
        ),
        # What nobody has written about yet is told where it can be written.
        "handbook": handbook_of(reading(), task.place.building_id)._replace(missing=()),
        "unit_handbook": handbook_of_unit(reading(), unit_id) if unit_id else None,
        "codes": sees_codes(task.place.building_id),
    }


def _assignee_form(task: TaskRecord) -> AssigneeForm | None:
    """The office chooses among everybody; the others take a task or give it back."""
    if not desk().is_office:
        return None
    form = AssigneeForm(data={"assigneeId": task.assignee_id})
    form.offer(assignees(reading()))
    return form
