"""Refuses what a sender calls by a name that came before: one name, one record of its kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.errors import Collision


def refuse_known(
    session: Session, column: InstrumentedAttribute[Any], external_id: str | None
) -> None:
    """Raise `Collision` for what a sender called another record of this kind before."""
    if external_id is None:
        return
    if session.scalar(select(column).where(column == external_id).limit(1)) is not None:
        raise _came_before(external_id)


@contextmanager
def known_once(
    session: Session, column: InstrumentedAttribute[Any], external_id: str | None
) -> Iterator[None]:
    """Raise `Collision` before anything is done, or when another was quicker meanwhile.

    Whoever was quicker is met by the table's own constraint as the rows are flushed; whatever was
    done before that is taken back with the transaction.
    """
    refuse_known(session, column, external_id)
    try:
        yield
        session.flush()
    except IntegrityError as clash:
        if external_id is None or column.key not in str(clash.orig):
            raise
        raise _came_before(external_id) from clash


def _came_before(external_id: str) -> Collision:
    return Collision(
        "externalId: '{external_id}' came before; a record has it already.",
        external_id=external_id,
    )
