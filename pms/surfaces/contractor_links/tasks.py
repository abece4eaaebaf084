"""One task of the project: where and until when, its points, and pictures of the work."""

from flask import Response, request, url_for
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Form

from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.contractor_links.holder import (
    ONCE,
    clock,
    holder,
    key_of_form,
    reading,
    shown,
    submitted,
    today,
)
from pms.surfaces.contractor_links.move_form import MoveForm
from pms.surfaces.contractor_links.pictures import TaskPhotosForm
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.reported_words import reported_words
from pms.upkeep.task_record import task_record
from pms.upkeep.tick_item import tick_item
from pms.upkeep.upkeep_photos import TASK, photos_of


def show(task_id: str) -> Response:
    """Show the task."""
    return task_page(task_id)


def add_photos(task_id: str) -> Response:
    """Keep pictures of the work."""
    record = task_record(reading(), task_id, holder().reach)
    form = TaskPhotosForm(CombinedMultiDict((request.files, request.form)), files=files())
    return submitted(
        form,
        act=lambda session: _keep(session, record.id, form),
        then=lambda _none: go(_here(task_id, told="photo", anchor="photos")),
        again=lambda: task_page(task_id, photos=form),
    )


def tick(task_id: str, item_id: str) -> Response:
    """Tick a point of the checklist, or take the tick back."""
    return submitted(
        Form(),
        act=lambda session: tick_item(
            session,
            clock(),
            holder().actor,
            task_id=task_id,
            item_id=item_id,
            is_ticked=bool(request.form.get("ticked")),
            reach=holder().reach,
        ),
        then=lambda _task: go(_here(task_id, anchor="points")),
        again=lambda: task_page(task_id),
    )


def task_page(
    task_id: str, *, move: MoveForm | None = None, photos: TaskPhotosForm | None = None
) -> Response:
    """Show the task, with what was typed and refused."""
    record = task_record(reading(), task_id, holder().reach)
    return shown(
        "task",
        task=record,
        form=move or photos or Form(),
        move_form=move or MoveForm(data={"moves": record.moves, ONCE: new_id()}),
        photos_form=photos or TaskPhotosForm(data={ONCE: new_id()}, files=files()),
        reported=reported_words(reading(), holder().project_id),
        taken=photos_of(reading(), TASK, [record.id]).get(record.id, ()),
        told=request.args.get("told"),
        here=_here(task_id),
        today=today(),
    )


def _keep(session: WorkspaceSession, task_id: str, form: TaskPhotosForm) -> None:
    once = key_of_form()
    for number, sized in enumerate(form.sized):
        add_upkeep_photo(
            session,
            clock(),
            holder().actor,
            subject=(TASK, task_id),
            sized=sized,
            key=f"{once}-{number}" if once else None,
        )


def _here(task_id: str, *, told: str | None = None, anchor: str | None = None) -> str:
    return url_for("contractor_links.task", task_id=task_id, told=told, _anchor=anchor)
