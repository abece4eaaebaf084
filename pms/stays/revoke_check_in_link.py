"""Takes a guest's link back: its next request is refused."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.stays.links_in_hand import link_in_hand


def revoke_check_in_link(session: Session, clock: Clock, actor: str, *, link_id: str) -> None:
    """Have the link open nothing from now on; once is enough, and the booking stays."""
    link = link_in_hand(session, link_id)
    if link.revoked_at is None:
        link.revoked_at, link.revoked_by = clock.now(), actor
        note_deed(
            session, clock, actor, Deed.CHECK_IN_LINK_REVOKED, of_reservation(link.reservation_id)
        )
        session.flush()
