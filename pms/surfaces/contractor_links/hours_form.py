"""What is typed of time worked."""

from collections.abc import Sequence
from typing import Any

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    HoursField,
    Optional,
    Required,
    TextField,
)
from pms.upkeep.task_cards import TaskCard


class HoursForm(Form):
    """How long, on which day, on which task."""

    minutes = HoursField(_("Hours worked"), [Required()])
    workedOn = DayField(_("Day"), [Required()])
    taskId = ChoiceField(_("Task"), [Optional()])
    note = TextField(_("Note"), [Optional()])
    once = HiddenField()

    def __init__(self, *given: Any, tasks: Sequence[TaskCard] = (), **values: Any) -> None:
        super().__init__(*given, **values)
        self.taskId.choices = task_choices(tasks)


def task_choices(tasks: Sequence[TaskCard]) -> list[tuple[str, str]]:
    """Return the tasks of the project as a form offers them."""
    named = [(task.id, task.title or word(task.kind)) for task in tasks]
    return [("", gettext("The whole project")), *named]
