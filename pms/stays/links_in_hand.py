"""Locks a link before it changes, so that two who change it come one after the other."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.stays.models import CheckInLink


def link_in_hand(session: Session, link_id: str) -> CheckInLink:
    """Return the link, locked and as it stands now; raise `NotFound` for an id of nobody here."""
    link = None
    if is_id(link_id):
        link = session.scalar(
            select(CheckInLink)
            .where(CheckInLink.id == link_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
    if link is None:
        raise NotFound("There is no check-in link '{id}'.", id=link_id[:60])
    return link
