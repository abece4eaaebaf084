"""The visits of a week, day by day and person by person."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Final

from flask import Response, request, url_for

from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.surfaces.dashboard.desk import desk, reading, today
from pms.surfaces.dashboard.visits.reaching import visit_reach
from pms.surfaces.dashboard.visits.week_form import WeekForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.upkeep.assignees import assignees
from pms.upkeep.visits import ListedVisit, list_visits

_WEEK: Final = timedelta(days=7)


@dashboard.get("/visits", roles=EVERYBODY)
def visits() -> Response:
    """Show seven days from the one asked for, else from today."""
    form = WeekForm(request.args)
    form.offer(assignees(reading()) if desk().is_office else ())
    is_sound = form.validate()
    first_on = form.fromOn.data if is_sound and form.fromOn.data else today()
    if is_sound:
        form.fromOn.data = first_on
    last_on = min(first_on, LAST_DAY - _WEEK) + _WEEK - timedelta(days=1)
    person_id = form.personId.data if is_sound else None
    found = list_visits(reading(), first_on, last_on, visit_reach(), person_id=person_id)
    response = page_or_block(
        "dashboard/visits/week.html",
        "results",
        form=form,
        days=_by_day(found) if is_sound else {},
        first_on=first_on,
        last_on=last_on,
        today=today(),
        before=_address(max(first_on - _WEEK, FIRST_DAY), person_id),
        after=_address(last_on + timedelta(days=1), person_id),
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def _address(from_on: date, person_id: str | None) -> str:
    return url_for("dashboard.visits", fromOn=from_on.isoformat(), personId=person_id)


def _by_day(found: Sequence[ListedVisit]) -> Mapping[date, Sequence[ListedVisit]]:
    return {day: list(visits) for day, visits in groupby(found, key=lambda one: one.on_day)}
