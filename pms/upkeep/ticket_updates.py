"""Posts the progress of work into its tickets, each step once."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, LONGEST_TEXT, needed_text
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, has_row, locked
from pms.inbox.models import Ticket, TicketMessage
from pms.inbox.people import follow_tickets
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TicketSide, TicketState, TicketStep
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest
from pms.upkeep.report_notices import tell_of_message
from pms.upkeep.tickets import mail_ticket, post_words

LONGEST_TITLE: Final = 120
_LONGEST_MADE: Final = 60


def first_line(text: str) -> str:
    """Return the first line of a text that is not empty, shortened with an ellipsis."""
    line = text.strip().splitlines()[0].strip() if text.strip() else ""
    return line if len(line) <= _LONGEST_MADE else f"{line[: _LONGEST_MADE - 1].rstrip()}…"


LastStep = tuple[TicketStep | None, date | None]


def tell_tickets(
    work: Work,
    *,
    step: TicketStep,
    project_id: str | None = None,
    request_id: str | None = None,
    on: date | None = None,
) -> int:
    """Post a step into every open ticket of a project or a report; return the number of tickets.

    A project's tickets are those about it and about the reports folded into it. A ticket's last
    step is not posted again, except for another day of a visit. The turn does not change: a step
    requires no answer. The caller records the audit event.
    """
    tickets = _open_tickets(work.session, project_id, request_id)
    last = _last_steps(work.session, [ticket.id for ticket in tickets])
    behind = [ticket for ticket in tickets if last.get(ticket.id) != (step, on)]
    for ticket in behind:
        post_step(work, ticket=ticket, step=step, on=on)
    work.session.flush()
    follow_tickets(work.session, [ticket.id for ticket in behind])
    return len(behind)


def post_step(work: Work, *, ticket: Ticket, step: TicketStep, on: date | None = None) -> None:
    """Post one step into one ticket; its text is made when it is read, in the reader's language."""
    work.session.add(
        TicketMessage(
            ticket_id=ticket.id,
            side=TicketSide.STAFF,
            step=step,
            step_on=on,
            at=work.clock.now(),
            by=work.actor,
        )
    )


def _open_tickets(
    session: Session, project_id: str | None, request_id: str | None
) -> Sequence[Ticket]:
    if project_id is None and request_id is None:
        return ()
    session.flush()
    question = select(Ticket).where(
        Ticket.state == TicketState.OPEN, or_(*_build_subject_conditions(project_id, request_id))
    )
    return session.scalars(question.order_by(Ticket.id).with_for_update()).all()


def _build_subject_conditions(
    project_id: str | None, request_id: str | None
) -> Sequence[ColumnElement[bool]]:
    about = []
    if project_id is not None:
        folded = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id == project_id)
        about += [Ticket.project_id == project_id, Ticket.request_id.in_(folded)]
    if request_id is not None:
        about.append(Ticket.request_id == request_id)
    return about


def _last_steps(session: Session, ticket_ids: Sequence[str]) -> Mapping[str, LastStep]:
    if not ticket_ids:
        return {}
    rows = session.execute(
        select(TicketMessage.ticket_id, TicketMessage.step, TicketMessage.step_on)
        .where(TicketMessage.ticket_id.in_(ticket_ids), TicketMessage.step.is_not(None))
        .order_by(TicketMessage.at, TicketMessage.id)
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def open_ticket(
    work: Work,
    *,
    reservation_id: str,
    subject: str | None,
    text: str | None,
    request_id: str | None = None,
    project_id: str | None = None,
    side: TicketSide | None = None,
    locale: str | None = None,
) -> str:
    """Store the ticket with its first message and return its id (Resource overview, Ticket).

    Unless `side` says otherwise, the message is the resident's when `actor` is one or when it is a
    report, which the staff may have entered. A ticket of a report gets an acknowledgement at once
    and waits for the staff. A message of the staff is mailed to the resident, in `locale` if given,
    and waits for them. Raises `NotFound` for an unknown reservation, `Refused` for an empty text or
    an unknown report or project.
    """
    reservation = locked(work.session, Reservation, reservation_id)
    speaker = side or (TicketSide.RESIDENT if request_id else _side_of(work.actor))
    row = Ticket(
        id=new_id(),
        reservation_id=reservation.id,
        request_id=_known_request(work.session, request_id),
        project_id=_known_project(work.session, project_id),
        subject=" ".join(needed_text("subject", subject, LONGEST_LINE).split()),
        state=TicketState.OPEN,
        awaits=TicketSide.STAFF,
        opened_at=work.clock.now(),
        opened_by=work.actor,
        last_message_at=work.clock.now(),
    )
    words = needed_text("text", text, LONGEST_TEXT)
    work.session.add(row)
    work.session.flush()
    post_words(work, ticket=row, words=words, side=speaker)
    if speaker == TicketSide.RESIDENT:
        post_step(work, ticket=row, step=TicketStep.RECEIVED)
    else:
        mail_ticket(work.session, work.clock, row, words, locale)
    about = {"reservation_id": row.reservation_id, "subject": row.subject}
    note_audit_event(work, AuditEvent.TICKET_OPENED, ("ticket", row.id), after=about)
    work.session.flush()
    follow_tickets(work.session, [row.id])
    if speaker == TicketSide.RESIDENT and row.request_id is None:
        tell_of_message(work, row, words)
    return row.id


def _side_of(actor: str) -> TicketSide:
    """Return the actor's side: residents write as `reservation/<id>`, all others are staff."""
    return TicketSide.RESIDENT if actor.startswith("reservation/") else TicketSide.STAFF


def _known_request(session: Session, request_id: str | None) -> str | None:
    if not request_id:
        return None
    if not has_row(session, MaintenanceRequest, request_id):
        raise Refused("requestId: this report was not found.")
    return request_id


def _known_project(session: Session, project_id: str | None) -> str | None:
    if not project_id:
        return None
    if not has_row(session, MaintenanceProject, project_id):
        raise Refused("projectId: this project was not found.")
    return project_id
