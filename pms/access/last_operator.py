"""Keeps a workspace from losing its last operator, also when two are taken away at once."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import StaffRole


def member_to_change(session: Session, member_id: str, becomes: StaffRole | None) -> Member:
    """Return the member, locked together with all operators of the workspace.

    Raises `NotFound` for nobody's id, `Refused` when no operator would be left.
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
        raise NotFound("There is no such member.")
    if becomes is not StaffRole.OPERATOR and [row.id for row in operators] == [member.id]:
        raise Refused("role: The last operator stays; make somebody else an operator first.")
    return member
