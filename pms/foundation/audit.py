"""Records who changed what and when, with the values before and after, and queries the records."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import (
    JSON,
    ColumnElement,
    Index,
    Row,
    Select,
    Text,
    event,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, ORMExecuteState, Session, SessionTransaction, mapped_column

from pms.foundation import versions  # noqa: F401 - its rows come first
from pms.foundation.building_paths import shared
from pms.foundation.db import Base, Id, Instant
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.sealing import SEALED
from pms.foundation.tenancy import OfWorkspace, WorkspaceSession, link, workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN, CorruptDay

Subject = tuple[str, str]
"""The subject of an audit event: the name of its table and its id."""
Facts = Mapping[str, Any]
_NOTED: Final = "audit_events_noted"
_SAVEPOINTS: Final = "audit_events_noted_before_savepoints"
HIDDEN: Final = "•••"
"""Written in place of a secret value: the audit keeps that it changed, not the value."""

_Told = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
_SECRET_WORDS: Final = frozenset(
    {"code", "codes", "hash", "hashes", "otp", "passcode", "password", "pin", "plaintext"}
    | {"recovery", "salt", "secret", "secrets", "token", "tokens", "totp"}
)
# These names look like secrets, but a fee's code is printed on every bill.
_NO_SECRETS: Final = frozenset({"fee_code", "postal_code", "fee.code"})
# Bookkeeping columns: the audit event itself says who and when, and derived columns are no change.
_NOT_NOTED: Final = frozenset(
    {"id", "workspace_id", "version", "search_text", "name_text", "name_key", "email_key"}
    | {"catalogue_version", "occupancy_version", "ledger_version"}
    | {"reported_at", "reported_by", "opened_at", "opened_by", "logged_at", "logged_by"}
    | {"closed_by", "ended_by"}
    | {"created_at", "updated_at", "updated_by", "written_at", "written_by"}
    | {"starts_on", "ends_on", "free_from"}
)


class AuditRecord(OfWorkspace, Base):
    """One audit event; `via` names the run or file that caused it when no person acted directly.

    The words of audit events and subjects are stored as text, so that later releases can read them.
    """

    __tablename__ = "audit_record"
    building_path = shared(
        "a page asks for what was done to a row that it found; operators alone see the list"
    )
    __table_args__ = (
        Index("ix_audit_record_at", "workspace_id", "at", "id"),
        Index("ix_audit_record_subject", "workspace_id", "subject_kind", "subject_id", "at"),
        Index("ix_audit_record_actor", "workspace_id", "actor", "at"),
    )

    at: Mapped[datetime] = mapped_column(Instant)
    actor: Mapped[str]
    audit_event: Mapped[str] = mapped_column("deed")
    subject_kind: Mapped[str]
    subject_id: Mapped[str]
    before: Mapped[dict[str, Any] | None] = mapped_column(_Told)
    after: Mapped[dict[str, Any] | None] = mapped_column(_Told)
    via: Mapped[str | None]


class AuditNumber(OfWorkspace, Base):
    """A text with an account number as an audit record of an earlier release had it, sealed.

    An audit record never changes, so nothing sealed in it could be sealed anew with another key. It
    has the last digits; only going back to a release before puts these texts back.
    """

    __tablename__ = "audit_number"
    building_path = shared("a part of an audit record")
    __table_args__ = (
        link("audit_id", "audit_record"),
        Index("ix_audit_number_audit_id", "workspace_id", "audit_id"),
    )

    audit_id: Mapped[str] = mapped_column(Id)
    is_before: Mapped[bool]
    fact: Mapped[str]
    text: Mapped[str] = mapped_column(Text, info=SEALED)


def note_audit_event(
    work: Work,
    audit_event: AuditEvent,
    subject: Subject,
    *,
    before: Facts | None = None,
    after: Facts | None = None,
    via: str | None = None,
    workspace_id: str | None = None,
) -> None:
    """Record an audit event in the transaction that causes it; a rollback removes it.

    All audit events of a transaction are written by one insert when it commits.
    `before` and `after` map column names to values; secret values are hidden. A session of all
    workspaces says in whose audit it is recorded.
    """
    kind, id_ = subject
    noted: list[dict[str, Any]] = work.session.info.setdefault(_NOTED, [])
    noted.append(
        {
            **({"workspace_id": workspace_id} if workspace_id else {}),
            "id": new_id(),
            "at": work.clock.now(),
            "actor": work.actor,
            "audit_event": audit_event.value,
            "subject_kind": kind,
            "subject_id": id_,
            "before": _hide_secrets(before, kind) or None,
            "after": _hide_secrets(after, kind) or None,
            "via": via,
        }
    )


def note_change(
    work: Work,
    audit_event: AuditEvent,
    row: OfWorkspace,
    *,
    since: Facts | None = None,
    subject: Subject | None = None,
    also: Facts | None = None,
) -> None:
    """Record what changed of a row that is not flushed yet, or since `facts_of` was called.

    `also` are known facts that are no column of the row. Nothing is recorded when nothing changed.
    """
    before, after = _read_changes(row) if since is None else (since, facts_of(row))
    both: dict[str, Facts] = {"before": before, "after": {**after, **(also or {})}}
    note_difference(work, audit_event, subject or subject_of(row), **both)


def note_difference(
    work: Work, audit_event: AuditEvent, subject: Subject, *, before: Facts, after: Facts
) -> None:
    """Record the values that differ between two states of a subject; nothing when none differ."""
    changed = [name for name, value in after.items() if before.get(name) != value]
    if changed:
        was = {name: before[name] for name in changed if name in before}
        became = {name: after[name] for name in changed}
        note_audit_event(work, audit_event, subject, before=was, after=became)


def set_columns(
    work: Work,
    audit_event: AuditEvent,
    row: Any,
    values: Facts,
    *,
    about: Subject,
    noted: Mapping[str, tuple[Any, Any]] | None = None,
) -> None:
    """Set columns of a row, increment its version, and record the values that differ.

    A row of version 0 is new: its columns had no values before. `noted` has what the record says
    before and after of columns that the caller set, because their values are sealed.
    """
    before = {name: getattr(row, name) if row.version else None for name in values}
    after = dict(values)
    for name, (was, became) in (noted or {}).items():
        before[name], after[name] = was, became
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    note_difference(work, audit_event, about, before=before, after=after)
    work.session.flush()


def of_workspace(session: Session) -> Subject:
    """Return the subject of an audit event about the session's whole workspace."""
    return ("workspace", workspace_of(session))


