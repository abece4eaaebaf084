"""Long bank files, imported by a run of the worker part by part."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pms.bank.imports import AskedImport, BegunImport, begin_import
from pms.bank.models import BankImport
from pms.bank.statement_files import BankFile
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.runs import Run, ask_run, newest_run
from pms.foundation.work import Work
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import RunKind, RunState

LONG_FILE_BYTES: Final = 200_000
"""The size from which a file is imported by a run: about a thousand records of a bank."""


KEPT_SUFFIX: Final = ".bank"
"""The suffix of bank files that are stored until they are imported."""
KEPT_FOR: Final = timedelta(days=1)
"""How long a file is stored that was previewed and not imported."""


def forget_previewed_files(session: Session, clock: Clock, files: Files) -> int:
    """Delete the stored bank files that nobody imported within a day; return how many.

    The session reads across workspaces. A file whose import has not ended is kept.
    """
    waiting = select(Run.asked).where(
        Run.kind == RunKind.STATEMENT.value, Run.finished_at.is_(None)
    )
    kept = {asked["kept"] for asked in session.scalars(waiting) if "kept" in asked}
    return files.delete_old(KEPT_SUFFIX, clock.now() - KEPT_FOR, kept)


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
    )


def asked_import(asked: Mapping[str, Any]) -> AskedImport:
    """Return what was said about the file when its run was asked for."""
    chosen = {TableRole(role): str(head) for role, head in asked["chosen"].items()}
    return AskedImport(asked["file"], asked["account"], chosen, asked["accepts_gap"])


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
