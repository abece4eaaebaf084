"""Gives a stay another link: every address given out before opens nothing any more."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.tokens import new_token
from pms.rules.deeds import Deed
from pms.stays.links_in_hand import link_in_hand


def renew_check_in_link(session: Session, clock: Clock, actor: str, *, link_id: str) -> None:
    """Make a new chance for the link, also of one that was revoked; what guests wrote stays."""
    link = link_in_hand(session, link_id)
    link.nonce = new_token()
    link.revoked_at = link.revoked_by = link.sent_at = None
    note_deed(
        session, clock, actor, Deed.CHECK_IN_LINK_RENEWED, of_reservation(link.reservation_id)
    )
    session.flush()
