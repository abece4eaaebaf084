"""Bank files as a whole: previewed, imported by a run of the worker part by part, undone."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from pms.bank.accounts import (
    AccountAsked,
    AccountCopy,
    ChosenAccount,
    choose_account,
    find_copy,
)
from pms.bank.imports import (
    AskedImport,
    BegunImport,
    begin_import,
    compare_statement,
    gap_of,
    lacks_payers,
    lock_import,
    old_rows,
)
from pms.bank.models import BankImport, BankPlacement, BankTransfer, FeeWriteOff
from pms.bank.statement_files import BankFile, BankFileForm, ReadTable
from pms.bank.transfers import TransfersDone, refused_transfer, take_off
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.runs import Run, ask_run, newest_run
from pms.foundation.work import Work
from pms.reservations.changes import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_columns import TableRole
from pms.rules.bank_identity import (
    ComparedRows,
    DoubtfulRow,
    KnownTransfer,
    SameTransfer,
    is_mostly_known,
    known_of_rows,
)
from pms.rules.bank_statements import BankRow, BankStatement
from pms.rules.enumerations import RunKind, RunState, TransferState

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
    return files.delete_old(clock.now() - KEPT_FOR, kept, KEPT_SUFFIX)


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


class StatementPreview(NamedTuple):
    """One account of a file: its days, its movements, and which of them are new.

    `account` is None while a person has to choose it; `choice` names it in a form. `reworded` rows are known in other words,
    `doubtful` ones may be known, and `copy` is another account that most of the payments are of.
    """

    form: BankFileForm
    account: str | None
    choice: str
    number: str
    first_on: date
    last_on: date
    rows: int
    new: Sequence[BankRow]
    reworded: Sequence[SameTransfer]
    doubtful: Sequence[DoubtfulRow]
    paid_in: int
    paid_in_yen: int
    paid_out: int
    paid_out_yen: int
    closing_yen: int | None
    gap_yen: int
    is_mostly_known: bool
    copy: AccountCopy | None
    old: Sequence[BankRow]
    table: ReadTable | None
    unread_sheets: Sequence[str]
    lacks_payers: bool
    places: Mapping[int, str]

    def place_of(self, row: BankRow) -> str:
        """Return the place of a row, the only one in the file."""
        return self.places[row.line]


def preview_file(
    session: Session, today: date, found: BankFile, *, account: str | None = None
) -> Sequence[StatementPreview]:
    """Return what a file that was read would change.

    What a person can still answer, such as the account, is no refusal here. A part of the file, such
    as a sheet, is compared with the parts before it, too: they are imported first.
    """
    previews: list[StatementPreview] = []
    earlier: defaultdict[str, list[BankStatement]] = defaultdict(list)
    taken: defaultdict[str, list[KnownTransfer]] = defaultdict(list)
    for statement in found.statements:
        try:
            of_account = choose_account(session, found, statement, account)
        except AccountAsked:
            of_account = None
        key = of_account.key if of_account else ""
        row_id = of_account.row_id if of_account else None
        compared = compare_statement(session, row_id, statement, taken[key])
        gap_yen = gap_of(session, row_id, statement, compared, earlier[key])
        previews.append(
            _build_preview(
                session,
                found,
                statement,
                of_account,
                compared=compared,
                gap_yen=gap_yen,
                today=today,
            )
        )
        earlier[key].append(statement)
        taken[key] += known_of_rows(str(len(previews)), compared.new)
    return previews


def _build_preview(
    session: Session,
    found: BankFile,
    statement: BankStatement,
    chosen: ChosenAccount | None,
    *,
    compared: ComparedRows,
    gap_yen: int,
    today: date,
) -> StatementPreview:
    row_id = chosen.row_id if chosen is not None else None
    account = statement.account
    paid_in = [movement.yen for movement in statement.rows if movement.is_deposit]
    paid_out = [movement.yen for movement in statement.rows if not movement.is_deposit]
    new = [row for _, row in compared.new]
    return StatementPreview(
        found.form,
        chosen.name if chosen is not None else None,
        (row_id or chosen.key) if chosen is not None else "",
        " ".join(filter(None, (account.bank_name, account.branch_name, account.number))),
        statement.first_on,
        statement.last_on,
        len(statement.rows),
        new,
        compared.reworded,
        compared.doubtful,
        len(paid_in),
        sum(paid_in),
        len(paid_out),
        sum(paid_out),
        statement.closing_yen,
        gap_yen,
        is_mostly_known(statement.rows, compared),
        find_copy(session, row_id, new) if new else None,
        old_rows(new, today),
        found.table_of(statement),
        found.unread_sheets,
        lacks_payers(statement.rows),
        {row.line: found.place_of(statement, row) for row in statement.rows},
    )


UNDONE_AT_ONCE: Final = 300
"""The number of recorded transfers undone in a request; more are a run of the worker."""


class UndoneImport(NamedTuple):
    """The number of reversed payments of an import, and of its deleted rows."""

    payments: int
    rows: int


def undo_all_of_import(work: Work, import_id: str, *, reason: str) -> UndoneImport:
    """Reverse all payments of an import and delete its rows, completely or not at all.

    Raises `Refused`, with the transfer and the reason, when a payment can no longer be reversed.
    """
    payments = 0
    for row in _lock_placed_transfers(work, import_id, None, ()):
        try:
            payments += take_off(work, row.id, reason=reason)
        except Refused as refusal:
            raise Refused(
                "import: the payment of {yen} yen by {payer} on {day} cannot be undone, so nothing "
                "was changed: {why}",
                payer=row.payer or row.text,
                day=row.booked_on,
                yen=row.yen,
                why=refusal.as_part,
            ) from None
    return UndoneImport(payments, undo_import(work, import_id))


def undo_or_ask(work: Work, import_id: str, *, reason: str) -> UndoneImport | Run:
    """Undo all of an import, or queue a run of the worker for one with many recorded transfers."""
    if _count_placed(work, import_id) > UNDONE_AT_ONCE:
        return ask_to_undo(work, import_id, reason=reason)
    return undo_all_of_import(work, import_id, reason=reason)


def ask_to_undo(work: Work, import_id: str, *, reason: str) -> Run:
    """Queue a run of the worker that undoes all of an import, part by part; return it."""
    row = lock_import(work.session, import_id)
    run = ask_run(
        work, kind=RunKind.UNDOING.value, subject=import_id, file=row.file_name, reason=reason
    )
    run.total = run.done + _count_placed(work, import_id)
    return run


def _count_placed(work: Work, import_id: str) -> int:
    placed = select(func.count(BankTransfer.id)).where(_is_placed_of(import_id))
    return work.session.scalar(placed) or 0


def undo_part(
    work: Work, import_id: str, most: int, without: Collection[str], *, reason: str
) -> TransfersDone:
    """Undo at most `most` recorded transfers of an import; return how many, and those refused.

    A refused one does not keep the others; those with the ids `without` are left out.
    """
    undone, refused = 0, []
    for row in _lock_placed_transfers(work, import_id, most, without):
        try:
            with work.session.begin_nested():
                take_off(work, row.id, reason=reason)
            undone += 1
        except (Refused, Collision) as refusal:
            refused.append(refused_transfer(row, row.id, refusal))
    return TransfersDone(undone, refused)


def _lock_placed_transfers(
    work: Work, import_id: str, most: int | None, without: Collection[str]
) -> Sequence[BankTransfer]:
    """Return recorded transfers of an import; it and the reservations that they paid are locked.

    The latest are first: a later payment may have filled up the bill of an earlier one.
    """
    latest_first = BankTransfer.booked_on.desc(), BankTransfer.id.desc()
    ids: Sequence[str] = ()
    if is_id(import_id):
        placed = select(BankTransfer.id).where(
            _is_placed_of(import_id), ~one_of(BankTransfer.id, without)
        )
        ids = work.session.scalars(placed.order_by(*latest_first).limit(most)).all()
    paid = select(BankPlacement.reservation_id).where(
        one_of(BankPlacement.transfer_id, ids), BankPlacement.taken_off_at.is_(None)
    )
    lock_reservations(work.session, work.session.scalars(paid))
    lock_import(work.session, import_id)
    still = select(BankTransfer).where(_is_placed_of(import_id), one_of(BankTransfer.id, ids))
    return work.session.scalars(still.order_by(*latest_first)).all()


def _is_placed_of(import_id: str) -> ColumnElement[bool]:
    return (BankTransfer.import_id == import_id) & (BankTransfer.state == TransferState.PLACED)


def undo_import(work: Work, import_id: str) -> int:
    """Delete the rows of an import, none of which may be placed; return their number."""
    row = lock_import(work.session, import_id)
    transfers = work.session.execute(
        select(BankTransfer.id, BankTransfer.state)
        .where(BankTransfer.import_id == import_id)
        .order_by(BankTransfer.id)
        .with_for_update()
    ).all()
    placed = sum(state is TransferState.PLACED for _, state in transfers)
    if placed:
        raise Refused(
            "import: {placed} of its transfers are recorded as payments. Undo those first.",
            placed=placed,
        )
    ids = [id_ for id_, _ in transfers]
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        work.session.execute(delete(FeeWriteOff).where(FeeWriteOff.transfer_id.in_(some)))
        work.session.execute(delete(BankPlacement).where(BankPlacement.transfer_id.in_(some)))
        work.session.execute(delete(BankTransfer).where(BankTransfer.id.in_(some)))
    row.undone_at, row.undone_by = work.clock.now(), work.actor
    facts = {"import_id": import_id, "file_name": row.file_name, "new_rows": row.new_rows}
    note_audit_event(work, AuditEvent.BANK_IMPORT_UNDONE, of_workspace(work.session), before=facts)
    work.session.flush()
    return len(ids)
