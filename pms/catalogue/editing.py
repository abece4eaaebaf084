"""Takes a row of the catalogue in hand to change it: locked, as it stands, still as it was seen."""

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, HandbookPage, Owner, Photo, Unit
from pms.foundation.audit import facts_of, note_change, note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import is_id, new_id
from pms.rules.deeds import Deed

Editable = TypeVar("Editable", Building, HandbookPage, Owner, Photo, Unit)
Row = Building | HandbookPage | Owner | Photo | Unit


def row_to_edit(
    session: Session, model: type[Editable], row_id: str, version: int | None = None
) -> Editable:
    """Return the row, locked; raise `NotFound`, or `Collision` when it is not as it was seen."""
    found = None
    if is_id(row_id):
        session.flush()
        found = session.scalar(
            select(model)
            .where(model.id == row_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
    if found is None:
        raise NotFound(
            "There is no {kind} '{id}'.", kind=model.__tablename__.replace("_", " "), id=row_id[:60]
        )
    if version is not None and found.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=found.version,
        )
    return found


def write_columns(
    session: Session,
    clock: Clock,
    actor: str,
    deed: Deed,
    row: Row,
    *,
    columns: Mapping[str, Any],
) -> None:
    """Write what differs, count the change and note it; what is as it was is no deed."""
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return
    for name, value in changed.items():
        setattr(row, name, value)
    count_change(row, clock)
    note_change(session, clock, actor, deed, row)
    flush_or_collide(session)


def add_row(session: Session, clock: Clock, actor: str, deed: Deed, row: Row) -> str:
    """Store a new row, note it, and return its id."""
    row.id = new_id()
    session.add(row)
    note_change(session, clock, actor, deed, row)
    flush_or_collide(session)
    return row.id


def remove_row(session: Session, clock: Clock, actor: str, deed: Deed, row: Row) -> None:
    """Take a row away and note what it was."""
    note_deed(session, clock, actor, deed, subject_of(row), before=facts_of(row))
    session.delete(row)
    session.flush()


def count_change(row: Row, clock: Clock) -> None:
    """Count a change of a row, so that who still looks at the earlier one is told."""
    row.version += 1
    if isinstance(row, Building | Unit):
        row.updated_at = clock.now()


def flush_or_collide(session: Session) -> None:
    """Write to the database; a name somebody else took at the same moment is a `Collision`."""
    try:
        session.flush()
    except IntegrityError as clash:
        raise Collision("name: somebody else took this name at the same moment.") from clash


def refuse_taken(session: Session, name: str, row_ids: Select[str]) -> None:
    """Raise `Collision` when the question finds another row of this name."""
    if session.scalar(row_ids.limit(1)) is not None:
        raise Collision("name: '{value}' is there already; take another name.", value=name)