def of_reservation(reservation_id: str) -> Subject:
    """Return the subject of an audit event that belongs to a reservation's history."""
    return ("reservation", reservation_id)


def subject_of(row: OfWorkspace) -> Subject:
    """Return the subject that identifies a row."""
    return (str(inspect(row).mapper.local_table), row.id)


def facts_of(row: OfWorkspace) -> dict[str, Any]:
    """Return the audited columns of a row with their present values."""
    return {name: getattr(row, name) for name in _shown_columns(row)}


def is_secret(name: str, kind: str = "") -> bool:
    """Whether a value of that name is never recorded: hashes, tokens, passwords, codes."""
    if _NO_SECRETS & {name, f"{kind}.{name}"}:
        return False
    words = re.split(r"_|(?<=[a-z])(?=[A-Z])", name)
    return any(word.lower() in _SECRET_WORDS for word in words)


def _shown_columns(row: OfWorkspace) -> list[str]:
    columns = inspect(row).mapper.column_attrs
    return [column.key for column in columns if column.key not in _NOT_NOTED]


def _read_changes(row: OfWorkspace) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values a flush will write; old values are known unless the row is new."""
    attributes, is_new = inspect(row).attrs, inspect(row).key is None
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name in _shown_columns(row):
        history = attributes[name].history
        if history.added and (history.added[0] is not None or not is_new):
            after[name] = history.added[0]
            if not is_new:
                before[name] = history.deleted[0] if history.deleted else None
    return before, after


def _hide_secrets(facts: Facts | None, kind: str = "") -> dict[str, Any]:
    return {
        name: HIDDEN if is_secret(name, kind) and value is not None else _convert_to_json(value)
        for name, value in (facts or {}).items()
    }


def _convert_to_json(value: Any) -> Any:
    """The value as JSON stores it: yen as numbers, all other figures and days as text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return _hide_secrets(value)
    if isinstance(value, Iterable):
        return [_convert_to_json(member) for member in value]
    return _fact_text(value)


def _fact_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    return value.text if isinstance(value, CorruptDay) else str(value)


@event.listens_for(WorkspaceSession, "before_commit")
def _write_events(session: WorkspaceSession) -> None:
    if session.in_nested_transaction():
        return
    session.flush()
    if noted := session.info.pop(_NOTED, None):
        session.execute(insert(AuditRecord), noted)


