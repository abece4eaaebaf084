"""One task: its page, its moves, its checklist, its photos and notes."""

from pms.surfaces.dashboard.reach import EVERYBODY, Address
from pms.surfaces.dashboard.tasks import (
    adding,
    cancelling,
    editing,
    moving,
    pictures,
    task,
    writing,
)

_ONE = "/tasks/<task_id>"
_MOST_BYTES = 50 * 1024 * 1024

ADDRESSES: tuple[Address, ...] = (
    Address("/tasks/new", "new_task", adding.show, EVERYBODY),
    Address("/tasks", "add_task", adding.add, EVERYBODY, "POST"),
    Address(_ONE, "task", task.show, EVERYBODY),
    Address(f"{_ONE}/edit", "edit_task", editing.show, EVERYBODY),
    Address(f"{_ONE}/edit", "save_task", editing.save, EVERYBODY, "POST"),
    Address(f"{_ONE}/cancellation", "check_task_cancellation", cancelling.check, EVERYBODY),
    Address(f"{_ONE}/cancellation", "cancel_task", cancelling.cancel, EVERYBODY, "POST"),
    Address(f"{_ONE}/restoration", "restore_task", cancelling.restore, EVERYBODY, "POST"),
    Address(f"{_ONE}/moves", "move_task", moving.move, EVERYBODY, "POST"),
    Address(f"{_ONE}/points/<item_id>", "tick_point", writing.tick, EVERYBODY, "POST"),
    Address(f"{_ONE}/notes", "write_task_note", writing.write_note, EVERYBODY, "POST"),
    Address(f"{_ONE}/assignee", "assign_task", writing.assign, EVERYBODY, "POST"),
    Address(f"{_ONE}/photos", "add_task_photos", pictures.add, EVERYBODY, "POST", _MOST_BYTES),
    Address(
        f"{_ONE}/photos/<upkeep_photo_id>/removal",
        "remove_task_photo",
        pictures.remove,
        EVERYBODY,
        "POST",
    ),
    Address(
        "/upkeep-photos/<upkeep_photo_id>/<int:width>", "upkeep_photo", pictures.show, EVERYBODY
    ),
)
