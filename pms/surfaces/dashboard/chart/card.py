"""One stay at a glance, as a bar of the chart opens it: who, when, what is owed, where to go."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Final

from flask import Response

from pms.arrivals.reservation_header import reservation_header
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.frame import tabs_of
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.refusal_wording import said

_MOVABLE: Final = frozenset({Lifecycle.LIVING, Lifecycle.NOTICE_FILED})


@dashboard.get("/reservations/<reservation_id>/card", roles=OFFICE)
def reservation_card(reservation_id: str) -> Response:
    """Show the stay with the links to its tabs and the way to move it."""
    header = reservation_header(reading(), reservation_id, today())
    return page_or_block(
        "dashboard/chart/card.html",
        "card",
        header=header,
        tabs=tabs_of(reservation_id, "reservation_card"),
        damaged=said(header.damaged) if header.damaged else None,
        is_movable=header.lifecycle in _MOVABLE and header.kind is not ReservationKind.GUEST,
    )
