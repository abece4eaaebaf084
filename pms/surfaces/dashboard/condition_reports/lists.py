"""The reports that came, the unread ones first of all, and the arrivals of whom none came."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.arrivals.condition_reports import missing_reports, report_sent_by, sent_reports
from pms.surfaces.dashboard.desk import desk, reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page


@dashboard.get("/condition-reports", roles=MAINTENANCE)
def condition_reports() -> Response:
    """Show the unread reports, or all of them; who still owes one is for the office to see."""
    is_unseen, paging = request.args.get("state") != "all", asked_paging()
    return page(
        "dashboard/condition_reports/list.html",
        is_unseen=is_unseen,
        found=sent_reports(reading(), is_unseen=is_unseen, paging=paging),
        missing=missing_reports(reading(), today()) if desk().is_office else (),
        paging=paging,
        now_on=today(),
    )


def report_of(reservation_id: str) -> str | None:
    """Return the report of a reservation, for the page of the reservation to lead to."""
    return report_sent_by(reading(), reservation_id)
