"""Takes the workspace or its policy in hand to edit it: locked, and still as it was seen."""

from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.foundation.tenancy import workspace_of
from pms.workspaces.models import PolicyRow, Workspace

Editable = TypeVar("Editable", Workspace, PolicyRow)


def workspace_to_edit(session: Session, version: int | None = None) -> Workspace:
    """Return the workspace of the session, locked, unless somebody edited it meanwhile."""
    found = session.scalars(
        select(Workspace)
        .where(Workspace.id == workspace_of(session))
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).one()
    return as_seen(found, version)


def policy_to_edit(session: Session, version: int | None = None) -> PolicyRow:
    """Return the figures of the workspace, locked; a workspace that set none gets the defaults."""
    workspace_to_edit(session)
    found = session.scalars(
        select(PolicyRow).with_for_update(key_share=True).execution_options(populate_existing=True)
    ).one_or_none()
    if found is None:
        workspace_id = workspace_of(session)
        found = PolicyRow(workspace_id=workspace_id, id=workspace_id)
        session.add(found)
        session.flush()
    return as_seen(found, version)


def as_seen(row: Editable, version: int | None) -> Editable:
    """Return the row, or raise `Collision` when it is not the version that was seen."""
    if version is not None and row.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=row.version,
        )
    return row
