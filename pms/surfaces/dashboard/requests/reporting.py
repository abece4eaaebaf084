"""Reports a problem from where one stands: the building, the place, words, pictures."""

from collections.abc import Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import NamedBuilding, building_names
from pms.catalogue.records import unit_record
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id, new_id
from pms.foundation.paging import Paging
from pms.foundation.sent_once import is_new
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, may, reading, submitted
from pms.surfaces.dashboard.requests.report_form import ReportForm
from pms.surfaces.dashboard.requests.taken_photos import sent
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.report_problem import report_problem
from pms.upkeep.request_list import FoundRequests, RequestSearch, request_list
from pms.upkeep.upkeep_photos import REQUEST

_OWN: Final = Paging(1, 5)
_ALREADY: Final = Paging(1, 5)


def show() -> Response:
    """Show the form; in a workspace of several buildings, first the buildings."""
    given = request.args
    unit_id, building_id = given.get("unitId", ""), given.get("buildingId")
    if is_id(unit_id):
        building_id = unit_record(reading(), unit_id).building_id
    form = ReportForm(data={"unitId": unit_id, "buildingId": building_id, "once": new_id()})
    return _shown(form)


def send() -> Response:
    """Keep the report and its pictures; who may read reports goes on to it."""
    form = ReportForm(sent())
    form.offer()

    def act(session: WorkspaceSession) -> str | None:
        if not is_new(session, clock(), actor(), form.once.data):
            return None
        made = report_problem(session, clock(), actor(), reported=form.reported)
        form.keep(session, (REQUEST, made))
        return made

    return submitted(form, act, then=_told, again=lambda: _shown(form))


def _told(request_id: str | None) -> Response:
    said = _("Reported. Thank you.")
    if request_id and may("request"):
        return go(url_for("dashboard.request", request_id=request_id), said=said)
    return go(url_for("dashboard.report_problem"), said=said)


def _shown(form: ReportForm) -> Response:
    buildings = building_names(reading())
    building = _chosen(buildings, form.buildingId.data)
    form.buildingId.data = building.id if building else ""
    form.offer()
    return page_or_block(
        "dashboard/requests/new.html",
        "already",
        form=form,
        building=building,
        buildings=buildings,
        already=_already(form.chosen_unit),
        own=request_list(reading(), RequestSearch(state=None, reported_by=actor()), _OWN),
    )


def _chosen(buildings: Sequence[NamedBuilding], building_id: str | None) -> NamedBuilding | None:
    if building_id:
        found = next((one for one in buildings if one.id == building_id), None)
        if found is None:
            raise NotFound("There is no building '{id}'.", id=building_id[:60])
        return found
    return buildings[0] if len(buildings) == 1 else None


def _already(unit_id: str | None) -> FoundRequests:
    """What was reported of the unit and nobody has decided about yet."""
    if not unit_id:
        return FoundRequests((), 0)
    return request_list(reading(), RequestSearch(unit_id=unit_id), _ALREADY)
