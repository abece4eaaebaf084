"""What is typed of a task: added in a building that was chosen before, or edited."""

from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.unit_names import unit_names
from pms.rules.enumerations import TaskKind
from pms.surfaces.dashboard.desk import desk, reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
    TextField,
)
from pms.upkeep.add_task import WantedTask
from pms.upkeep.assignees import assignees
from pms.upkeep.edit_task import WrittenTask
from pms.upkeep.task_record import TaskRecord


class WrittenForm(Form):
    """The words and the days of a task."""

    title = TextField(_("Title"), [Optional()])
    note = LongTextField(_("What is to be done"), [Optional()])
    opensOn = DayField(_("Free from"), [Optional()])
    dueOn = DayField(_("To be done by"), [Optional()])

    @classmethod
    def of(cls, task: TaskRecord) -> Self:
        """Return the form as a task stands; a turnover's days follow from its stays."""
        days = {"opensOn": task.opens_on, "dueOn": task.due_on}
        form = cls(data={"title": task.title, "note": task.note, **days})
        return form.without_days() if task.leaving_id else form

    def without_days(self) -> Self:
        """Return the form without the days."""
        del self.opensOn, self.dueOn
        return self

    @property
    def written(self) -> WrittenTask:
        """What a valid form says."""
        return WrittenTask(
            title=self.title.data,
            note=self.note.data,
            opens_on=self.opensOn.data if self.opensOn else None,
            due_on=self.dueOn.data if self.dueOn else None,
        )


class NewTaskForm(WrittenForm):
    """A task in a building or one of its units."""

    buildingId = HiddenField()
    projectId = HiddenField()
    kind = PickField(_("Kind"), [Required()])
    unitId = ChoiceField(_("Where"), [Optional()])
    assigneeId = ChoiceField(_("Who does it"), [Optional()])

    def offer(self) -> None:
        """Give the form the places of its building and those who may do the work."""
        units = unit_names(reading(), self.buildingId.data or "")
        self.kind.choices = [
            (value, text) for value, text in choices(TaskKind) if value != TaskKind.TURNOVER
        ]
        self.unitId.choices = [
            ("", str(_("Shared areas"))),
            *((unit.id, unit.name) for unit in units),
        ]
        self.assigneeId.choices = [("", str(_("Nobody yet"))), *self._people()]

    def _people(self) -> list[tuple[str, str]]:
        if not desk().is_office:
            return [(desk().person_id, desk().name)]
        return [(person.person_id, person.name) for person in assignees(reading())]

    @property
    def wanted(self) -> WantedTask:
        """What a valid form says."""
        written = self.written
        return WantedTask(
            kind=TaskKind(self.kind.data),
            building_id=self.buildingId.data or "",
            unit_id=self.unitId.data,
            project_id=self.projectId.data or None,
            title=written.title,
            note=written.note,
            opens_on=written.opens_on,
            due_on=written.due_on,
            assignee_id=self.assigneeId.data,
        )
