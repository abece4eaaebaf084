"""Links of contractors as they are listed."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import ShareLinkState
from pms.rules.links import share_link_state
from pms.upkeep.models import MaintenanceProject, ShareLink


class SharedLink(NamedTuple):
    """A link as the office sees it, without its token."""

    id: str
    project_id: str
    contractor_name: str
    contractor_phone: str | None
    locale: str
    hourly_yen: int | None
    expires_on: date | None
    created_at: datetime
    created_by: str
    revoked_at: datetime | None
    revoked_by: str | None
    last_opened_at: datetime | None
    state: ShareLinkState


def links_of_project(session: Session, project_id: str, today: date) -> Sequence[SharedLink]:
    """Return the links of a project, live ones first, then newest first."""
    asked = _select_links().where(ShareLink.project_id == project_id)
    rows = session.execute(asked.order_by(ShareLink.created_at.desc(), ShareLink.id.desc()))
    links = [_read_shared_link(row, today) for row in rows]
    return sorted(links, key=lambda link: link.state is not ShareLinkState.LIVE)


def share_link_record(session: Session, share_link_id: str, today: date) -> SharedLink:
    """Return one link; raise `NotFound` for an unknown id."""
    row = None
    if is_id(share_link_id):
        row = session.execute(_select_links().where(ShareLink.id == share_link_id)).first()
    if row is None:
        raise no_such("share link", share_link_id)
    return _read_shared_link(row, today)


def contractor_names(session: Session, link_ids: Iterable[str] | None = None) -> Mapping[str, str]:
    """Return the contractor of each link, or of all the workspace's links without ids."""
    asked = select(ShareLink.id, ShareLink.contractor_name)
    if link_ids is not None:
        asked = asked.where(ShareLink.id.in_([id_ for id_ in link_ids if is_id(id_)]))
    return {row.id: row.contractor_name for row in session.execute(asked)}


def _select_links() -> Select[*tuple[Any, ...]]:
    return select(
        ShareLink.id,
        ShareLink.project_id,
        ShareLink.contractor_name,
        ShareLink.contractor_phone,
        ShareLink.locale,
        ShareLink.hourly_yen,
        ShareLink.expires_on,
        ShareLink.created_at,
        ShareLink.created_by,
        ShareLink.revoked_at,
        ShareLink.revoked_by,
        ShareLink.last_opened_at,
        MaintenanceProject.state,
    ).join(MaintenanceProject, refers_to(ShareLink.project_id, MaintenanceProject))


def _read_shared_link(row: Sequence[Any], today: date) -> SharedLink:
    *values, project = row
    state = share_link_state(
        today=today, expires_on=values[6], revoked_at=values[9], project=project
    )
    return SharedLink._make((*values, state))
