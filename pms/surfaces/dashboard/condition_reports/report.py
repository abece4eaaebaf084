"""One report with its photos, and the mark that the office has read it."""

from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE, dashboard
from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.condition_record import condition_photo_file, sent_condition
from pms.arrivals.reservation_header import reservation_header
from pms.arrivals.see_condition_report import see_condition_report as see_condition_report_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files


@dashboard.get("/condition-reports/<condition_report_id>", roles=MAINTENANCE)
def condition_report(condition_report_id: str) -> Response:
    """Show the report."""
    return _shown(condition_report_id, Form())


@dashboard.post("/condition-reports/<condition_report_id>/reading", roles=OFFICE)
def see_condition_report(condition_report_id: str) -> Response:
    """Mark the report as read."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: see_condition_report_verb(
            session, clock(), actor(), report_id=condition_report_id
        ),
        then=lambda _none: go(url_for("dashboard.condition_reports"), said=_("Marked as read.")),
        again=lambda: _shown(condition_report_id, form),
    )


@dashboard.get("/condition-reports/<condition_report_id>/photos/<condition_photo_id>/<int:width>", roles=MAINTENANCE)
def condition_photo(condition_report_id: str, condition_photo_id: str, width: int) -> Response:
    """Give one picture of a report that was sent."""
    key = condition_photo_file(reading(), condition_photo_id, width, report_id=condition_report_id)
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _shown(condition_report_id: str, form: Form) -> Response:
    report = sent_condition(reading(), condition_report_id)
    return page(
        "dashboard/condition_reports/report.html",
        report=report,
        header=reservation_header(reading(), report.reservation_id, today()),
        form=form,
    )
