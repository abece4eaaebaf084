"""What is typed of time that somebody worked."""

from collections.abc import Sequence

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
    YenField,
)
from pms.upkeep.project_tasks import ProjectTask


class HoursForm(Form):
    """A day and how long; the price of an hour is asked of the office alone."""

    once = HiddenField()
    workedOn = DayField(_("Day"), [Required()])
    minutes = HoursField(_("Hours worked"), [Required()])
    hourlyYen = YenField(_("Price of an hour (yen)"), [Optional()])
    taskId = ChoiceField(_("Task"), [Optional()])
    note = TextField(_("Note"), [Optional()])

    def offer(self, tasks: Sequence[ProjectTask], *, is_office: bool) -> None:
        """Give the form its tasks; who sees no prices writes none."""
        self.taskId.choices = task_choices(tasks)
        if not is_office:
            del self.hourlyYen

    @property
    def hourly_yen(self) -> int | None:
        """The price of an hour, where it was asked for and given."""
        return self.hourlyYen.data if "hourlyYen" in self else None


def task_choices(tasks: Sequence[ProjectTask]) -> list[tuple[str, str]]:
    """Return the tasks of a project that stand as choices; none of them has to be meant."""
    standing = [task for task in tasks if task.cancelled_at is None]
    return [
        ("", gettext("The whole project")),
        *((task.id, task.title or word(task.kind)) for task in standing),
    ]
