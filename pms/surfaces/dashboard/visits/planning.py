"""Plans a visit: first where, then who, when, and which tasks."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from collections.abc import Sequence

from flask import Response, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from pms.catalogue.building_names import building_names
from pms.catalogue.records import building_record
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted, today
from pms.surfaces.dashboard.visits.reaching import visit_reach
from pms.surfaces.dashboard.visits.visit_form import VisitForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.assignees import Assignee, assignees
from pms.upkeep.plan_visit import plan_visit as plan_visit_verb
from pms.upkeep.plannable_tasks import building_of_tasks, plannable_tasks
from pms.upkeep.visits import ListedVisit, visits_of_day

_TEMPLATE = "dashboard/visits/new.html"


@dashboard.get("/visits/new", roles=EVERYBODY)
def new_visit() -> Response:
    """Show the form for a building, or for tasks chosen before, or ask which building."""
    asked = request.args
    building_id, chosen = asked.get("buildingId"), asked.getlist("taskId")
    if chosen or asked.get("projectId"):
        place, chosen = _places(chosen, asked.get("projectId"))
        building_id = place or building_id
    if not building_id or not is_id(building_id):
        return page_or_block(_TEMPLATE, "planning", form=None, buildings=building_names(reading()))
    person_id = asked.get("personId") or (None if desk().is_office else desk().person_id)
    form = VisitForm(
        data={"buildingId": building_id, "personId": person_id, "onDay": today(), "taskIds": chosen}
    )
    if asked.get("onDay"):
        form.onDay.process(MultiDict({"onDay": asked["onDay"]}))
    return _shown(form)


@dashboard.post("/visits", roles=EVERYBODY)
def plan_visit() -> Response:
    """Plan the visit, or add to the one that is planned."""
    form = VisitForm(_several(request.form))
    _offer(form)
    return submitted(
        form,
        act=lambda session: plan_visit_verb(
            session,
            clock(),
            actor(),
            person_id=form.personId.data,
            building_id=form.buildingId.data,
            on_day=form.onDay.data,
            task_ids=form.taskIds.data or (),
            note=form.note.data,
            reach=visit_reach(),
            may_take_over=form.takesOver.data,
        ),
        then=lambda visit_id: go(
            url_for("dashboard.visit", visit_id=visit_id), said=_("The visit is planned.")
        ),
        again=lambda: _shown(form),
    )


def _shown(form: VisitForm) -> Response:
    block = "day" if request.args.get("part") == "day" else "planning"
    try:
        building = building_record(reading(), form.buildingId.data or "")
    except NotFound:
        form = VisitForm()
        return page_or_block(_TEMPLATE, "planning", form=None, buildings=building_names(reading()))
    return page_or_block(
        _TEMPLATE,
        block,
        form=form,
        building=building,
        notes=_offer(form),
        same_day=_same_day(form),
    )


def _offer(form: VisitForm) -> dict[str, str]:
    form.offer_people(_people())
    building_id = form.buildingId.data or ""
    if not is_id(building_id):
        form.taskIds.choices = []
        return {}
    chosen = form.taskIds.data or ()
    tasks = plannable_tasks(reading(), building_id, visit_reach(), chosen)
    return dict(form.offer_tasks(tasks))


def _people() -> Sequence[Assignee]:
    staff = assignees(reading())
    if desk().is_office:
        return staff
    return [one for one in staff if one.person_id == desk().person_id]


def _same_day(form: VisitForm) -> Sequence[ListedVisit]:
    person_id, on = form.personId.data, form.onDay.data
    known = {one[0] for one in form.personId.choices or ()}
    if not person_id or on is None or person_id not in known:
        return ()
    return visits_of_day(reading(), person_id, on)


def _places(task_ids: Sequence[str], project_id: str | None) -> tuple[str | None, list[str]]:
    place, chosen = building_of_tasks(reading(), task_ids, project_id, visit_reach())
    wanted = [one for one in task_ids if one in chosen] if task_ids else list(chosen)
    return place, wanted


def _several(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """The way back after a visit was called off names its tasks in one field."""
    given = MultiDict(form)
    ids = given.getlist("taskIds")
    if len(ids) == 1 and "," in ids[0]:
        given.setlist("taskIds", ids[0].split(","))
    return given