@event.listens_for(WorkspaceSession, "do_orm_execute")
def _write_before_reading(state: ORMExecuteState) -> None:
    # As autoflush does for rows: a query of the audit sees the events of this transaction.
    if state.is_select and state.bind_mapper is inspect(AuditRecord):
        _write_events(cast(WorkspaceSession, state.session))


@event.listens_for(WorkspaceSession, "after_transaction_create")
def _remember_savepoint(session: WorkspaceSession, transaction: SessionTransaction) -> None:
    if transaction.nested:
        before = session.info.setdefault(_SAVEPOINTS, {})
        before[id(transaction)] = len(session.info.get(_NOTED, ()))


@event.listens_for(WorkspaceSession, "after_soft_rollback")
def _forget_events(session: WorkspaceSession, previous: SessionTransaction) -> None:
    kept = session.info[_SAVEPOINTS][id(previous)] if previous.nested else 0
    del session.info.get(_NOTED, [])[kept:]


@event.listens_for(WorkspaceSession, "after_transaction_end")
def _forget_savepoints(session: WorkspaceSession, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.info.pop(_SAVEPOINTS, None)


_PEOPLE: Final = "person/"
_NEWEST_FIRST: Final = (AuditRecord.at.desc(), AuditRecord.id.desc())
_FIRST_DAY: Final = date(1970, 1, 1)


class RecordedEvent(NamedTuple):
    """One recorded audit event.

    `audit_event` is plain text, because a word of an earlier release may no longer be listed.
    """

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
    """Some audit events and the total count."""

    audit_events: tuple[RecordedEvent, ...]
    total: int


class LastChange(NamedTuple):
    """Who changed a value last, with the old and the new value."""

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
    """Return a page of the audit events that match every condition, and the count of all.

    Days are days in Japan, both ends included; `is_by_people` leaves out events of jobs and
    commands.
    """
    conditions: list[ColumnElement[bool]] = []
    if from_on:
        begin = datetime.combine(max(from_on, _FIRST_DAY), time.min, tzinfo=JAPAN)
        conditions.append(AuditRecord.at >= begin)
    if through_on:
        # Instants have whole seconds, so this is the last instant of a day.
        end = time(23, 59, 59)
        conditions.append(
            AuditRecord.at <= datetime.combine(max(through_on, _FIRST_DAY), end, tzinfo=JAPAN)
        )
    wanted = [*_conditions_of_subject(subject), *conditions]
    if actor:
        wanted.append(AuditRecord.actor == actor)
    if is_by_people:
        wanted.append(AuditRecord.actor.startswith(_PEOPLE, autoescape=True))
    if audit_event:
        wanted.append(AuditRecord.audit_event == audit_event.value)
    total = session.scalar(select(func.count()).select_from(AuditRecord).where(*wanted)) or 0
    found = _select_events().where(*wanted).order_by(*_NEWEST_FIRST)
    rows = session.execute(found.limit(limit).offset(Paging(page, limit).offset))
    return RecordedEvents(tuple(_recorded_event(row) for row in rows), total)


def last_change(session: Session, subject: Subject, field: str) -> LastChange | None:
    """Return who changed a field of a subject last; `None` without a recorded change."""
    found = _select_events().where(*_conditions_of_subject(subject)).order_by(*_NEWEST_FIRST)
    for row in session.execute(found):
        done = _recorded_event(row)
        if field in done.before or field in done.after:
            return LastChange(done.actor, done.at, done.before.get(field), done.after.get(field))
    return None


def actors(session: Session) -> tuple[str, ...]:
    """Return all actors that occur in the audit, sorted by their text."""
    # From one actor to the next in the index: a few lookups, however long the audit is.
    ordered = select(AuditRecord.actor).order_by(AuditRecord.actor).limit(1)
    known = select(ordered.scalar_subquery().label("actor")).cte("known", recursive=True)
    following = ordered.where(AuditRecord.actor > known.c.actor).scalar_subquery()
    known = known.union_all(select(following).where(known.c.actor.is_not(None)))
    found = select(known.c.actor).where(known.c.actor.is_not(None))
    return tuple(sorted(session.scalars(found)))


def _conditions_of_subject(subject: Subject | None) -> list[ColumnElement[bool]]:
    if subject is None:
        return []
    kind, id_ = subject
    return [AuditRecord.subject_kind == kind, AuditRecord.subject_id == id_]


def _select_events() -> Select[Any]:
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


def _recorded_event(row: Row[Any]) -> RecordedEvent:
    facts = dict(row._mapping)
    before, after = facts.pop("before"), facts.pop("after")
    return RecordedEvent(**facts, before=before or {}, after=after or {})
