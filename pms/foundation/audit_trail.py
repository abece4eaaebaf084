"""Asks the audit: who did what, newest first, and who changed a fact last."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.orm import Session

from pms.foundation.audit import AuditRecord, Subject
from pms.foundation.lists import Paging
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN

_PEOPLE: Final = "person/"
_NEWEST_FIRST: Final = (AuditRecord.at.desc(), AuditRecord.id.desc())
_FIRST_DAY: Final = date(1970, 1, 1)


class RecordedEvent(NamedTuple):
    """One audit event as it was kept; `audit_event` is plain text, because an old one may have left the list."""

    id: str
    at: datetime
    actor: str
    audit_event: str
    subject_kind: str
    subject_id: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    via: str | None


class RecordedEvents(NamedTuple):
    """Some audit events and how many there are in all."""

    audit_events: tuple[RecordedEvent, ...]
    total: int


class LastChange(NamedTuple):
    """Who changed a fact last, and from what to what."""

    actor: str
    at: datetime
    before: Any
    after: Any


def audit_events(
    session: Session,
    *,
    subject: Subject | None = None,
    actor: str | None = None,
    is_by_people: bool = False,
    audit_event: AuditEvent | None = None,
    from_on: date | None = None,
    through_on: date | None = None,
    page: int = 1,
    limit: int = 50,
) -> RecordedEvents:
    """Return a page of the audit events that meet every condition, and the count of all.

    Days are days in Japan, both ends included; `is_by_people` leaves out what no hand did.
    """
    wanted = [*_about(subject), *_within(from_on, through_on)]
    if actor:
        wanted.append(AuditRecord.actor == actor)
    if is_by_people:
        wanted.append(AuditRecord.actor.startswith(_PEOPLE, autoescape=True))
    if audit_event:
        wanted.append(AuditRecord.audit_event == audit_event.value)
    total = session.scalar(select(func.count()).select_from(AuditRecord).where(*wanted)) or 0
    found = _selected().where(*wanted).order_by(*_NEWEST_FIRST)
    rows = session.execute(found.limit(limit).offset(Paging(page, limit).offset))
    return RecordedEvents(tuple(_done(row) for row in rows), total)


def last_change(session: Session, subject: Subject, field: str) -> LastChange | None:
    """Return who changed a fact of a subject last, if the audit knows of any change."""
    found = _selected().where(*_about(subject)).order_by(*_NEWEST_FIRST)
    for row in session.execute(found):
        done = _done(row)
        if field in done.before or field in done.after:
            return LastChange(done.actor, done.at, done.before.get(field), done.after.get(field))
    return None


def actors(session: Session) -> tuple[str, ...]:
    """Return everybody the audit knows, in the order of their words."""
    found = select(AuditRecord.actor).distinct().order_by(AuditRecord.actor)
    return tuple(session.scalars(found))


def person_of(actor: str) -> str | None:
    """Return the id of the person an actor is, or nothing for a command or the worker."""
    return actor.removeprefix(_PEOPLE) if actor.startswith(_PEOPLE) else None


def _about(subject: Subject | None) -> list[ColumnElement[bool]]:
    if subject is None:
        return []
    kind, id_ = subject
    return [AuditRecord.subject_kind == kind, AuditRecord.subject_id == id_]


def _within(from_on: date | None, through_on: date | None) -> Iterator[ColumnElement[bool]]:
    if from_on:
        begin = datetime.combine(max(from_on, _FIRST_DAY), time.min, tzinfo=JAPAN)
        yield AuditRecord.at >= begin
    if through_on:
        # Instants are kept to the second, so the last one of a day is known.
        end = time(23, 59, 59)
        yield AuditRecord.at <= datetime.combine(max(through_on, _FIRST_DAY), end, tzinfo=JAPAN)


def _selected() -> Select[Any]:
    return select(
        AuditRecord.id,
        AuditRecord.at,
        AuditRecord.actor,
        AuditRecord.audit_event,
        AuditRecord.subject_kind,
        AuditRecord.subject_id,
        AuditRecord.before,
        AuditRecord.after,
        AuditRecord.via,
    )


def _done(row: Row[Any]) -> RecordedEvent:
    facts = dict(row._mapping)
    before, after = facts.pop("before"), facts.pop("after")
    return RecordedEvent(**facts, before=before or {}, after=after or {})
