"""Visits: one person, one building, one day, and tasks in order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.ids import is_id
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, current_member, dashboard, may, reading
from pms.surfaces.dashboard.move_out_notices import VersionForm
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    HiddenField,
    LongTextField,
    ManyField,
    Optional,
    Required,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go, is_part, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import list_day
from pms.surfaces.request_scope import today
from pms.upkeep import task_days, task_visibility, visit_changes, visit_order, visits
from pms.upkeep.task_days import PlannableTask
from pms.upkeep.task_visibility import Assignee, TaskVisibility
from pms.upkeep.visit_changes import CancelledVisit
from pms.upkeep.visits import VisitRecord


class TasksForm(FlaskForm):
    """Tasks to add to a visit; those of another visit only if confirmed."""

    taskIds = ManyField(lazy_gettext("Tasks"))
    takesOver = FlagField(lazy_gettext("Include tasks of another visit"))

    def offer_tasks(self, tasks: Iterable[PlannableTask]) -> Mapping[str, str]:
        """Fill the list of tasks, and return the note below each."""
        offered = list(tasks)
        self.taskIds.choices = [
            (task.card.id, task.card.title or label_of(task.card.kind)) for task in offered
        ]
        visit_messages = {}
        for task in offered:
            parts = [task.card.unit_name or _("Shared areas")]
            if task.card.due_on:
                parts.append(_("Until %(day)s", day=list_day(task.card.due_on).striptags()))
            if task.held_by and task.held_on:
                facts = {"name": task.held_by, "day": list_day(task.held_on).striptags()}
                parts.append(_("Part of the visit of %(name)s on %(day)s", **facts))
            visit_messages[task.card.id] = " · ".join(parts)
        return visit_messages


class VisitDayForm(FlaskForm):
    """Another day for a visit."""

    onDay = DayField(lazy_gettext("Day"), [Required()])


class VisitPersonForm(FlaskForm):
    """The person who makes a visit."""

    personId = ChoiceField(lazy_gettext("Assigned to"), [Required()])

    def offer_people(self, people: Sequence[Assignee]) -> None:
        """Fill the list of people."""
        named: list[tuple[str, Any]] = [(person.person_id, person.name) for person in people]
        self.personId.choices = (
            [("", lazy_gettext("Choose a person")), *named] if len(named) > 1 else named
        )


class HandForm(VisitPersonForm, VersionForm):
    """Another person for a visit, and the version that was seen."""


class VisitForm(TasksForm, VisitPersonForm):
    """A person, a building, a day, tasks, and an optional note."""

    buildingId = HiddenField()
    onDay = DayField(lazy_gettext("Day"), [Required()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])


_MAP = "https://www.google.com/maps/search/?"


def visit_visibility() -> TaskVisibility:
    """Return what this person may see: everyone's visits for the office, else their own."""
    return TaskVisibility.of_staff(current_member().role, current_member().person_id)


def map_of(address: str) -> str:
    """Return the address of a map; nothing is requested from it until the link is opened."""
    return _MAP + urlencode({"api": 1, "query": address})


TEMPLATE: Final = "dashboard/visits/visit.html"


@dashboard.get("/visits/<visit_id>", roles=EVERYBODY, is_secret=True)
def visit(visit_id: str) -> Response:
    """Show the visit."""
    return render_visit(visit_id, TasksForm())


def render_visit(
    visit_id: str,
    form: TasksForm,
    message: str | None = None,
    day: VisitDayForm | None = None,
    hand: HandForm | None = None,
) -> Response:
    """Show the visit with further tasks of its building; `message` confirms an action."""
    record = visits.visit_record(reading(), visit_id, visit_visibility())
    address = record.visit.address.ja or ""
    notes = offer(form, record.visit.building_id, visit_id)
    return page_or_block(
        TEMPLATE,
        "tasks",
        record=record,
        visit=record.visit,
        form=form,
        day=day or VisitDayForm(formdata=None, data={"onDay": record.visit.on_day}),
        hand=_build_hand_form(record, hand) if may("hand_visit") else None,
        standing_id=_standing_id(record, hand) if hand else None,
        notes=notes,
        message=message,
        map_at=map_of(address),
        today=today(),
    )


def _build_hand_form(record: VisitRecord, given: HandForm | None) -> HandForm:
    form = given or HandForm(formdata=None)
    others = [
        person
        for person in task_visibility.assignees(reading())
        if person.person_id != record.visit.person_id
    ]
    form.offer_people(others)
    form.version.data = str(record.version)
    return form


def _standing_id(record: VisitRecord, hand: HandForm) -> str | None:
    """Return the chosen person's own visit to the same building on the same day, if any."""
    visit, person_id = record.visit, hand.personId.data or ""
    if not is_id(person_id) or person_id == visit.person_id or not hand.personId.errors:
        return None
    theirs = visits.visits_of_day(reading(), person_id, visit.on_day)
    return next((other.id for other in theirs if other.building_id == visit.building_id), None)


