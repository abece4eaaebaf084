"""Takes a share link back: its next request is refused."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.upkeep.models import ShareLink


def revoke_share_link(session: Session, clock: Clock, actor: str, *, share_link_id: str) -> str:
    """Return the project of the link, which opens nothing from now on; once is enough."""
    wanted = select(ShareLink).where(ShareLink.id == share_link_id).with_for_update()
    link = session.scalars(wanted).first() if is_id(share_link_id) else None
    if link is None:
        raise NotFound("There is no share link '{id}'.", id=share_link_id[:60])
    if link.revoked_at is None:
        link.revoked_at, link.revoked_by = clock.now(), actor
        note_change(session, clock, actor, Deed.SHARE_LINK_REVOKED, link)
        session.flush()
    return link.project_id
