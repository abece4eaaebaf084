"""Hands a visit to somebody else."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.visits.reaching import visit_reach
from pms.surfaces.dashboard.visits.visit import shown
from pms.surfaces.dashboard.visits.visit_form import HandForm, TasksForm
from pms.surfaces.hypermedia import go
from pms.upkeep.assignees import assignees
from pms.upkeep.hand_visit import hand_visit as hand_visit_verb


@dashboard.post("/visits/<visit_id>/person", roles=OFFICE)
def hand_visit(visit_id: str) -> Response:
    """Hand the visit on; where the other goes there already, the answer leads to that visit."""
    form = HandForm(request.form)
    form.offer_people(assignees(reading()))
    return submitted(
        form,
        act=lambda session: hand_visit_verb(
            session,
            clock(),
            actor(),
            visit_id=visit_id,
            person_id=form.personId.data,
            version=form.seen,
            reach=visit_reach(),
        ),
        then=lambda _none: go(
            url_for("dashboard.visit", visit_id=visit_id), said=_("The visit is handed on.")
        ),
        again=lambda: shown(visit_id, TasksForm(), hand=form),
    )
