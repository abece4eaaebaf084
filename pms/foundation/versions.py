"""Increments a workspace's version counters in the transaction that changes the rows they cover."""

from typing import Any

from sqlalchemy import Connection, event, update
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction, UOWTransaction

from pms.foundation.db import Base
from pms.foundation.tenancy import (
    EVERY_WORKSPACE,
    OfWorkspace,
    WorkspaceItself,
    WorkspaceSession,
    rows_of,
)

CATALOGUE = "catalogue_version"
OCCUPANCY = "occupancy_version"
LEDGER = "ledger_version"
_NOTED = "versions_to_raise"


def note_change(session: Session, workspace_id: str, counter: str) -> None:
    """Increment the counter when this transaction commits."""
    session.info.setdefault(_NOTED, set()).add((workspace_id, counter))


@event.listens_for(WorkspaceSession, "before_flush")
def _note_objects(session: WorkspaceSession, flush: UOWTransaction, instances: Any) -> None:
    # `session.dirty` is computed at each access: once is enough.
    untouched = {id(row) for row in session.dirty if not session.is_modified(row)}
    for row in (*session.new, *session.dirty, *session.deleted):
        if isinstance(row, OfWorkspace) and row.raises_version and id(row) not in untouched:
            note_change(session, row.workspace_id or str(session.workspace_id), row.raises_version)
    for row in session.dirty:
        if isinstance(row, WorkspaceItself) and row.raises_version and session.is_modified(row):
            note_change(session, row.id, row.raises_version)


@event.listens_for(WorkspaceSession, "do_orm_execute")
def _note_statement(state: ORMExecuteState) -> None:
    mapper = state.bind_mapper
    counter = getattr(mapper.class_, "raises_version", None) if mapper else None
    if counter is None or not (state.is_insert or state.is_update or state.is_delete):
        return
    for workspace_id in _find_written_workspaces(state):
        note_change(state.session, workspace_id, counter)


def _find_written_workspaces(state: ORMExecuteState) -> set[str]:
    workspace_id = str(getattr(state.session, "workspace_id", EVERY_WORKSPACE))
    if workspace_id != EVERY_WORKSPACE or not state.is_insert:
        return {workspace_id}
    return {row["workspace_id"] for row in rows_of(state)}


@event.listens_for(WorkspaceSession, "before_commit")
def _raise_versions(session: WorkspaceSession) -> None:
    session.flush()
    for workspace_id, counter in sorted(session.info.pop(_NOTED, ())):
        _raise(session.connection(), workspace_id, counter)


def _raise(connection: Connection, workspace_id: str, counter: str) -> None:
    workspace = Base.metadata.tables["workspace"]
    raised = update(workspace).values({counter: workspace.c[counter] + 1})
    if workspace_id != EVERY_WORKSPACE:
        raised = raised.where(workspace.c.id == workspace_id)
    connection.execute(raised)


@event.listens_for(WorkspaceSession, "after_soft_rollback")
def _forget(session: WorkspaceSession, previous: SessionTransaction) -> None:
    # A rollback to a savepoint may leave a counter incremented for nothing; earlier changes stay
    # noted.
    if not previous.nested:
        session.info.pop(_NOTED, None)
