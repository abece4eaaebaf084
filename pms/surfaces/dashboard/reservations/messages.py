"""The conversations with the person of a reservation, and the mails and what became of them."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.arrivals.reservation_header import reservation_header
from pms.foundation.mails_to import mails_to
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.upkeep.reporting_residents import reporting_residents
from pms.upkeep.tickets import tickets_of_reservation


@dashboard.get("/reservations/<reservation_id>/messages", roles=OFFICE)
def reservation_messages(reservation_id: str) -> Response:
    """Show the conversations, and the newest mails to the address of the reservation."""
    header = reservation_header(reading(), reservation_id, today())
    reporting = reporting_residents(reading(), header.building_id, today())
    written = {header.email, header.email.casefold()} if header.email else set()
    return framed(
        reservation_id,
        "dashboard/reservations/messages.html",
        header=header,
        is_reporting=reservation_id in {one.reservation_id for one in reporting},
        tickets=tickets_of_reservation(reading(), reservation_id),
        mails=mails_to(reading(), written) if written else (),
    )
