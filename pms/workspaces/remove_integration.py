"""Removes a provider of the workspace with its secret."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.models import Integration


def remove_integration(
    session: Session, clock: Clock, actor: str, *, kind: IntegrationKind
) -> bool:
    """Delete a provider; tell whether there was one. What waits for it ends with a plain reason."""
    row = session.scalar(select(Integration).where(Integration.kind == kind).with_for_update())
    if row is None:
        return False
    told = {"kind": kind.value, "address": row.address, "account": row.account}
    note_deed(session, clock, actor, Deed.INTEGRATION_REMOVED, of_workspace(session), before=told)
    session.delete(row)
    session.flush()
    return True
