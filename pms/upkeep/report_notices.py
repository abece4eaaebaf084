"""Notices about what residents report and write, to those who answer and repair."""

from typing import Final

from pms.catalogue.place_names import home_name, name_places
from pms.foundation.work import Work
from pms.inbox.models import Ticket
from pms.notices.notices import NoticeEvent, notify_staff
from pms.reservations.models import Reservation
from pms.rules.enumerations import StaffRole
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.rules.urgent_words import urgent_matter
from pms.upkeep.models import MaintenanceRequest

_REPAIRING: Final = ANSWERING | {StaffRole.MAINTENANCE}


def tell_of_report(work: Work, row: MaintenanceRequest, subject: str) -> None:
    """Tell office and maintenance of a report, at once if it is about water, gas, power or a lock."""
    place = (row.building_id, row.unit_id)
    facts = {"subject": subject, "place": name_places(work.session, [place])[place]._asdict()}
    notify_staff(
        work,
        NoticeKind.REPORT_RECEIVED,
        NoticeEvent(
            row.id, f"/requests/{row.id}", facts, occasion="reported", model=MaintenanceRequest
        ),
        roles=_REPAIRING,
        is_urgent=urgent_matter(row.what) is not None,
    )


def tell_of_message(work: Work, ticket: Ticket, words: str) -> None:
    """Tell the office that a resident wrote, at once if water, gas, power or a lock is at stake."""
    reservation = work.session.get_one(Reservation, (ticket.workspace_id, ticket.reservation_id))
    facts = {
        "subject": ticket.subject,
        "place": home_name(work.session, reservation.unit_id)._asdict(),
    }
    notify_staff(
        work,
        NoticeKind.MESSAGE_RECEIVED,
        NoticeEvent(ticket.id, f"/tickets/{ticket.id}", facts, model=Ticket),
        roles=ANSWERING,
        is_urgent=urgent_matter(words) is not None,
    )
