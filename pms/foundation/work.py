"""The transaction of a use case, and the row lock with which a change begins."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import OfWorkspace


@dataclass(frozen=True, slots=True)
class Work:
    """The transaction, clock and actor of a use case; the first argument of each.

    `actor` is who acts, in the audit's form, such as `person/<id>`, `key/<id>` or `worker`.
    """

    session: Session
    clock: Clock
    actor: str


Row = TypeVar("Row", bound=OfWorkspace)


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
    """Raise `Collision` when a row's version is not `seen`; `None` skips the check."""
    if seen is not None and row.version != seen:
        raise Collision(
            "version: This changed since you opened it (version {seen}, now {now}). Look "
            "at it again.",
            seen=seen,
            now=row.version,
        )
