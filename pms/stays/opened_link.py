"""Finds what a guest's link opens; on the path of every request of its surface."""

import hmac
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import or_, update
from sqlalchemy.orm import Session

from pms.foundation.named_links import NamedLink
from pms.stays.models import CheckInLink
from pms.stays.stay_links import StayLink, links_asked, shaped_link

EVERY: Final = timedelta(minutes=1)


def opened_link(session: Session, today: date, named: NamedLink) -> StayLink | None:
    """Return the link of the session's workspace, `None` when its chance is another one."""
    row = session.execute(links_asked().where(CheckInLink.id == named.link_id)).first()
    if row is None or not hmac.compare_digest(row.nonce.encode(), named.chance.encode()):
        return None
    return shaped_link(row, today)


def is_opening_due(link: StayLink, now: datetime) -> bool:
    """Whether the opening is worth a write: the last one is a minute ago."""
    return link.last_opened_at is None or now - link.last_opened_at >= EVERY


def note_link_opened(session: Session, link_id: str, at: datetime) -> None:
    """Record the instant a link was opened; an older instant changes nothing."""
    session.execute(
        update(CheckInLink)
        .where(
            CheckInLink.id == link_id,
            or_(CheckInLink.last_opened_at.is_(None), CheckInLink.last_opened_at < at),
        )
        .values(last_opened_at=at)
        .execution_options(synchronize_session=False)
    )
