"""One task: its page, its moves, its checklist, its photos and notes."""

from pms.surfaces.dashboard.routes import EVERYBODY
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