def offer(form: TasksForm, building_id: str, visit_id: str) -> dict[str, str]:
    """Offer the tasks of the building that are not part of the visit yet."""
    tasks = task_days.plannable_tasks(reading(), building_id, visit_visibility())
    return dict(form.offer_tasks(task for task in tasks if task.visit_id != visit_id))


_WAYS: Final = ("up", "down")


@dashboard.post("/visits/<visit_id>/tasks", roles=EVERYBODY)
def add_to_visit(visit_id: str) -> Response:
    """Add tasks to the visit."""
    form = TasksForm()
    visit = visits.visit_record(reading(), visit_id, visit_visibility()).visit
    offer(form, visit.building_id, visit_id)
    return submitted(
        form,
        act=lambda work: visit_changes.add_to_visit(
            work,
            visit_id=visit_id,
            task_ids=form.taskIds.data or (),
            visibility=visit_visibility(),
            may_take_over=form.takesOver.data,
        ),
        then=lambda _count: _return_to_visit(
            visit_id, _("The tasks have been added to the visit.")
        ),
        again=lambda: render_visit(visit_id, form),
    )


@dashboard.post("/visits/<visit_id>/order", roles=EVERYBODY)
def order_visit(visit_id: str) -> Response:
    """Move a task one place up or down."""
    way = request.form.get("way")
    message = _("Moved up.") if way == "up" else _("Moved down.")
    return _change_visit(
        visit_id, visit_order.order_visit, message, way=way if way in _WAYS else "down"
    )


@dashboard.post("/visits/<visit_id>/removals", roles=EVERYBODY)
def remove_from_visit(visit_id: str) -> Response:
    """Remove a task from the visit; the confirmation offers to undo it."""
    address = url_for("dashboard.add_to_visit", visit_id=visit_id)
    undo = Undo(address, {"taskIds": request.form.get("taskId", "")})
    message = _("The task has been removed from the visit.")
    return _change_visit(visit_id, visit_order.remove_from_visit, message, undo)


@dashboard.post("/visits/<visit_id>/day", roles=EVERYBODY)
def move_visit(visit_id: str) -> Response:
    """Move the visit to another day, where it joins an existing visit."""
    form = VisitDayForm()
    return submitted(
        form,
        act=lambda work: visit_changes.move_visit(
            work, visit_id=visit_id, on_day=form.onDay.data, visibility=visit_visibility()
        ),
        then=lambda moved_id: _return_to_visit(moved_id, _("Visit rescheduled.")),
        again=lambda: render_visit(visit_id, TasksForm(formdata=None), day=form),
    )


@dashboard.post("/visits/<visit_id>/cancellation", roles=EVERYBODY)
def cancel_visit(visit_id: str) -> Response:
    """Cancel the visit; the confirmation offers to plan it again."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: visit_changes.cancel_visit(
            work, visit_id=visit_id, visibility=visit_visibility()
        ),
        then=lambda gone: go(
            url_for("dashboard.visits", fromOn=gone.on_day.isoformat()),
            message=_("Visit cancelled. Its tasks can be planned again."),
            undo=_planned_anew(gone),
        ),
        again=lambda: render_visit(visit_id, TasksForm(formdata=None)),
    )


def _planned_anew(visit: CancelledVisit) -> Undo | None:
    if not visit.task_ids:
        return None
    fields = {
        "buildingId": visit.building_id,
        "personId": visit.person_id,
        "onDay": visit.on_day.isoformat(),
        "note": visit.note or "",
        "taskIds": ",".join(visit.task_ids),
    }
    return Undo(url_for("dashboard.plan_visit"), fields)


def _change_visit(
    visit_id: str,
    verb: Callable[..., None],
    message: str,
    undo: Undo | None = None,
    **step: Any,
) -> Response:
    form = TasksForm(formdata=None)
    return submitted(
        FlaskForm(),
        act=lambda work: verb(
            work,
            visit_id=visit_id,
            task_id=request.form.get("taskId", ""),
            visibility=visit_visibility(),
            **step,
        ),
        then=lambda _none: _return_to_visit(visit_id, message, undo),
        again=lambda: render_visit(visit_id, form),
    )


def _return_to_visit(visit_id: str, message: str, undo: Undo | None = None) -> Response:
    # A change of order updates the page in place; a change with an undo shows a page of its own.
    if is_part() and undo is None:
        return render_visit(visit_id, TasksForm(formdata=None), message)
    return go(url_for("dashboard.visit", visit_id=visit_id), message=message, undo=undo)


@dashboard.post("/visits/<visit_id>/person", roles=OFFICE)
def hand_visit(visit_id: str) -> Response:
    """Hand the visit to another person; the refusal links to a visit they already have there."""
    form = HandForm()
    form.offer_people(task_visibility.assignees(reading()))
    return submitted(
        form,
        act=lambda work: visit_changes.hand_visit(
            work,
            visit_id=visit_id,
            person_id=form.personId.data,
            version=form.version.seen_value,
            visibility=visit_visibility(),
        ),
        then=lambda _none: go(
            url_for("dashboard.visit", visit_id=visit_id), message=_("Visit reassigned.")
        ),
        again=lambda: render_visit(visit_id, TasksForm(formdata=None), hand=form),
    )
