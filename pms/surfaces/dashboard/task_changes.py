"""Adding, editing, cancelling and restoring tasks."""

from dataclasses import replace
from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.catalogue.buildings import building_names
from pms.catalogue.units import unit_names
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind, TaskState
from pms.surfaces.dashboard.gate import EVERYBODY, actor, current_member, dashboard, may, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.tasks import own_visibility, render_task
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
    SeenField,
    TextField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go, page
from pms.surfaces.labels.enumerations import choices
from pms.upkeep import project_lists, task_record, task_visibility, tasks
from pms.upkeep.project_lists import ProjectRecord
from pms.upkeep.task_record import TaskRecord
from pms.upkeep.tasks import WantedTask, WrittenTask


class WrittenForm(FlaskForm):
    """The texts and days of a task."""

    title = TextField(lazy_gettext("Title"), [Optional()])
    note = LongTextField(lazy_gettext("Work to do"), [Optional()])
    opensOn = DayField(lazy_gettext("Available from"), [Optional()])
    dueOn = DayField(lazy_gettext("Due by"), [Optional()])

    @property
    def written_task(self) -> WrittenTask:
        """The task of a valid form."""
        return WrittenTask(
            title=self.title.data,
            note=self.note.data,
            opens_on=self.opensOn.data if self.opensOn else None,
            due_on=self.dueOn.data if self.dueOn else None,
        )


class EditedForm(WrittenForm):
    """The texts and days of a task, and its unit and project where these may change."""

    unitId = ChoiceField(lazy_gettext("Where"), [Optional()])
    projectId = ChoiceField(lazy_gettext("Project"), [Optional()])

    @classmethod
    def of(cls, task: TaskRecord) -> Self:
        """Return the form filled with a task."""
        days = {"opensOn": task.opens_on, "dueOn": task.due_on}
        words = {"title": task.title, "note": task.note, "unitId": task.place.unit_id or ""}
        project = {"projectId": task.project.id if task.project else ""}
        return cls(formdata=None, data=words | days | project).fit_to_task(task)

    def fit_to_task(self, task: TaskRecord) -> Self:
        """Return the form without the fields of the task that this person may not change."""
        self.title.flags.optional = not tasks.needs_title(task.kind)
        if task.leaving_id:
            del self.opensOn, self.dueOn
        is_own = tasks.may_cancel(task.created_by, actor(), own_visibility())
        if task.leaving_id or task.state is TaskState.DONE or not is_own:
            del self.unitId
        else:
            self.unitId.choices = _list_place_choices(task.place.building_id)
        choices = _list_project_choices(task)
        if choices:
            self.projectId.choices = choices
        else:
            del self.projectId
        return self

    @property
    def written_task(self) -> WrittenTask:
        """The task of a valid form."""
        # Without a sent unit the stored one is kept.
        is_placed = bool(self.unitId and self.unitId.raw_data)
        unit_id = self.unitId.data if is_placed else None
        is_filed = bool(self.projectId and self.projectId.raw_data)
        return replace(
            super().written_task,
            unit_id=unit_id,
            is_placed=is_placed,
            project_id=self.projectId.data if is_filed else None,
            is_filed=is_filed,
        )


