"""The list of tasks: sorting, export, and the assignment of several at once."""

from collections.abc import Sequence
from typing import Final

from flask import Response, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    ListRequest,
    Spot,
    ValueKind,
    ask,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.work import (
    TABLE,
    WorkForm,
    WorkView,
    asked_filters,
    asked_place,
    visibility,
)
from pms.surfaces.fields import ChoiceField, ManyField, Optional
from pms.surfaces.forms import mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.upkeep import task_days
from pms.upkeep.task_days import ListedTask
from pms.upkeep.task_visibility import assign_task, assignees


def _name_place(row: ListedTask) -> str:
    return f"{row.card.building.in_language(chosen_language())} {row.card.unit_name or ''}".strip()


TASKS: Final[Listing[ListedTask]] = listing(
    "task_list",
    lazy_gettext("Tasks"),
    ListColumn(
        "task",
        lazy_gettext("Task"),
        lambda row: row.card.title or label_of(row.card.kind),
        spot=Spot.NAME,
        href=lambda row: url_for("dashboard.task", task_id=row.card.id),
    ),
    ListColumn(
        "kind", lazy_gettext("Kind"), lambda row: label_of(row.card.kind), is_first_shown=False
    ),
    ListColumn("place", lazy_gettext("Place"), _name_place, spot=Spot.PLACE),
    ListColumn("opens", lazy_gettext("From"), lambda row: row.card.opens_on, ValueKind.DAY),
    ListColumn("due", lazy_gettext("Due by"), lambda row: row.card.due_on, ValueKind.DAY, Spot.DAY),
    ListColumn(
        "state",
        lazy_gettext("Status"),
        lambda row: tags_of(row.card.hold_reason or row.card.state),
        ValueKind.TAGS,
        Spot.STATE,
    ),
    ListColumn("assignee", lazy_gettext("Assigned to"), lambda row: row.assignee),
)


class TaskAssigneeForm(FlaskForm):
    """The selected tasks, and their assignee."""

    taskIds = ManyField(lazy_gettext("Tasks"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self) -> None:
        """Fill the list of staff, and accept the tasks that were sent."""
        staff = [(person.person_id, person.name) for person in assignees(reading())]
        self.assigneeId.choices = [("", lazy_gettext("Unassigned")), *staff]
        self.taskIds.choices = [(id_, id_) for id_ in self.taskIds.raw_data or ()]


@dashboard.get("/task-list", roles=EVERYBODY)
def task_list() -> Response:
    """Show one page of the filtered tasks, or give all of them as a file."""
    return _render_tasks(TaskAssigneeForm(formdata=None))


@dashboard.post("/task-list/assignments", roles=OFFICE)
def assign_tasks() -> Response:
    """Assign every selected task to one person."""
    form = TaskAssigneeForm()
    form.offer()

    def act(work: Work) -> int:
        if not form.taskIds.data:
            raise Refused("taskIds: select at least one task.")
        person_id = form.assigneeId.data or None
        for id_ in form.taskIds.data:
            assign_task(work, task_id=id_, assignee_id=person_id, visibility=visibility())
        return len(form.taskIds.data)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            url_for("dashboard.task_list"),
            message=ngettext("%(num)d task assigned.", "%(num)d tasks assigned.", count),
        ),
        again=lambda: _render_tasks(form),
    )


def _render_tasks(assigning: TaskAssigneeForm) -> Response:
    asked, form, place = ask(TASKS), asked_filters(), asked_place()
    form.offer(
        building_choices(),
        assignees(reading()) if current_member().is_office else (),
    )
    assigning.offer()
    is_sound = form.validate()
    rows, total = _find_tasks(asked, form) if is_sound else ((), 0)
    if is_sound and asked.file_type:
        return asked.file_of(rows)
    response = page_or_block(
        "dashboard/work/table.html",
        "results",
        form=form,
        place=WorkView(TABLE, place.state, place.filters),
        today=today(),
        states=(),
        hold_reasons=(),
        assigning=assigning,
        asked=asked,
        rows=rows,
        total=total,
    )
    return response if is_sound else mark_unaccepted(response)


def _find_tasks(asked: ListRequest[ListedTask], form: WorkForm) -> tuple[Sequence[ListedTask], int]:
    return task_days.list_tasks(
        reading(), visibility(), form.task_filter(), today(), asked.paging, **asked.sorting
    )
