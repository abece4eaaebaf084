"""Adding, changing and removing content of the website."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy.exc import IntegrityError

from pms.catalogue.models import Campaign
from pms.foundation.audit import Facts, facts_of, note_audit_event, note_difference, subject_of
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.site.models import Position, Post, Service, SiteConfiguration

Row = Post | Campaign | Position | Service | SiteConfiguration
_DAYS: Final = {"starts_on": "first_on", "ends_on": "last_on"}


def content_facts(row: Row) -> dict[str, Any]:
    """Return the facts of a row for the audit, including a campaign's days."""
    days = {column: getattr(row, name) for name, column in _DAYS.items() if hasattr(row, name)}
    return {**facts_of(row), **days}


def write_changes(
    work: Work, audit_event: AuditEvent, row: Row, *, columns: Mapping[str, Any]
) -> None:
    """Save the changed columns, increment the version and write the audit event; none if equal."""
    before = content_facts(row)
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return
    for name, value in changed.items():
        setattr(row, name, value)
    row.version += 1
    _stamp_and_note(work, audit_event, row, before=before)


def add_content(work: Work, audit_event: AuditEvent, row: Row) -> str:
    """Store a new row, write the audit event, and return the row's id."""
    work.session.add(row)
    _stamp_and_note(work, audit_event, row, before={})
    return row.id


def remove_content(work: Work, audit_event: AuditEvent, row: Row) -> None:
    """Delete a row and write its facts to the audit; raise `Refused` if something refers to it."""
    note_audit_event(work, audit_event, subject_of(row), before=content_facts(row))
    try:
        with work.session.begin_nested():
            work.session.delete(row)
    except IntegrityError as named:
        raise Refused(
            "There are applications for this position. Unpublish it instead of deleting it."
        ) from named


def _stamp_and_note(work: Work, audit_event: AuditEvent, row: Row, *, before: Facts) -> None:
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    try:
        work.session.flush()
    except IntegrityError as clash:
        raise Collision("slug: this address was taken at the same time.") from clash
    after = {
        name: value for name, value in content_facts(row).items() if before or value is not None
    }
    note_difference(work, audit_event, subject_of(row), before=before, after=after)
    work.session.flush()
