"""Takes an offer back: its link can no longer be accepted."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.offers.link_in_hand import link_to_change
from pms.rules.deeds import Deed


def revoke_reservation_link(session: Session, clock: Clock, actor: str, *, link_id: str) -> None:
    """End the link, once is enough; raise `Refused` for one that was accepted."""
    row = link_to_change(session, link_id)
    if row.accepted_at is not None:
        raise Refused("state: this offer was accepted; cancel the reservation instead.")
    if row.revoked_at is None:
        row.revoked_at, row.revoked_by = clock.now(), actor
        note_change(session, clock, actor, Deed.RESERVATION_LINK_REVOKED, row)
        session.flush()
