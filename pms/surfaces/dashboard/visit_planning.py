"""Planning a visit: the building, the person, the day and the tasks."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict

from pms.catalogue import buildings, records
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard, reading
from pms.surfaces.dashboard.visits import VisitForm, visit_visibility
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.forms import QueryForm, mark_unaccepted, part_of, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.request_scope import today
from pms.upkeep import task_days, task_visibility, visit_changes
from pms.upkeep.task_visibility import Assignee
from pms.upkeep.visits import ListedVisit, list_visits, visits_of_day


class PlanningWeekForm(QueryForm):
    """The first day, and optionally one person."""

    fromOn = DayField(lazy_gettext("From"), [Optional()])
    personId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self, people: Iterable[Assignee]) -> None:
        """Fill the list of staff."""
        named = [(person.person_id, person.name) for person in people]
        self.personId.choices = [("", lazy_gettext("Everyone")), *named]


_WEEK: Final = timedelta(days=7)
_VISITS_A_PAGE: Final = 50


@dashboard.get("/visits", roles=EVERYBODY)
def visits() -> Response:
    """Show seven days from the chosen one, by default from today."""
    form = PlanningWeekForm(request.args)
    form.offer(task_visibility.assignees(reading()) if current_member().is_office else ())
    is_sound = form.validate()
    first_on = form.fromOn.data if is_sound and form.fromOn.data else today()
    if is_sound:
        form.fromOn.data = first_on
    last_on = min(first_on, LAST_DAY - _WEEK) + _WEEK - timedelta(days=1)
    person_id = form.personId.data if is_sound else None
    found = list_visits(reading(), first_on, last_on, visit_visibility(), person_id=person_id)
    shown = part_of(found if is_sound else (), "page", _VISITS_A_PAGE)
    response = page_or_block(
        "dashboard/visits/week.html",
        "results",
        form=form,
        days={
            day: list(visits) for day, visits in groupby(shown.rows, key=lambda visit: visit.on_day)
        },
        shown=shown,
        first_on=first_on,
        last_on=last_on,
        today=today(),
        before=_build_address(max(first_on - _WEEK, FIRST_DAY), person_id),
        after=_build_address(last_on + timedelta(days=1), person_id),
    )
    return response if is_sound else mark_unaccepted(response)


def _build_address(from_on: date, person_id: str | None) -> str:
    return url_for("dashboard.visits", fromOn=from_on.isoformat(), personId=person_id)


_TEMPLATE = "dashboard/visits/new.html"


@dashboard.get("/visits/new", roles=EVERYBODY)
def new_visit() -> Response:
    """Show the form for a building or for chosen tasks, or ask for the building."""
    asked = request.args
    building_id, chosen = asked.get("buildingId"), asked.getlist("taskId")
    if chosen or asked.get("projectId"):
        task_ids = chosen
        task_place, task_chosen = task_days.building_of_tasks(
            reading(), task_ids, asked.get("projectId"), visit_visibility()
        )
        wanted = (
            [task_id for task_id in task_ids if task_id in task_chosen]
            if task_ids
            else list(task_chosen)
        )
        place, chosen = task_place, wanted
        building_id = place or building_id
    if not building_id or not is_id(building_id):
        return page_or_block(
            _TEMPLATE, "planning", form=None, buildings=buildings.building_names(reading())
        )
    person_id = asked.get("personId") or (
        None if current_member().is_office else current_member().person_id
    )
    form = VisitForm(
        data={"buildingId": building_id, "personId": person_id, "onDay": today(), "taskIds": chosen}
    )
    if asked.get("onDay"):
        form.onDay.process(MultiDict({"onDay": asked["onDay"]}))
    return _render_planning(form)


@dashboard.post("/visits", roles=EVERYBODY)
def plan_visit() -> Response:
    """Plan the visit, or add to one that is already planned."""
    # The form with its tasks as a list; an undo sends them in one field.
    given = MultiDict(request.form)
    ids = given.getlist("taskIds")
    if len(ids) == 1 and "," in ids[0]:
        given.setlist("taskIds", ids[0].split(","))
    form = VisitForm(given)
    _offer_choices(form)
    return submitted(
        form,
        act=lambda work: visit_changes.plan_visit(
            work,
            person_id=form.personId.data,
            building_id=form.buildingId.data,
            on_day=form.onDay.data,
            task_ids=form.taskIds.data or (),
            note=form.note.data,
            visibility=visit_visibility(),
            may_take_over=form.takesOver.data,
        ),
        then=lambda visit_id: go(
            url_for("dashboard.visit", visit_id=visit_id), message=_("Visit planned.")
        ),
        again=lambda: _render_planning(form),
    )


def _render_planning(form: VisitForm) -> Response:
    block = "day" if request.args.get("part") == "day" else "planning"
    try:
        building = records.building_record(reading(), form.buildingId.data or "")
    except NotFound:
        form = VisitForm(formdata=None)
        return page_or_block(
            _TEMPLATE, "planning", form=None, buildings=buildings.building_names(reading())
        )
    notes = _offer_choices(form)
    person_id, on = form.personId.data, form.onDay.data
    known = {choice[0] for choice in form.personId.choices or ()}
    same_day: Sequence[ListedVisit] = ()
    if person_id and on is not None and person_id in known:
        same_day = visits_of_day(reading(), person_id, on)
    return page_or_block(
        _TEMPLATE,
        block,
        form=form,
        building=building,
        notes=notes,
        same_day=same_day,
    )


def _offer_choices(form: VisitForm) -> dict[str, str]:
    staff = task_visibility.assignees(reading())
    if current_member().is_office:
        assignees = staff
    else:
        assignees = [person for person in staff if person.person_id == current_member().person_id]
    form.offer_people(assignees)
    building_id = form.buildingId.data or ""
    if not is_id(building_id):
        form.taskIds.choices = []
        return {}
    chosen = form.taskIds.data or ()
    tasks = task_days.plannable_tasks(reading(), building_id, visit_visibility(), chosen)
    return dict(form.offer_tasks(tasks))
