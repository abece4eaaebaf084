"""Reports a problem: from where one stands, or by the office for the resident who tells of it."""

from pms.surfaces.dashboard.routes import EVERYBODY, PHOTO_BYTES, dashboard
from collections.abc import Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import NamedBuilding, building_names
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.paging import Paging
from pms.foundation.sent_once import is_new
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, may, reading, submitted
from pms.surfaces.dashboard.requests.begun_report import begun_report
from pms.surfaces.dashboard.requests.report_form import MAY_ENTER, ReportForm
from pms.surfaces.dashboard.requests.taken_photos import sent
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.report_own_problem import report_own_problem
from pms.upkeep.report_problem import report_problem as report_problem_verb
from pms.upkeep.request_list import FoundRequests, RequestSearch, request_list
from pms.upkeep.upkeep_photos import REQUEST

_OWN: Final = Paging(1, 5)
_ALREADY: Final = Paging(1, 5)


@dashboard.get("/requests/new", roles=EVERYBODY)
def report_problem() -> Response:
    """Show the form; in a workspace of several buildings, first the buildings."""
    return _shown(begun_report(request.args))


@dashboard.post("/requests/new", roles=EVERYBODY, most_bytes=PHOTO_BYTES)
def send_report() -> Response:
    """Keep the report and its pictures; who may read reports goes on to it."""
    form = ReportForm(sent())
    form.offer()
    if form.reservationId.data:
        return _send_for_resident(form)

    def act(session: WorkspaceSession) -> str | None:
        if not is_new(session, clock(), actor(), form.once.data):
            return None
        made = report_problem_verb(session, clock(), actor(), reported=form.reported)
        form.keep(session, (REQUEST, made))
        return made

    return submitted(form, act, then=_told, again=lambda: _shown(form))


def _send_for_resident(form: ReportForm) -> Response:
    """Keep it as if the resident had reported it themselves, and go on to its conversation."""
    return submitted(
        form,
        act=lambda session: report_own_problem(
            session,
            clock(),
            actor(),
            reservation_id=form.reservationId.data,
            what=form.what.data,
            may_enter=form.mayEnter.data == MAY_ENTER,
            photos=form.sized,
            key=form.once.data,
        ),
        then=_told_for_resident,
        again=lambda: _shown(form),
    )


def _told_for_resident(ticket_id: str | None) -> Response:
    said = _("Reported. The resident sees it in their portal.")
    if ticket_id is None:
        return go(url_for("dashboard.requests"), said=said)
    return go(url_for("dashboard.ticket", ticket_id=ticket_id), said=said)


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
    form.narrow()
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
    if not unit_id or not is_id(unit_id):
        return FoundRequests((), 0)
    return request_list(reading(), RequestSearch(unit_id=unit_id), _ALREADY)
