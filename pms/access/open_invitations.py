"""Finds invitations: of a workspace, and the one that a link names."""

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.invite_member import INVITATION
from pms.access.models import Invitation, Person
from pms.foundation.clock import Clock
from pms.foundation.named_links import named_link
from pms.foundation.tokens import Sealer, token_hash
from pms.rules.enumerations import StaffRole
from pms.workspaces.models import Workspace


class OpenInvitation(NamedTuple):
    """An invitation that nobody has accepted yet, as the list of people shows it."""

    id: str
    email: str
    role: StaffRole
    invited_at: datetime
    expires_at: datetime


class NamedInvitation(NamedTuple):
    """What a link offers: the place, and whether its person has an account already."""

    id: str
    workspace_id: str
    workspace_slug: str
    workspace_name: str
    workspace_name_en: str | None
    email: str
    role: StaffRole
    is_known: bool


def open_invitations(session: Session, clock: Clock) -> Sequence[OpenInvitation]:
    """Return the invitations of the session's workspace that may still be accepted."""
    rows = session.execute(
        select(
            Invitation.id,
            Invitation.email,
            Invitation.role,
            Invitation.invited_at,
            Invitation.expires_at,
        )
        .where(
            Invitation.accepted_at.is_(None),
            Invitation.revoked_at.is_(None),
            Invitation.expires_at > clock.now(),
        )
        .order_by(Invitation.invited_at, Invitation.id)
    )
    return [OpenInvitation._make(row) for row in rows]


def named_invitation(
    session: Session, clock: Clock, sealer: Sealer, token: str
) -> NamedInvitation | None:
    """Return the invitation that a link names, `None` for one that opens nothing any more.

    The session reads across workspaces: the link itself says which one it is about.
    """
    named = named_link(lambda: nullcontext(session), sealer, INVITATION, token)
    if named is None:
        return None
    workspace_id, invitation_id, chance = named
    row = session.execute(
        select(
            Invitation.id,
            Workspace.id,
            Workspace.slug,
            Workspace.name,
            Workspace.name_en,
            Invitation.email,
            Invitation.role,
            Person.id.is_not(None),
        )
        .join(Workspace, Workspace.id == Invitation.workspace_id)
        .outerjoin(Person, Person.email == Invitation.email)
        .where(
            Invitation.workspace_id == workspace_id,
            Invitation.id == invitation_id,
            Invitation.token_hash == token_hash(chance),
            Invitation.accepted_at.is_(None),
            Invitation.revoked_at.is_(None),
            Invitation.expires_at > clock.now(),
        )
    ).first()
    return None if row is None else NamedInvitation(*row[:7], bool(row[7]))
