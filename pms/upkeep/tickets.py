"""Tickets of residents: opening, answering and closing them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeVarTuple

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, needed_text
from pms.catalogue.models import Building, Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.inbox.models import Ticket, TicketMessage
from pms.inbox.people import follow_tickets
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide, TicketState
from pms.upkeep.models import MaintenanceRequest, Task
from pms.upkeep.photos import REQUEST, add_upkeep_photo
from pms.upkeep.report_notices import tell_of_message
from pms.upkeep.task_visibility import StaffVisibility
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import branding

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class TicketVisibility(StaffVisibility):
    """Which tickets a person may see and change.

    These are the ones about projects in which the person has a task, done or not.
    """

    reservation_id: str | None = None
    """Those of one resident."""

    @classmethod
    def of_reservation(cls, reservation_id: str) -> Self:
        """Return the visibility of a resident: the tickets of their own reservation."""
        return cls(reservation_id=reservation_id)

    def narrow(self, question: Select[*Columns]) -> Select[*Columns]:
        """Return a query of tickets limited to visible ones."""
        if self.reservation_id is not None:
            question = question.where(Ticket.reservation_id == self.reservation_id)
        if self.person_id is not None:
            is_own = and_(Task.assignee_id == self.person_id, Task.project_id.is_not(None))
            own = select(Task.project_id).where(is_own)
            folded = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id.in_(own))
            question = question.where(
                or_(Ticket.project_id.in_(own), Ticket.request_id.in_(folded))
            )
        return question


TURN_AFTER: Final = {
    TicketSide.RESIDENT: TicketSide.STAFF,
    TicketSide.STAFF: TicketSide.RESIDENT,
}


def post_words(work: Work, *, ticket: Ticket, words: str, side: TicketSide) -> None:
    """Add a message of one side; it is then the other side's turn."""
    work.session.add(
        TicketMessage(
            ticket_id=ticket.id, side=side, text=words, at=work.clock.now(), by=work.actor
        )
    )
    ticket.last_message_at = work.clock.now()
    ticket.awaits = TURN_AFTER[side]


_HOME = (
    select(
        Reservation.name,
        Reservation.email,
        Reservation.locale,
        Unit.name,
        Building.name,
        Building.name_en,
    )
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .join(Unit.building)
)


def mail_ticket(
    session: Session, clock: Clock, ticket: Ticket, words: str, language: str | None = None
) -> bool:
    """Queue a mail in the resident's language; false when no address is recorded.

    `language` overrides the reservation's.

    The mail contains the message, the subject, the home and the link to reply by, and no code.
    """
    name, email, locale, unit, ja, en = session.execute(
        _HOME.where(Reservation.id == ticket.reservation_id)
    ).one()
    if not email:
        return False
    brand, locale = branding(session), language or locale
    mail = mail_text(
        "ticket",
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=name,
        home=f"{Bilingual(ja, en).in_language(locale)} {unit}",
        subject=" ".join(ticket.subject.split()),
        words=words,
        link=tenancy_link(session, ticket.reservation_id, f"/tickets/{ticket.id}", email),
    )
    put_mail(session, clock, recipient=email, **mail._asdict())
    return True


def answer_ticket(
    work: Work,
    *,
    ticket_id: str,
    text: str | None,
    side: TicketSide = TicketSide.STAFF,
    visibility: TicketVisibility | None = None,
    key: str | None = None,
    locale: str | None = None,
) -> bool:
    """Add the message and pass the turn; whether a mail goes to the resident.

    Messages of the staff are mailed in the resident's language, or in `locale` if given, where an
    address is recorded. A `key` that arrived before changes nothing. Raises `NotFound` for an
    invisible ticket, `Refused` for an empty text and a closed ticket.
    """
    ticket = locked(
        work.session, Ticket, ticket_id, within=visibility.narrow if visibility else None
    )
    words = needed_text("text", text, LONGEST_TEXT)
    if not is_new(work.session, work.clock, work.actor, key):
        return False
    if ticket.state == TicketState.CLOSED:
        raise Refused("text: this conversation is closed. Reopen it first.")
    post_words(work, ticket=ticket, words=words, side=side)
    is_mailed = side == TicketSide.STAFF and mail_ticket(
        work.session, work.clock, ticket, words, locale
    )
    # Who answered and when; the text itself is stored in the ticket only.
    facts = {"is_mailed": is_mailed}
    note_audit_event(work, AuditEvent.TICKET_ANSWERED, ("ticket", ticket.id), after=facts)
    work.session.flush()
    follow_tickets(work.session, [ticket.id])
    if side == TicketSide.RESIDENT:
        tell_of_message(work, ticket, words)
    return is_mailed


def answer_own_ticket(
    work: Work,
    *,
    reservation_id: str,
    ticket_id: str,
    text: str | None,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> None:
    """Add the resident's message and pictures; it is then the staff's turn.

    A `key` that arrived before changes nothing. Raises `NotFound` for another person's ticket,
    `Refused` for an empty text, for a closed ticket, and for pictures on a ticket without a report.
    """
    visibility = TicketVisibility.of_reservation(reservation_id)
    ticket = locked(work.session, Ticket, ticket_id, within=visibility.narrow)
    if photos and ticket.request_id is None:
        raise Refused("photo: this conversation is not about a report, so photos cannot be added.")
    if not is_new(work.session, work.clock, work.actor, key):
        return
    answer_ticket(
        work, ticket_id=ticket_id, text=text, side=TicketSide.RESIDENT, visibility=visibility
    )
    for sized in photos:
        subject = (REQUEST, str(ticket.request_id))
        add_upkeep_photo(work, subject=subject, sized=sized)


def close_ticket(work: Work, *, ticket_id: str, visibility: TicketVisibility | None = None) -> None:
    """Close the ticket, which ends the turn; a closed one is left unchanged.

    Raises `NotFound` for an invisible ticket.
    """
    ticket = locked(
        work.session, Ticket, ticket_id, within=visibility.narrow if visibility else None
    )
    if ticket.state == TicketState.CLOSED:
        return
    ticket.state, ticket.awaits = TicketState.CLOSED, TicketSide.NOBODY
    ticket.closed_at, ticket.closed_by = work.clock.now(), work.actor
    ticket.version += 1
    note_change(work, AuditEvent.TICKET_CLOSED, ticket)
    work.session.flush()
    follow_tickets(work.session, [ticket.id])


def reopen_ticket(
    work: Work, *, ticket_id: str, visibility: TicketVisibility | None = None
) -> None:
    """Open the ticket again, with the turn of the side that did not write last.

    An open one is left unchanged. Raises `NotFound` for an invisible ticket.
    """
    ticket = locked(
        work.session, Ticket, ticket_id, within=visibility.narrow if visibility else None
    )
    if ticket.state == TicketState.OPEN:
        return
    ticket.state, ticket.awaits = TicketState.OPEN, _find_turn(work.session, ticket_id)
    ticket.closed_at, ticket.closed_by = None, None
    ticket.version += 1
    note_change(work, AuditEvent.TICKET_REOPENED, ticket)
    work.session.flush()
    follow_tickets(work.session, [ticket.id])


def _find_turn(session: Session, ticket_id: str) -> TicketSide:
    last = session.scalar(
        select(TicketMessage.side)
        .where(TicketMessage.ticket_id == ticket_id, TicketMessage.text.is_not(None))
        .order_by(TicketMessage.at.desc(), TicketMessage.id.desc())
        .limit(1)
    )
    return TURN_AFTER[last or TicketSide.RESIDENT]
