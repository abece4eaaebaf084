"""Has a higher room go along with what changed in a lower one, in the transaction that changes it.

The lower room names the follower, as long work is named: imports go downwards only, and whoever
writes such a row, from whichever surface, cannot forget it.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

from sqlalchemy import event, inspect
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction, UOWTransaction

from pms.foundation.tenancy import (
    EVERY_WORKSPACE,
    OfWorkspace,
    WorkspaceSession,
    announce,
    columns_set,
    rows_of,
)

Follower: TypeAlias = Callable[[Session, Collection[str] | None], object]
"""Takes the session of one workspace and the keys that changed; `None` stands for all of them."""

_NOTED: Final = "followed_keys"
_ALONE: Final = "followers_left_out"


@dataclass(frozen=True, slots=True)
class Followed:
    """What is told of a table: by which column, when which columns change, and to whom."""

    key: str
    columns: frozenset[str]
    by: str


_FOLLOWED: dict[type[Any], list[Followed]] = {}


def follow(model: type[OfWorkspace], *, by: str, key: str, columns: Collection[str]) -> None:
    """Have the function of that full name called before each commit that changed such rows."""
    _FOLLOWED.setdefault(model, []).append(Followed(key, frozenset((*columns, key)), by))


def follower_named(by: str) -> Follower:
    """Return the function of a full name: `pms.room.module.function`."""
    module, _, name = by.rpartition(".")
    found: Follower = getattr(import_module(module), name)
    return found


def leave_followers_out(session: Session) -> None:
    """Tell nobody of what this session writes: a whole world, with all that follows, is told."""
    session.info[_ALONE] = True


def load_followers() -> None:
    """Import every follower that is named by now: the first to write would hold its lock for it."""
    loaded: set[str] = set()
    # A follower's room may be followed itself, and says so when it is imported.
    while waiting := {one.by for followed in _FOLLOWED.values() for one in followed} - loaded:
        for by in waiting:
            follower_named(by)
        loaded |= waiting


@event.listens_for(WorkspaceSession, "before_flush")
def _note_objects(session: WorkspaceSession, flush: UOWTransaction, instances: Any) -> None:
    written = [(row, True) for row in (*session.new, *session.deleted)]
    for row, is_whole in (*written, *((row, False) for row in session.dirty)):
        for followed in _FOLLOWED.get(type(row), ()):
            workspace_id = row.workspace_id or str(session.workspace_id)
            for key in _keys_of(row, followed, is_whole):
                _note(session, workspace_id, followed.by, key)


def _keys_of(row: Any, followed: Followed, is_whole: bool) -> set[str]:
    """The key of a row that a flush writes, and the one it had before."""
    attributes = inspect(row).attrs
    changes = {name: attributes[name].history for name in followed.columns}
    if not is_whole and not any(one.has_changes() for one in changes.values()):
        return set()
    return {getattr(row, followed.key), *(changes[followed.key].deleted or ())}


@event.listens_for(WorkspaceSession, "do_orm_execute")
def _note_statement(state: ORMExecuteState) -> None:
    model = state.bind_mapper.class_ if state.bind_mapper else None
    own = str(getattr(state.session, "workspace_id", EVERY_WORKSPACE))
    for followed in _FOLLOWED.get(model, ()) if model is not None else ():
        if state.is_insert:
            for row in rows_of(state):
                _note(state.session, row.get("workspace_id", own), followed.by, row[followed.key])
        elif state.is_delete or (state.is_update and _columns_of(state) & followed.columns):
            # Which rows such a statement meets is known to the database alone.
            _note(state.session, own, followed.by, None)


def _columns_of(state: ORMExecuteState) -> set[str]:
    return columns_set(state.statement).union(*rows_of(state))


def _note(session: Session, workspace_id: str, by: str, key: str | None) -> None:
    if _ALONE not in session.info:
        # One that follows several tables by the same key is told of all of them at once.
        noted = session.info.setdefault(_NOTED, {})
        noted.setdefault((workspace_id, by), set()).add(key)


@event.listens_for(WorkspaceSession, "before_commit")
def _let_followers_work(session: WorkspaceSession) -> None:
    # A savepoint shows a world half changed: only the end of the transaction is looked at.
    if session.in_nested_transaction():
        return
    session.flush()
    for (workspace_id, by), keys in session.info.pop(_NOTED, {}).items():
        # A statement across workspaces names no workspace; what follows daily sees to it.
        if workspace_id != EVERY_WORKSPACE:
            work = follower_named(by)
            with _session_of(session, workspace_id) as own:
                work(own, None if None in keys else keys)
                own.flush()


@contextmanager
def _session_of(session: WorkspaceSession, workspace_id: str) -> Iterator[WorkspaceSession]:
    """Give a session of that one workspace, in the same transaction."""
    if session.workspace_id == workspace_id:
        yield session
        return
    connection = session.connection()
    with WorkspaceSession(bind=connection, workspace_id=workspace_id) as own, own.begin():
        yield own
    if connection.dialect.name == "postgresql":
        announce(connection, str(session.workspace_id))


@event.listens_for(WorkspaceSession, "after_soft_rollback")
def _forget(session: WorkspaceSession, previous: SessionTransaction) -> None:
    # What a savepoint took back is looked at for nothing; what came before it still counts.
    if not previous.nested:
        session.info.pop(_NOTED, None)
