"""Bank files that the worker imports part by part."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import update

from pms.bank.imports import (
    AskedImport,
    BegunImport,
    begin_import,
)
from pms.bank.models import BankImport
from pms.bank.statement_files import BankFile
from pms.foundation.files import Files
from pms.foundation.runs import Run, ask_run, newest_run
from pms.foundation.work import Work
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import RunKind, RunState

LONG_FILE_BYTES: Final = 200_000
"""The size from which a file is imported by a run: about a thousand records of a bank."""


def ask_to_import(work: Work, files: Files, data: bytes, kept: str, asked: AskedImport) -> Run:
    """Queue a run that imports a file stored under the key `kept`; return it.

    While the same file is being imported, that run is returned; of two copies one is deleted.
    """
    kind, subject = RunKind.STATEMENT.value, sha256(data).hexdigest()[:32]
    latest = newest_run(work.session, kind, subject)
    if latest is not None and latest.finished_at is None:
        is_running, earlier = latest.state is RunState.RUNNING, latest.asked["kept"]
        if earlier != kept:
            files.delete(kept if is_running else earlier)
        if is_running:
            return latest
    return ask_run(
        work,
        kind=kind,
        subject=subject,
        file=asked.file_name,
        kept=kept,
        account=asked.account,
        chosen={role.value: head for role, head in asked.chosen.items()},
        accepts_gap=asked.accepts_gap,
        distinct=None if asked.distinct is None else sorted(asked.distinct),
        accepts_copy=asked.accepts_copy,
        accepts_days=asked.accepts_days,
        head_line=asked.head_line,
    )


def asked_import(asked: Mapping[str, Any]) -> AskedImport:
    """Return what was said about the file when its run was asked for."""
    chosen = {TableRole(role): str(head) for role, head in asked["chosen"].items()}
    return AskedImport(
        asked["file"],
        asked["account"],
        chosen,
        asked["accepts_gap"],
        asked.get("distinct"),
        asked.get("accepts_copy", False),
        asked.get("accepts_days", False),
        asked.get("head_line"),
    )


def begin_imports(
    work: Work, found: BankFile, asked: AskedImport, started: Mapping[str, str]
) -> Sequence[BegunImport]:
    """Begin the imports of all accounts of a file, or of none when one is refused.

    `started` has the ids of those that an earlier start began and did not end, by their place in the
    file. Until they end, the balance of none of them is the last known one.
    """
    begun = [
        begin_import(work, found, statement, asked, started.get(str(place)))
        for place, statement in enumerate(found.statements)
    ]
    ids = [begun_import.import_id for begun_import in begun if begun_import.import_id is not None]
    work.session.execute(update(BankImport).where(BankImport.id.in_(ids)).values(closing_yen=None))
    return begun
