"""Reports a problem with pictures; what was told before is suggested instead."""

from collections.abc import Sequence

from flask import Response, url_for
from flask_babel import gettext as _

from pms.foundation.ids import new_id
from pms.rules.resident_reports import no_reporting
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.portals.portal import clock, key_of_form, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.pictures import sent
from pms.surfaces.portals.resident.reports.report_form import MAY_ENTER, ReportForm
from pms.upkeep.report_own_problem import report_own_problem
from pms.upkeep.similar_reports import SimilarReport, similar_reports


def show(reservation_id: str) -> Response:
    """Show the form, or why nothing can be reported here."""
    return _shown(reservation_id, ReportForm(data={"once": new_id()}))


def send(reservation_id: str) -> Response:
    """Keep the report and go on to its conversation; ask first when it sounds known."""
    form = ReportForm(sent())
    if form.validate() and not form.another.data:
        found = similar_reports(reading(), reservation_id=reservation_id, text=form.what.data or "")
        if found:
            return _asked(reservation_id, form, found)
    return submitted(
        form,
        act=lambda session: report_own_problem(
            session,
            clock(),
            own.actor(),
            reservation_id=reservation_id,
            what=form.words,
            may_enter=form.mayEnter.data == MAY_ENTER,
            photos=form.sized,
            key=key_of_form(),
        ),
        then=lambda ticket_id: _told(reservation_id, ticket_id),
        again=lambda: _shown(reservation_id, form),
    )


def _told(reservation_id: str, ticket_id: str | None) -> Response:
    said = _("Your report is sent. You are told here how it goes on.")
    if ticket_id is None:
        return go(url_for(".tickets", reservation_id=reservation_id), said=said)
    return go(url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id), said=said)


def _asked(reservation_id: str, form: ReportForm, found: Sequence[SimilarReport]) -> Response:
    form.another.data = "1"
    response = _shown(reservation_id, form, found)
    response.status_code = UNACCEPTED
    return response


def _shown(
    reservation_id: str, form: ReportForm, similar: Sequence[SimilarReport] = ()
) -> Response:
    tenancy = own.tenancy(reservation_id)
    return page(
        "portals/resident/report.html",
        tenancy=tenancy,
        form=form,
        similar=similar,
        unable=no_reporting(tenancy.lifecycle, tenancy.starts_on, today()),
    )
