"""One visit: where, when, who, and its tasks in order."""

from typing import Final

from flask import Response

from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.visits.reaching import map_of, visit_reach
from pms.surfaces.dashboard.visits.visit_form import DayForm, TasksForm
from pms.surfaces.hypermedia import page_or_block
from pms.upkeep.plannable_tasks import plannable_tasks
from pms.upkeep.visits import visit_record

TEMPLATE: Final = "dashboard/visits/visit.html"


def show(visit_id: str) -> Response:
    """Show the visit."""
    return shown(visit_id, TasksForm())


def shown(
    visit_id: str, form: TasksForm, said: str | None = None, day: DayForm | None = None
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
        notes=notes,
        said=said,
        map_at=map_of(address),
        today=today(),
    )


def offer(form: TasksForm, building_id: str, visit_id: str) -> dict[str, str]:
    """Give the form the tasks of the building that are not part of the visit yet."""
    tasks = plannable_tasks(reading(), building_id, visit_reach())
    return dict(form.offer_tasks(one for one in tasks if one.visit_id != visit_id))
