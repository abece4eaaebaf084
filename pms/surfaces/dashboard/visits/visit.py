"""One visit: where, when, who, and its tasks in order."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from typing import Final

from flask import Response

from pms.foundation.ids import is_id
from pms.surfaces.dashboard.desk import may, reading, today
from pms.surfaces.dashboard.visits.reaching import map_of, visit_reach
from pms.surfaces.dashboard.visits.visit_form import DayForm, HandForm, TasksForm
from pms.surfaces.hypermedia import page_or_block
from pms.upkeep.assignees import assignees
from pms.upkeep.plannable_tasks import plannable_tasks
from pms.upkeep.visits import VisitRecord, visit_record, visits_of_day

TEMPLATE: Final = "dashboard/visits/visit.html"


@dashboard.get("/visits/<visit_id>", roles=EVERYBODY)
def visit(visit_id: str) -> Response:
    """Show the visit."""
    return shown(visit_id, TasksForm())


def shown(
    visit_id: str,
    form: TasksForm,
    said: str | None = None,
    day: DayForm | None = None,
    hand: HandForm | None = None,
) -> Response:
    """Show the visit with what else could be done on the way; `said` tells of a deed."""
    record = visit_record(reading(), visit_id, visit_reach())
    address = record.visit.address.ja or ""
    notes = offer(form, record.visit.building_id, visit_id)
    return page_or_block(
        TEMPLATE,
        "tasks",
        record=record,
        visit=record.visit,
        form=form,
        day=day or DayForm(data={"onDay": record.visit.on_day}),
        hand=_handing(record, hand) if may("hand_visit") else None,
        standing_id=_standing_id(record, hand) if hand else None,
        notes=notes,
        said=said,
        map_at=map_of(address),
        today=today(),
    )


def _handing(record: VisitRecord, given: HandForm | None) -> HandForm:
    form = given or HandForm()
    others = [one for one in assignees(reading()) if one.person_id != record.visit.person_id]
    form.offer_people(others)
    form.version.data = str(record.version)
    return form


def _standing_id(record: VisitRecord, hand: HandForm) -> str | None:
    """The visit of the person chosen to the same building on the same day."""
    visit, person_id = record.visit, hand.personId.data or ""
    if not is_id(person_id) or person_id == visit.person_id or not hand.personId.errors:
        return None
    theirs = visits_of_day(reading(), person_id, visit.on_day)
    return next((one.id for one in theirs if one.building_id == visit.building_id), None)


def offer(form: TasksForm, building_id: str, visit_id: str) -> dict[str, str]:
    """Give the form the tasks of the building that are not part of the visit yet."""
    tasks = plannable_tasks(reading(), building_id, visit_reach())
    return dict(form.offer_tasks(one for one in tasks if one.visit_id != visit_id))
