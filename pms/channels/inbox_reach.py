"""Says which conversations somebody meets: all, or those of residents in their own projects."""

from dataclasses import dataclass
from typing import Self, TypeVarTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.channels.models import Conversation, ConversationHandle
from pms.rules.channel_words import Channel
from pms.rules.enumerations import StaffRole
from pms.upkeep.models import Ticket
from pms.upkeep.ticket_reach import TicketReach

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class InboxReach:
    """Which conversations, and of those which words: who meets only tickets reads only those."""

    tickets: TicketReach

    @classmethod
    def everything(cls) -> Self:
        """Return the reach of the office and of the program."""
        return cls(TicketReach.everything())

    @classmethod
    def of_staff(cls, role: StaffRole, person_id: str) -> Self:
        """Return the reach of a member of staff (specification, Surfaces)."""
        return cls(TicketReach.of_staff(role, person_id))

    @property
    def is_whole(self) -> bool:
        """Whether everything of everybody is within reach."""
        return self.tickets == TicketReach.everything()

    def narrow(self, session: Session, question: Select[*Columns]) -> Select[*Columns]:
        """Return a question about conversations that meets only those within reach."""
        if self.is_whole:
            return question
        residents = session.scalars(self.tickets.narrow(select(Ticket.reservation_id))).all()
        theirs = select(ConversationHandle.conversation_id).where(
            ConversationHandle.channel == Channel.PORTAL,
            ConversationHandle.handle.in_(sorted(set(residents))),
        )
        return question.where(Conversation.id.in_(theirs))
