"""The offers of the workspace, by how they stand."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request

from pms.offers.offers import offers
from pms.rules.enumerations import ReservationLinkState
from pms.surfaces.dashboard.desk import clock, reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page


@dashboard.get("/reservation-links", roles=OFFICE)
def reservation_links() -> Response:
    """Show a page of offers, the newest first; one state when it is asked for."""
    asked = request.args.get("state", "")
    state = ReservationLinkState(asked) if asked in set(ReservationLinkState) else None
    paging = asked_paging()
    return page(
        "dashboard/reservation_links/list.html",
        found=offers(reading(), clock().now(), paging, state),
        state=state,
        states=list(ReservationLinkState),
        paging=paging,
    )
