"""Links that let contractors work on one project."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_NAME, check_number, check_phone, needed_text
from pms.foundation import tokens
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import LinkKind, NamedLink, Reading, Signer, new_token, token_hash
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Locale, ShareLinkState
from pms.rules.links import share_link_state
from pms.upkeep.models import MaintenanceProject, ShareLink
from pms.upkeep.project_lines import MOST_HOURLY_YEN
from pms.upkeep.tasks import lock_open_project

SHARE_LINK: Final = LinkKind("share-link", ShareLink.token_hash, is_hashed=True)
"""The purpose under which the token of a share link is signed."""


def share_project(
    work: Work,
    *,
    project_id: str,
    contractor_name: str | None,
    contractor_phone: str | None = None,
    locale: str = Locale.JA,
    hourly_yen: int | None = None,
    expires_on: date | None = None,
    signer: Signer,
) -> str:
    """Return the token of a new link, which cannot be shown again.

    `hourly_yen` prices the hours logged through it, in whole yen; `expires_on` is the last day in
    Japan on which it is valid. Raises `Refused` for a past day and for a project that is over.
    """
    lock_open_project(work.session, project_id)
    if expires_on is not None and expires_on < work.clock.today():
        raise Refused("expiresOn: {day} is in the past.", day=expires_on)
    nonce = new_token()
    link = ShareLink(
        id=new_id(),
        project_id=project_id,
        contractor_name=needed_text("contractorName", contractor_name, LONGEST_NAME),
        contractor_phone=check_phone("contractorPhone", contractor_phone),
        locale=Locale(locale).value,
        hourly_yen=check_number("hourlyYen", hourly_yen, 0, MOST_HOURLY_YEN),
        token_hash=token_hash(nonce),
        expires_on=expires_on,
        created_at=work.clock.now(),
        created_by=work.actor,
    )
    work.session.add(link)
    note_change(work, AuditEvent.PROJECT_SHARED, link)
    work.session.flush()
    return signer.short(SHARE_LINK.purpose, nonce)


class OpenedLink(NamedTuple):
    """A link in its present state: its contractor, its project, and whether it is valid."""

    id: str
    project_id: str
    contractor_name: str
    locale: str
    hourly_yen: int | None
    expires_on: date | None
    last_opened_at: datetime | None
    state: ShareLinkState


def named_link(reading: Reading, signer: Signer, token: str) -> NamedLink | None:
    """Return the contents of a contractor's token; `None` for any other text."""
    return tokens.named_link(reading, signer, SHARE_LINK, token)


def opened_link(session: Session, today: date, named: NamedLink) -> OpenedLink | None:
    """Return the link of the session's workspace; `None` when its nonce differs."""
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
        .join(MaintenanceProject, refers_to(ShareLink.project_id, MaintenanceProject))
        .where(ShareLink.id == named.link_id, ShareLink.token_hash == token_hash(named.nonce))
    ).first()
    if row is None:
        return None
    state = share_link_state(
        today=today, expires_on=row.expires_on, revoked_at=row.revoked_at, project=row.state
    )
    return OpenedLink(*row[:7], state)


def revoke_share_link(work: Work, *, share_link_id: str) -> str:
    """Revoke the link and return its project; repeating it changes nothing."""
    link = locked(work.session, ShareLink, share_link_id)
    if link.revoked_at is None:
        link.revoked_at, link.revoked_by = work.clock.now(), work.actor
        note_change(work, AuditEvent.SHARE_LINK_REVOKED, link)
        work.session.flush()
    return link.project_id


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
