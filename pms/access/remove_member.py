"""Takes a member's place in a workspace away; it counts from the next request on."""

from sqlalchemy.orm import Session

from pms.access.last_operator import member_to_change
from pms.access.models import Member
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def remove_member(session: Session, clock: Clock, actor: str, member_id: str) -> Member:
    """Return the member, removed now; raise `Refused` when no operator would be left.

    The person and their places in other workspaces stay.
    """
    member = member_to_change(session, member_id, None)
    member.removed_at, member.removed_by = clock.now(), actor
    note_change(session, clock, actor, Deed.MEMBER_REMOVED, member)
    session.flush()
    return member
