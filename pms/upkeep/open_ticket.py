"""Opens a ticket: a conversation with a resident about a problem, apart from the work."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, LONGEST_TEXT, needed_text
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id, new_id
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide, TicketState, TicketStep
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest, Ticket
from pms.upkeep.post_words import post_words
from pms.upkeep.tell_tickets import post_step
from pms.upkeep.ticket_mail import mail_ticket


def open_ticket(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    subject: str | None,
    text: str | None,
    request_id: str | None = None,
    project_id: str | None = None,
    side: TicketSide | None = None,
    locale: str | None = None,
) -> str:
    """Store the ticket with its first words and return its id (Resource overview, Ticket).

    Unless `side` says otherwise, the words are the resident's when `actor` is one, and those of
    a report, which the staff may have taken down. Such a ticket answers at once that the report
    is here, and waits for the staff. Words of the staff are mailed to the resident, in `locale`
    where that is known better, and wait for them. Raises `NotFound` for a reservation of nobody here, `Refused` for an empty text or an
    unknown report or project.
    """
    reservation = locked_reservation(session, reservation_id)
    speaker = side or (TicketSide.RESIDENT if request_id else _side_of(actor))
    row = Ticket(
        id=new_id(),
        reservation_id=reservation.id,
        request_id=_known_request(session, request_id),
        project_id=_known_project(session, project_id),
        subject=" ".join(needed_text("subject", subject, LONGEST_LINE).split()),
        state=TicketState.OPEN,
        awaits=TicketSide.STAFF,
        opened_at=clock.now(),
        opened_by=actor,
        last_message_at=clock.now(),
    )
    words = needed_text("text", text, LONGEST_TEXT)
    session.add(row)
    session.flush()
    post_words(session, clock, actor, ticket=row, words=words, side=speaker)
    if speaker == TicketSide.RESIDENT:
        post_step(session, clock, actor, ticket=row, step=TicketStep.RECEIVED)
    else:
        mail_ticket(session, clock, row, words, locale)
    _note(session, clock, actor, row)
    session.flush()
    return row.id


def _side_of(actor: str) -> TicketSide:
    """Return who speaks: a resident writes as `reservation/<id>`, everybody else is staff."""
    return TicketSide.RESIDENT if actor.startswith("reservation/") else TicketSide.STAFF


def _note(session: Session, clock: Clock, actor: str, row: Ticket) -> None:
    about = {"reservation_id": row.reservation_id, "subject": row.subject}
    note_deed(session, clock, actor, Deed.TICKET_OPENED, ("ticket", row.id), after=about)


def _known_request(session: Session, request_id: str | None) -> str | None:
    if not request_id:
        return None
    known = select(MaintenanceRequest.id).where(MaintenanceRequest.id == request_id)
    if not is_id(request_id) or session.scalar(known) is None:
        raise Refused("requestId: there is no such report.")
    return request_id


def _known_project(session: Session, project_id: str | None) -> str | None:
    if not project_id:
        return None
    known = select(MaintenanceProject.id).where(MaintenanceProject.id == project_id)
    if not is_id(project_id) or session.scalar(known) is None:
        raise Refused("projectId: there is no such project.")
    return project_id
