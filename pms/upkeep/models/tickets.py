"""Tables of tickets: the conversation with a resident about a problem, apart from the work."""

from datetime import date, datetime
from typing import Final

from sqlalchemy import CheckConstraint, Date, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.followers import follow
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import TicketSide, TicketState, TicketStep


class Ticket(OfWorkspace, Base):
    """One conversation; `awaits` says whose turn it is."""

    __tablename__ = "ticket"
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("request_id", "maintenance_request"),
        link("project_id", "maintenance_project"),
        Index("ix_ticket_state", "workspace_id", "state", "last_message_at", "id"),
        Index("ix_ticket_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_ticket_request_id", "workspace_id", "request_id"),
        Index("ix_ticket_project_id", "workspace_id", "project_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    request_id: Mapped[str | None] = mapped_column(Id)
    project_id: Mapped[str | None] = mapped_column(Id)
    subject: Mapped[str]
    state: Mapped[TicketState] = mapped_column(Word(TicketState), default=TicketState.OPEN)
    awaits: Mapped[TicketSide] = mapped_column(Word(TicketSide), default=TicketSide.STAFF)
    opened_at: Mapped[datetime] = mapped_column(Instant)
    opened_by: Mapped[str]
    last_message_at: Mapped[datetime] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)
    closed_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class TicketMessage(OfWorkspace, Base):
    """Words of a person, or a step of the work, which is said in the reader's own language."""

    __tablename__ = "ticket_message"
    __table_args__ = (
        link("ticket_id", "ticket", ondelete="CASCADE"),
        CheckConstraint("(text IS NULL) <> (step IS NULL)", name="words_or_step"),
        Index("ix_ticket_message_ticket_id", "workspace_id", "ticket_id", "at"),
    )

    ticket_id: Mapped[str] = mapped_column(Id)
    side: Mapped[TicketSide] = mapped_column(Word(TicketSide))
    text: Mapped[str | None] = mapped_column(Text)
    step: Mapped[TicketStep | None] = mapped_column(Word(TicketStep))
    step_on: Mapped[date | None] = mapped_column(Date)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


# Whoever writes in a ticket has a conversation in the inbox, which goes along.
_FOLLOWER: Final = "pms.channels.follow_people.follow_tickets"
follow(Ticket, by=_FOLLOWER, key="id", columns=("state", "awaits"))
follow(TicketMessage, by=_FOLLOWER, key="ticket_id", columns=("text",))
