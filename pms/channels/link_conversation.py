"""Puts a reservation beside a conversation by hand, or takes it away."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed


def link_conversation(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    conversation_id: str,
    reservation_id: str | None,
) -> None:
    """Write which stay the person's is, none for none; raise `Refused` for one of nobody here.

    Nothing is merged by it: two who share a stay may write on channels of their own.
    """
    row = conversation_in_hand(session, conversation_id, InboxReach.everything())
    known = _known(session, reservation_id)
    if known == row.reservation_id:
        return
    row.reservation_id, row.linked_by = known, actor if known else None
    row.version += 1
    note_change(session, clock, actor, Deed.CONVERSATION_LINKED, row)
    session.flush()


def _known(session: Session, reservation_id: str | None) -> str | None:
    if not reservation_id:
        return None
    known = select(Reservation.id).where(Reservation.id == reservation_id)
    if not is_id(reservation_id) or session.scalar(known) is None:
        raise Refused("reservationId: there is no such reservation.")
    return reservation_id
