"""Takes an invitation back before it is accepted."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Invitation
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def revoke_invitation(session: Session, clock: Clock, actor: str, invitation_id: str) -> Invitation:
    """Return the invitation, whose link opens nothing from now on."""
    wanted = select(Invitation).where(Invitation.id == invitation_id).with_for_update()
    invitation = session.scalars(wanted).first() if is_id(invitation_id) else None
    if invitation is None:
        raise NotFound("There is no such invitation.")
    if invitation.accepted_at is not None:
        raise Refused("The invitation of '{email}' is accepted already.", email=invitation.email)
    if invitation.revoked_at is None:
        invitation.revoked_at, invitation.revoked_by = clock.now(), actor
        note_change(session, clock, actor, Deed.INVITATION_REVOKED, invitation)
        session.flush()
    return invitation
