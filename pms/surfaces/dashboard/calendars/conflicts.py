"""Where something outside the service and a tenancy take the same nights."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.availability.block_conflicts import block_conflicts
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page_or_block


@dashboard.get("/calendar-conflicts", roles=OFFICE)
def calendar_conflicts() -> Response:
    """Show one page of them, the earliest first."""
    found = block_conflicts(reading(), today())
    paging = asked_paging(50)
    return page_or_block(
        "dashboard/calendars/conflicts.html",
        "results",
        conflicts=found[paging.offset : paging.offset + paging.limit],
        total=len(found),
        paging=paging,
    )
