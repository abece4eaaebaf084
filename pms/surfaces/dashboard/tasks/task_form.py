"""What is typed of a task: added in a building that was chosen before, or edited."""

from dataclasses import replace
from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.unit_names import unit_names
from pms.rules.enumerations import TaskKind, TaskState
from pms.surfaces.dashboard.desk import actor, desk, may, reading
from pms.surfaces.dashboard.tasks.own_reach import own_reach
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
from pms.upkeep.cancel_task import may_cancel
from pms.upkeep.edit_task import WrittenTask
from pms.upkeep.project_list import open_projects
from pms.upkeep.task_record import TaskRecord


class WrittenForm(Form):
    """The words and the days of a task."""

    title = TextField(_("Title"), [Optional()])
    note = LongTextField(_("What is to be done"), [Optional()])
    opensOn = DayField(_("Free from"), [Optional()])
    dueOn = DayField(_("To be done by"), [Optional()])

    @property
    def written(self) -> WrittenTask:
        """What a valid form says."""
        return WrittenTask(
            title=self.title.data,
            note=self.note.data,
            opens_on=self.opensOn.data if self.opensOn else None,
            due_on=self.dueOn.data if self.dueOn else None,
        )


class EditedForm(WrittenForm):
    """A task as it stands: its words, its days, and its unit and project where these may change."""

    unitId = ChoiceField(_("Where"), [Optional()])
    projectId = ChoiceField(_("Project"), [Optional()])

    @classmethod
    def of(cls, task: TaskRecord) -> Self:
        """Return the form as a task stands."""
        days = {"opensOn": task.opens_on, "dueOn": task.due_on}
        words = {"title": task.title, "note": task.note, "unitId": task.place.unit_id or ""}
        project = {"projectId": task.project.id if task.project else ""}
        return cls(data=words | days | project).fitted(task)

    def fitted(self, task: TaskRecord) -> Self:
        """Return the form without what somebody cannot change of a task."""
        if task.leaving_id:
            del self.opensOn, self.dueOn
        is_own = may_cancel(task.created_by, actor(), own_reach())
        if task.leaving_id or task.state is TaskState.DONE or not is_own:
            del self.unitId
        else:
            self.unitId.choices = _places(task.place.building_id)
        choices = _projects(task)
        if choices:
            self.projectId.choices = choices
        else:
            del self.projectId
        return self

    @property
    def written(self) -> WrittenTask:
        """What a valid form says."""
        # A unit that was not typed is none that was chosen: the stored one stays.
        is_placed = bool(self.unitId and self.unitId.raw_data)
        unit_id = self.unitId.data if is_placed else None
        is_filed = bool(self.projectId and self.projectId.raw_data)
        return replace(
            super().written,
            unit_id=unit_id,
            is_placed=is_placed,
            project_id=self.projectId.data if is_filed else None,
            is_filed=is_filed,
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
        self.kind.choices = [
            (value, text) for value, text in choices(TaskKind) if value != TaskKind.TURNOVER
        ]
        self.unitId.choices = _places(self.buildingId.data or "")
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


def _places(building_id: str) -> list[tuple[str, str]]:
    units = unit_names(reading(), building_id)
    return [("", str(_("Shared areas"))), *((unit.id, unit.name) for unit in units)]


def _projects(task: TaskRecord) -> list[tuple[str, str]]:
    """The open projects of the task's building; none for who reaches no projects.

    A task of a project that is over stays there, as what was done for it.
    """
    if not may("project"):
        return []
    projects = {one.id: one for one in open_projects(reading(), task.place.building_id)}
    own = task.project
    if not projects or (own is not None and own.id not in projects):
        return []
    named = [(one.id, f"{one.name} {one.title}") for one in projects.values()]
    return [("", str(_("No project"))), *named]