class NewTaskForm(WrittenForm):
    """A task in a building or one of its units."""

    # Whether it is optional depends on the kind.
    title = TextField(lazy_gettext("Title"))
    buildingId = HiddenField()
    projectId = HiddenField()
    kind = PickField(lazy_gettext("Kind"), [Required()])
    unitId = ChoiceField(lazy_gettext("Where"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self) -> None:
        """Fill the lists of the building's places and of the people who may do the work."""
        self.kind.choices = [
            (value, text) for value, text in choices(TaskKind) if value != TaskKind.TURNOVER
        ]
        self.unitId.choices = _list_place_choices(self.buildingId.data or "")
        if not current_member().is_office:
            assignee_choices = [(current_member().person_id, current_member().name)]
        else:
            assignee_choices = [
                (person.person_id, person.name) for person in task_visibility.assignees(reading())
            ]
        self.assigneeId.choices = [
            ("", str(lazy_gettext("Unassigned"))),
            *assignee_choices,
        ]

    @property
    def wanted_task(self) -> WantedTask:
        """The task of a valid form."""
        written = self.written_task
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


def _list_place_choices(building_id: str) -> list[tuple[str, str]]:
    units = unit_names(reading(), building_id)
    return [("", str(lazy_gettext("Shared areas"))), *((unit.id, unit.name) for unit in units)]


def _list_project_choices(task: TaskRecord) -> list[tuple[str, str]]:
    """Return the open projects of the task's building; none if this person may not see projects.

    A task of an ended project stays in it, so there are no choices for it either.
    """
    if not may("project"):
        return []
    projects = {
        project.id: project
        for project in project_lists.open_projects(reading(), task.place.building_id)
    }
    own = task.project
    if not projects or (own is not None and own.id not in projects):
        return []
    named = [(project.id, f"{project.name} {project.title}") for project in projects.values()]
    return [("", str(lazy_gettext("No project"))), *named]


@dashboard.get("/tasks/<task_id>/edit", roles=EVERYBODY)
def edit_task(task_id: str) -> Response:
    """Show the form of a task."""
    return _render_edit(
        task_id, _build_edit(task_record.task_record(reading(), task_id, own_visibility()))
    )


@dashboard.post("/tasks/<task_id>/edit", roles=EVERYBODY)
def save_task(task_id: str) -> Response:
    """Save the task."""
    form = EditedForm().fit_to_task(task_record.task_record(reading(), task_id, own_visibility()))
    for name in ("unitId", "projectId"):
        if name in form and name not in request.form:
            # A field that the sent page did not have must not be merged.
            del form[name]
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> None:
        task = task_record.task_record(work.session, task_id, own_visibility())
        edit.merge(work, _build_edit(task), subject=("task", task_id))
        tasks.edit_task(
            work,
            task_id=task_id,
            written=form.written_task,
            version=task.version,
            visibility=own_visibility(),
        )

    return edit.save(
        act, url_for("dashboard.task", task_id=task_id), again=lambda: _render_edit(task_id, edit)
    )


def _build_edit(task: TaskRecord) -> Edit:
    return Edit.of(EditedForm.of(task), task.version)


def _render_edit(task_id: str, edit: Edit) -> Response:
    task = task_record.task_record(reading(), task_id, own_visibility())
    return page("dashboard/tasks/edit.html", form=edit.form, edit=edit, task=task)


@dashboard.get("/tasks/new", roles=EVERYBODY)
def new_task() -> Response:
    """Show the buildings, or the empty form for the chosen one."""
    given = {name: request.args.get(name) for name in ("buildingId", "unitId", "projectId", "kind")}
    project = _read_project(given["projectId"])
    if project is not None:
        given |= {"buildingId": project.building_id, "unitId": given["unitId"] or project.unit_id}
    return _render_adding(NewTaskForm(data=given))


@dashboard.post("/tasks", roles=EVERYBODY)
def add_task() -> Response:
    """Add the task and show it."""
    form = NewTaskForm()
    form.offer()
    return submitted(
        form,
        act=lambda work: tasks.add_task(work, wanted=form.wanted_task),
        then=lambda task_id: go(_find_home_address(form, task_id), message=_("Task added.")),
        again=lambda: _render_adding(form),
    )


def _find_home_address(form: NewTaskForm, task_id: str) -> str:
    """Return the address to go back to: the project, else the new task."""
    if form.projectId.data and may("project"):
        return url_for("dashboard.project", project_id=form.projectId.data)
    return url_for("dashboard.task", task_id=task_id)


def _read_project(project_id: str | None) -> ProjectRecord | None:
    return (
        project_lists.project_record(reading(), project_id)
        if project_id and may("project")
        else None
    )


def _render_adding(form: NewTaskForm) -> Response:
    buildings = building_names(reading())
    if len(buildings) == 1 and not form.buildingId.data:
        form.buildingId.data = buildings[0].id
    building = next((choice for choice in buildings if choice.id == form.buildingId.data), None)
    form.offer()
    return page(
        "dashboard/tasks/new.html",
        form=form,
        building=building,
        buildings=buildings,
        project=_read_project(form.projectId.data),
    )


class CancellingForm(FlaskForm):
    """Why the task is not needed, and the number of moves that was seen."""

    reason = LongTextField(lazy_gettext("Why is it not needed?"), [Required()])
    moves = SeenField()


@dashboard.get("/tasks/<task_id>/cancellation", roles=EVERYBODY)
def check_task_cancellation(task_id: str) -> Response:
    """Show what cancelling does, with the form for the reason."""
    task = task_record.task_record(reading(), task_id, own_visibility())
    return _ask_again(task_id, CancellingForm(data={"moves": str(task.moves)}))


@dashboard.post("/tasks/<task_id>/cancellation", roles=EVERYBODY)
def cancel_task(task_id: str) -> Response:
    """Cancel the task; the confirmation offers to restore it."""
    form = CancellingForm()
    return submitted(
        form,
        act=lambda work: tasks.cancel_task(
            work, reason=form.reason.data, **_cancelling_arguments(task_id, form)
        ),
        then=lambda _none: go(
            url_for("dashboard.task", task_id=task_id),
            message=_("Task cancelled."),
            undo=Undo(url_for("dashboard.restore_task", task_id=task_id), {}),
        ),
        again=lambda: _ask_again(task_id, form),
    )


@dashboard.post("/tasks/<task_id>/restoration", roles=EVERYBODY)
def restore_task(task_id: str) -> Response:
    """Restore the task."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: tasks.restore_task(work, task_id=task_id, visibility=own_visibility()),
        then=lambda _none: go(
            url_for("dashboard.task", task_id=task_id), message=_("Task restored.")
        ),
        again=lambda: render_task(task_id, form),
    )


def _cancelling_arguments(task_id: str, form: CancellingForm) -> dict[str, Any]:
    return {"task_id": task_id, "visibility": own_visibility(), "seen_moves": form.moves.seen_value}


def _ask_again(task_id: str, form: CancellingForm) -> Response:
    task = task_record.task_record(reading(), task_id, own_visibility())
    return page("dashboard/tasks/cancelling.html", task=task, form=form)
