"""Changes what a member does in a workspace; it counts from the next request on."""

from sqlalchemy.orm import Session

from pms.access.last_operator import member_to_change
from pms.access.models import Member
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import StaffRole


def change_role(
    session: Session, clock: Clock, actor: str, member_id: str, role: StaffRole
) -> Member:
    """Return the member in the new role; raise `Refused` when no operator would be left."""
    member = member_to_change(session, member_id, role)
    if member.role is not role:
        member.role = role
        member.role_changed_at, member.role_changed_by = clock.now(), actor
        note_change(session, clock, actor, Deed.MEMBER_ROLE_CHANGED, member)
        session.flush()
    return member
