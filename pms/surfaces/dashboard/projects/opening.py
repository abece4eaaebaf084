"""Opens a project that begins without a report."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.records import unit_record
from pms.foundation.ids import is_id, new_id
from pms.foundation.sent_once import is_new
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.projects.opening_form import OpeningForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.open_project import open_project as open_project_verb


@dashboard.get("/projects/new", roles=MAINTENANCE)
def new_project() -> Response:
    """Show the empty form; a unit or a building that was chosen is filled in."""
    unit_id, building_id = request.args.get("unitId", ""), request.args.get("buildingId")
    if is_id(unit_id):
        building_id = unit_record(reading(), unit_id).building_id
    given = {"unitId": unit_id, "buildingId": building_id, "once": new_id()}
    return _shown(OpeningForm(data=given))


@dashboard.post("/projects/new", roles=MAINTENANCE)
def open_project() -> Response:
    """Open the project and go to it."""
    form = OpeningForm(request.form)
    form.offer()

    def act(session: WorkspaceSession) -> str | None:
        if not is_new(session, clock(), actor(), form.once.data):
            return None
        return open_project_verb(session, clock(), actor(), wanted=form.wanted)

    return submitted(form, act, then=_told, again=lambda: _shown(form))


def _told(project_id: str | None) -> Response:
    if project_id is None:
        return go(url_for("dashboard.projects"))
    return go(url_for("dashboard.project", project_id=project_id), said=_("The project is open."))


def _shown(form: OpeningForm) -> Response:
    form.offer()
    chosen = form.unitId.data or ""
    unit = unit_record(reading(), chosen) if is_id(chosen) else None
    return page_or_block("dashboard/projects/new.html", "opening", form=form, unit=unit)
