"""Everything about one person as one file: a ZIP with JSON, CSV and the stored files."""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from pms.foundation.audit import AuditRecord, note_audit_event
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.prepared import one_of
from pms.foundation.sealing import opened_text
from pms.foundation.spreadsheet import harmless
from pms.foundation.work import Work
from pms.personal_data.person_records import PersonRecord, known_records
from pms.personal_data.person_rows import find_rows, models
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN

_AT_ONCE: Final = 64 * 1024
# Derived for searching, the program's own keys, and what opens links.
_LEFT_OUT: Final = frozenset(
    {"workspace_id", "search_text", "name_text", "name_key", "email_key", "phone_key", "version"}
    | {"nonce", "token_hash", "screen_hash", "body_hash", "document_hash", "stated", "envelope"}
    | {"signing_url"}
)
_OF_AUDIT: Final = ("at", "audit_event", "subject_kind", "subject_id", "before", "after")


class NamedFile(NamedTuple):
    """A stored file of a person, and its name in the ZIP."""

    name: str
    key: str


class PersonFile(NamedTuple):
    """What is known about a person: the rows of each table, and the stored files."""

    tables: Mapping[str, Sequence[Mapping[str, Any]]]
    files: Sequence[NamedFile]

    @property
    def row_count(self) -> int:
        return sum(map(len, self.tables.values()))

    def stream(self, store: Files) -> Iterator[bytes]:
        """Yield the ZIP in parts; at most one stored file is in memory."""
        sink = _Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("person.json", json.dumps(self.tables, ensure_ascii=False, indent=1))
            for table, rows in self.tables.items():
                # A table that spreadsheets open, in UTF-8 with a mark; no cell is a formula.
                text = io.StringIO(newline="")
                csv_table = csv.writer(text)
                csv_table.writerow(rows[0])
                for row in rows:
                    csv_table.writerow([harmless(_format_cell(value)) for value in row.values()])
                packed.writestr(f"{table}.csv", text.getvalue().encode("utf-8-sig"))
                yield from sink.take()
            for file in self.files:
                content = store.get(file.key)
                if content is not None:
                    packed.writestr(file.name, content, zipfile.ZIP_STORED)
                    yield from sink.take()
        yield from sink.take()


class _Sink(io.RawIOBase):
    """What a ZIP is written to: it cannot be read again, and gives what was written meanwhile."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def take(self) -> Iterator[bytes]:
        whole = b"".join(self._parts)
        self._parts.clear()
        for start in range(0, len(whole), _AT_ONCE):
            yield whole[start : start + _AT_ONCE]


def export_person(work: Work, references: Sequence[str]) -> PersonFile:
    """Return everything about the person who has these records; the audit notes that it left.

    Raises `NotFound` for a record that is not in this workspace.
    """
    records = known_records(work.session, references)
    found = collect_person(work.session, records)
    facts = {"rows": found.row_count, "files": len(found.files)}
    for record in records:
        note_audit_event(work, AuditEvent.PERSON_EXPORTED, (record.kind, record.id), after=facts)
    return found


def collect_person(session: Session, records: Sequence[PersonRecord]) -> PersonFile:
    """Return the rows about a person by table, mails and changes included, and their files."""
    rows = find_rows(session, records)
    tables: dict[str, Sequence[Mapping[str, Any]]] = {}
    files: list[NamedFile] = []
    for table in sorted(rows):
        tables[table] = list(_read_rows(session, models()[table], rows[table], files))
    addresses = {record.email.strip().casefold() for record in records if record.email}
    if addresses:
        mails = session.scalars(
            select(OutboxMail.id).where(OutboxMail.recipient.in_(addresses), ~OutboxMail.is_urgent)
        )
        tables["outbox_mail"] = list(_read_rows(session, OutboxMail, frozenset(mails), files))
    ids = [id_ for table in rows for id_ in rows[table]]
    kinds = {*rows, *(record.kind for record in records)}
    asked = select(*(getattr(AuditRecord, name) for name in _OF_AUDIT)).where(
        AuditRecord.subject_kind.in_(kinds), one_of(AuditRecord.subject_id, ids)
    )
    found = session.execute(asked.order_by(AuditRecord.at, AuditRecord.id))
    tables["audit_record"] = [
        dict(zip(_OF_AUDIT, map(_plain_value, row), strict=True)) for row in found
    ]
    return PersonFile({name: found for name, found in tables.items() if found}, files)


def _read_rows(
    session: Session, model: Any, ids: frozenset[str], files: list[NamedFile]
) -> Iterator[Mapping[str, Any]]:
    """Yield rows with their sealed texts opened; their stored files are added to the list."""
    attributes = [
        attribute for attribute in inspect(model).column_attrs if attribute.key not in _LEFT_OUT
    ]
    asked = select(*(getattr(model, attribute.key) for attribute in attributes))
    for row in session.execute(asked.where(one_of(model.id, ids)).order_by(model.id)):
        shown: dict[str, Any] = {}
        for attribute, value in zip(attributes, row, strict=True):
            info = attribute.columns[0].info
            if info.get("has_files"):
                if isinstance(value, str):
                    keys = [value]
                elif isinstance(value, Mapping):
                    sizes = {size: key for size, key in value.items() if str(size).isdigit()}
                    keys = [sizes[max(sizes, key=int)]] if sizes else []
                else:
                    keys = [part["file_key"] for part in value or ()]  # what is attached to a mail
                named = [
                    NamedFile(f"files/{model.__tablename__}-{number}.{key.rpartition('.')[2]}", key)
                    for number, key in enumerate(keys, len(files) + 1)
                ]
                files += named
                shown[attribute.key] = [file.name for file in named]
            else:
                shown[attribute.key] = _plain_value(
                    opened_text(session, value) if info.get("is_sealed") else value
                )
        yield shown


def _plain_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(JAPAN).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | list | dict):
        return value
    return str(getattr(value, "text", value))


def _format_cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else value
