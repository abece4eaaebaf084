"""Residents' reports of the condition on arrival: those sent, those missing, and their photos."""

from flask import Flask, Response, abort, request, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import condition_report_lists, reservation_headers
from pms.arrivals.condition_reports import condition_photo_file, sent_condition
from pms.surfaces.dashboard.gate import MAINTENANCE, OFFICE, current_member, dashboard, reading
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files, today


@dashboard.get("/condition-reports", roles=MAINTENANCE)
def condition_reports() -> Response:
    """Show the unread reports or all of them; only office staff see who has not sent one."""
    is_unseen, paging = request.args.get("state") != "all", asked_paging()
    return page(
        "dashboard/condition_reports/list.html",
        is_unseen=is_unseen,
        found=condition_report_lists.sent_reports(reading(), is_unseen=is_unseen, paging=paging),
        missing=condition_report_lists.missing_reports(reading(), today())
        if current_member().is_office
        else (),
        paging=paging,
        now_on=today(),
    )


def report_of(reservation_id: str) -> str | None:
    """Return the report of a reservation, for the link on the reservation's page."""
    return condition_report_lists.report_sent_by(reading(), reservation_id)


@dashboard.get("/condition-reports/<condition_report_id>", roles=MAINTENANCE)
def condition_report(condition_report_id: str) -> Response:
    """Show the report."""
    return _render_report(condition_report_id, FlaskForm())


@dashboard.post("/condition-reports/<condition_report_id>/reading", roles=OFFICE)
def see_condition_report(condition_report_id: str) -> Response:
    """Mark the report as read."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: condition_report_lists.see_condition_report(
            work, report_id=condition_report_id
        ),
        then=lambda _none: go(url_for("dashboard.condition_reports"), message=_("Marked as read.")),
        again=lambda: _render_report(condition_report_id, form),
    )


@dashboard.get(
    "/condition-reports/<condition_report_id>/photos/<condition_photo_id>/<int:width>",
    roles=MAINTENANCE,
)
def condition_photo(condition_report_id: str, condition_photo_id: str, width: int) -> Response:
    """Give one picture of a report that was sent, in the given width."""
    key = condition_photo_file(reading(), condition_photo_id, width, report_id=condition_report_id)
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _render_report(condition_report_id: str, form: Form) -> Response:
    report = sent_condition(reading(), condition_report_id)
    return page(
        "dashboard/condition_reports/report.html",
        report=report,
        header=reservation_headers.reservation_header(reading(), report.reservation_id, today()),
        form=form,
    )


def install(app: Flask) -> None:
    """Register `condition_report_of(reservation_id)` for templates."""
    app.jinja_env.globals["condition_report_of"] = report_of
