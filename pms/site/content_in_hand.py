"""Takes a piece of the website's content in hand: locked, as it was seen; every change is counted."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.audit import Facts, facts_of, note_deed, note_difference, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.site.models import Position, Post, Service, SiteConfiguration

Kept = TypeVar("Kept", bound=Post | Campaign | Position | Service)
Row = Post | Campaign | Position | Service | SiteConfiguration
_DAYS: Final = {"starts_on": "first_on", "ends_on": "last_on"}


def content_in_hand(
    session: Session, model: type[Kept], row_id: str, version: int | None = None
) -> Kept:
    """Return the row, locked; raise `NotFound`, or `Collision` when it is not as it was seen."""
    found = None
    if is_id(row_id):
        session.flush()
        question = select(model).where(model.id == row_id).with_for_update()
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise NotFound("There is no {kind} '{id}'.", kind=model.__tablename__, id=row_id[:60])
    if version is not None and found.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=found.version,
        )
    return found


def told_facts(row: Row) -> dict[str, Any]:
    """Return what the audit tells of a row; a campaign's days are facts of it."""
    days = {told: getattr(row, name) for name, told in _DAYS.items() if hasattr(row, name)}
    return {**facts_of(row), **days}


def write_changes(
    session: Session,
    clock: Clock,
    actor: str,
    deed: Deed,
    row: Row,
    *,
    columns: Mapping[str, Any],
) -> None:
    """Write what differs, count the change and note it; what is as it was is no deed."""
    before = told_facts(row)
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    _stamp_and_note(session, clock, actor, deed, row, before=before)


def add_content(session: Session, clock: Clock, actor: str, deed: Deed, row: Row) -> str:
    """Store a new row, note it, and return its id."""
    session.add(row)
    _stamp_and_note(session, clock, actor, deed, row, before={})
    return row.id


def remove_content(session: Session, clock: Clock, actor: str, deed: Deed, row: Row) -> None:
    """Take a row away and note what it was; raise `Refused` where something still names it."""
    note_deed(session, clock, actor, deed, subject_of(row), before=told_facts(row))
    try:
        with session.begin_nested():
            session.delete(row)
    except IntegrityError as named:
        raise Refused("Somebody applied for this: withdraw it instead of removing it.") from named


def _stamp_and_note(
    session: Session, clock: Clock, actor: str, deed: Deed, row: Row, *, before: Facts
) -> None:
    row.updated_at, row.updated_by = clock.now(), actor
    try:
        session.flush()
    except IntegrityError as clash:
        raise Collision("slug: somebody else took this address at the same moment.") from clash
    after = {name: value for name, value in told_facts(row).items() if before or value is not None}
    note_difference(session, clock, actor, deed, subject_of(row), before=before, after=after)
    session.flush()
