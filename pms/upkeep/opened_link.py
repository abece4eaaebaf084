"""Finds what a contractor's link opens; on the path of every request of its surface."""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from pms.foundation import named_links
from pms.foundation.named_links import NamedLink, Reading
from pms.foundation.tokens import Sealer, token_hash
from pms.rules.enumerations import ShareLinkState
from pms.rules.share_links import share_link_state
from pms.upkeep.models import MaintenanceProject, ShareLink
from pms.upkeep.share_project import SHARE_LINK

EVERY: Final = timedelta(minutes=1)


class OpenedLink(NamedTuple):
    """A link as it is now: whose, of which project, and whether it still opens it."""

    id: str
    project_id: str
    contractor_name: str
    locale: str
    hourly_yen: int | None
    expires_on: date | None
    last_opened_at: datetime | None
    state: ShareLinkState


def named_link(reading: Reading, sealer: Sealer, token: str) -> NamedLink | None:
    """Return what a contractor's token names, `None` for any other text."""
    return named_links.named_link(reading, sealer, SHARE_LINK, token)


def opened_link(session: Session, today: date, named: NamedLink) -> OpenedLink | None:
    """Return the link of the session's workspace, `None` when its chance is another one."""
    row = session.execute(
        select(
            ShareLink.id,
            ShareLink.project_id,
            ShareLink.contractor_name,
            ShareLink.locale,
            ShareLink.hourly_yen,
            ShareLink.expires_on,
            ShareLink.last_opened_at,
            ShareLink.revoked_at,
            MaintenanceProject.state,
        )
        .join(
            MaintenanceProject,
            and_(
                MaintenanceProject.workspace_id == ShareLink.workspace_id,
                MaintenanceProject.id == ShareLink.project_id,
            ),
        )
        .where(ShareLink.id == named.link_id, ShareLink.token_hash == token_hash(named.chance))
    ).first()
    if row is None:
        return None
    state = share_link_state(
        today=today, expires_on=row.expires_on, revoked_at=row.revoked_at, project=row.state
    )
    return OpenedLink(*row[:7], state)


def is_opening_due(link: OpenedLink, now: datetime) -> bool:
    """Whether the opening is worth a write: the last one is a minute ago."""
    return link.last_opened_at is None or now - link.last_opened_at >= EVERY


def note_link_opened(session: Session, link_id: str, at: datetime) -> None:
    """Record the instant a link was opened; an older instant changes nothing."""
    session.execute(
        update(ShareLink)
        .where(
            ShareLink.id == link_id,
            or_(ShareLink.last_opened_at.is_(None), ShareLink.last_opened_at < at),
        )
        .values(last_opened_at=at)
        .execution_options(synchronize_session=False)
    )
