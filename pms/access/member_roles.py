"""The role of a member: changing it, and removing the member."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole


def member_to_change(session: Session, member_id: str, becomes: StaffRole | None) -> Member:
    """Return the member, locked together with all operators of the workspace.

    Raises `NotFound` for an unknown id, `Refused` when no operator would be left.
    """
    operators = session.scalars(
        select(Member)
        .where(Member.removed_at.is_(None), Member.role == StaffRole.OPERATOR)
        .order_by(Member.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    wanted = select(Member).where(Member.id == member_id, Member.removed_at.is_(None))
    member = session.scalars(wanted.with_for_update()).first() if is_id(member_id) else None
    if member is None:
        raise no_such("member")
    if becomes is not StaffRole.OPERATOR and [row.id for row in operators] == [member.id]:
        raise Refused(
            "role: You cannot remove the last operator. First make someone else an operator."
        )
    return member


def change_role(work: Work, member_id: str, role: StaffRole) -> Member:
    """Change and return the member; raise `Refused` when no operator would be left."""
    member = member_to_change(work.session, member_id, role)
    if member.role is not role:
        member.role = role
        member.role_changed_at, member.role_changed_by = work.clock.now(), work.actor
        note_change(work, AuditEvent.MEMBER_ROLE_CHANGED, member)
        work.session.flush()
    return member


def remove_member(work: Work, member_id: str) -> Member:
    """Remove and return the member; raise `Refused` when no operator would be left.

    The person and their memberships of other workspaces stay.
    """
    member = member_to_change(work.session, member_id, None)
    member.removed_at, member.removed_by = work.clock.now(), work.actor
    note_change(work, AuditEvent.MEMBER_REMOVED, member)
    work.session.flush()
    return member
