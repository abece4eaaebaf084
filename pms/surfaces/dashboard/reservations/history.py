"""What was done to a reservation, by whom and when."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.foundation.audit import of_reservation
from pms.foundation.audit_trail import deeds
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.reservations.frame import framed


@dashboard.get("/reservations/<reservation_id>/history", roles=OFFICE)
def reservation_history(reservation_id: str) -> Response:
    """Show one page of its deeds, the newest first."""
    paging = asked_paging()
    done = deeds(
        reading(),
        subject=of_reservation(reservation_id),
        page=paging.page,
        limit=paging.limit,
    )
    return framed(
        reservation_id,
        "dashboard/reservations/history.html",
        deeds=done.deeds,
        total=done.total,
        paging=paging,
    )
