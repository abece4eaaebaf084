"""Counts the changes of a workspace's rows, and caches results until the rows they depend on change."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar, Final, Generic, TypeVar
from weakref import WeakSet

from sqlalchemy import event, update
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction, UOWTransaction

from pms.foundation.db import READ_ONLY, Base
from pms.foundation.tenancy import (
    EVERY_WORKSPACE,
    OfWorkspace,
    WorkspaceItself,
    WorkspaceSession,
    buildings_of,
    rows_of,
    workspace_of,
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
        connection = session.connection()
        workspace = Base.metadata.tables["workspace"]
        raised = update(workspace).values({counter: workspace.c[counter] + 1})
        if workspace_id != EVERY_WORKSPACE:
            raised = raised.where(workspace.c.id == workspace_id)
        connection.execute(raised)


@event.listens_for(WorkspaceSession, "after_soft_rollback")
def _forget_noted_changes(session: WorkspaceSession, previous: SessionTransaction) -> None:
    # A rollback to a savepoint may leave a counter incremented for nothing; earlier changes stay
    # noted.
    if not previous.nested:
        session.info.pop(_NOTED, None)


Answer = TypeVar("Answer")

MOST: Final = 16


def reads_only(session: Session) -> bool:
    """Whether all that a session sees is committed, so that it may be kept."""
    return bool(session.connection().get_execution_options().get(READ_ONLY, False))


@dataclass(frozen=True, slots=True)
class PassingAnswer(Generic[Answer]):
    """A result of an earlier state, which is returned and not cached."""

    answer: Answer


class KeptAnswers:
    """A cache of the newest results; each is returned only while its state is unchanged.

    `most` is smaller where a result covers many rows. Results of a writing session are not cached:
    what it sees may be rolled back.
    """

    _all: ClassVar["WeakSet[KeptAnswers]"] = WeakSet()

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = Lock()
        self._all.add(self)

    @classmethod
    def forget_all(cls) -> None:
        """Clear every cache of this process, after its database was replaced by another."""
        for kept in cls._all:
            with kept._lock:
                kept._kept.clear()

    def answer(
        self,
        session: Session,
        question: Hashable,
        state: Hashable,
        asked: Callable[[], Answer | PassingAnswer[Answer]],
    ) -> Answer:
        """Return the cached result of a question, or call `asked`; `state` was read before it."""
        if not reads_only(session):
            made = asked()
            return made.answer if isinstance(made, PassingAnswer) else made
        bound = workspace_of(session), buildings_of(session)
        key = (str(session.connection().engine.url), *bound, question)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept[0] == state:
            found: Answer = kept[1]
            return found
        answer = asked()
        if isinstance(answer, PassingAnswer):
            return answer.answer
        with self._lock:
            self._kept[key] = (state, answer)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer


_ANSWERS: Final = "answered_once"


def answer_once(session: Session) -> None:
    """Let a reading session cache repeated queries while one page is rendered."""
    session.info[_ANSWERS] = {}


def asked_once(session: Session, question: Callable[..., Answer], *given: Hashable) -> Answer:
    """Return the session's cached result of the same question, or run the query.

    Several parts of a page need the same result. Other sessions, such as all that write, run the
    query each time.
    """
    answers = session.info.get(_ANSWERS)
    if answers is None:
        return question(session, *given)
    key = (question, *given)
    if key not in answers:
        answers[key] = question(session, *given)
    found: Answer = answers[key]
    return found
