"""The transaction of a use case, row locks, and leases of rows that a worker works on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.versions import asked_once


@dataclass(frozen=True, slots=True)
class Work:
    """The transaction, clock and actor of a use case; the first argument of each.

    `actor` is who acts, in the audit's form, such as `person/<id>`, `key/<id>` or `worker`.
    """

    session: Session
    clock: Clock
    actor: str


Row = TypeVar("Row", bound=OfWorkspace)


def find_row(session: Session, model: type[Row], id_: str) -> Row:
    """Return the row, not locked; raise `NotFound` for an unknown id in this workspace.

    A page reads it once.
    """
    table: Any = model
    found: Row = asked_once(session, _read_row, table, id_)
    return found


def _read_row(session: Session, model: type[Row], id_: str) -> Row:
    found = session.scalar(select(model).where(model.id == id_)) if is_id(id_) else None
    if found is None:
        raise no_such(model.noun, id_)
    return found


def has_row(session: Session, model: type[Any], id_: str) -> bool:
    """Whether a row with this id is in this workspace."""
    return is_id(id_) and session.scalar(select(model.id).where(model.id == id_)) is not None


def locked(
    session: Session,
    model: type[Row],
    id_: str,
    version: int | None = None,
    *,
    within: Callable[[Select[Row]], Select[Row]] | None = None,
) -> Row:
    """Return the row as it is now, locked until the transaction ends.

    Raises `NotFound` for an unknown id in this workspace and for a row that `within` leaves out,
    and `Collision` when the row is no longer the `version` the caller read.
    """
    found = None
    if is_id(id_):
        session.flush()
        question: Select[Row] = select(model).where(model.id == id_)
        question = within(question) if within else question
        question = question.with_for_update(of=model, key_share=model.is_referred_to)
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise no_such(model.noun, id_)
    refuse_other_version(found, version)
    return found


def refuse_other_version(row: Any, seen: int | None) -> None:
    """Raise `Collision` when a row's version is not `seen`; `None` skips the check.

    A row that does not exist yet has version 0.
    """
    if seen is None:
        return
    now = 0 if row is None else row.version
    if now != seen:
        raise Collision(
            "version: This changed since you opened it (version {seen}, now {now}). Look "
            "at it again.",
            seen=seen,
            now=now,
        )


def lease_due(
    session: Session, clock: Clock, model: type[Row], most: int, length: timedelta
) -> list[Row]:
    """Lease up to `most` due rows for this worker; the session spans all workspaces.

    The table has `due_at` and `attempts`. A row that is unfinished when its lease expires is due
    again, for example after a crash of the worker.
    """
    table: Any = model
    due = (
        select(model)
        .where(table.due_at <= clock.now())
        .order_by(table.due_at, model.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    rows: list[Any] = list(session.scalars(due))
    for row in rows:
        row.due_at = clock.now() + length
        row.attempts += 1
    return rows


def lock_leased(session: Session, leased: Row) -> Row | None:
    """Return the locked row of a lease; `None` once it ended or another worker leased the row.

    A mail's recipient may be another by then: the result of the old try does not apply.
    """
    model = type(leased)
    row: Any = session.scalar(select(model).where(model.id == leased.id).with_for_update())
    before: Any = leased
    is_ours = row is not None and row.due_at is not None and row.attempts == before.attempts
    return row if is_ours else None
