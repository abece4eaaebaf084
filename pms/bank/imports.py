"""Imports bank files, each row once even when files repeat, and undoes imports."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankImport, BankTransfer
from pms.bank.orders import LONGEST_NAME, account_of, lock_account, named_key
from pms.bank.statement_files import BankFile, read_bank_file
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_columns import TableRole
from pms.rules.bank_statements import (
    MOVES_NOT_OURS,
    BankRow,
    BankStatement,
    gap_before,
    likeness,
    row_keys,
)
from pms.rules.enumerations import TransferState

# Banks list what arrived after hours under the next business day, over long holidays too.
_DAYS_AHEAD = timedelta(days=14)


class Imported(NamedTuple):
    """The result for one account of a file; without new rows there is no import."""

    import_id: str | None
    account: str
    first_on: date
    last_on: date
    rows: int
    new_rows: int
    gap_yen: int


class ImportShown(NamedTuple):
    """An import in a list, with the number of its rows in each state."""

    id: str
    account: str
    file_name: str
    first_on: date
    last_on: date
    closing_yen: int | None
    new_rows: int
    imported_at: datetime
    states: Mapping[TransferState, int]


def import_file(
    work: Work,
    data: bytes,
    *,
    file_name: str,
    account: str | None = None,
    chosen: Mapping[TableRole, str] | None = None,
    accepts_gap: bool = False,
) -> tuple[Imported, ...]:
    """Import a bank file; rows that are known already change nothing.

    A list that names no account needs a name for it, unless a list with the same columns was
    imported before; columns chosen by hand are remembered for the account. A balance that does not
    continue the last known one is refused unless `accepts_gap`.
    """
    asked = AskedImport(file_name, account, chosen or {}, accepts_gap)
    found = read_for_account(work.session, work.clock.today(), data, account, chosen)
    done = []
    for statement in found.statements:
        begun = begin_import(work, found, statement, asked)
        if begun.import_id is not None:
            add_rows(work.session, begun.account_id, begun.import_id, begun.new)
            end_import(work, begun.import_id, statement)
        done.append(begun.as_imported(statement))
    work.session.flush()
    return tuple(done)


class AskedImport(NamedTuple):
    """What a person says about a file: its name, its account, its columns and missing rows."""

    file_name: str
    account: str | None
    chosen: Mapping[TableRole, str]
    accepts_gap: bool


class BegunImport(NamedTuple):
    """One account of a file, with its new rows by their keys; without any there is no import."""

    import_id: str | None
    account_id: str
    account: str
    gap_yen: int
    new: Sequence[tuple[str, BankRow]]

    def as_imported(self, statement: BankStatement) -> Imported:
        """Return the result once all new rows are added."""
        return Imported(
            self.import_id,
            self.account,
            statement.first_on,
            statement.last_on,
            len(statement.rows),
            len(self.new),
            self.gap_yen,
        )


def read_for_account(
    session: Session,
    today: date,
    data: bytes,
    account: str | None,
    chosen: Mapping[TableRole, str] | None,
) -> BankFile:
    """Return a file as read for an account, with its columns that were chosen by hand before.

    Its accounts without rows are left out. Refuses a file with a row more than two weeks after
    today. A row of the next days waits for its
    day, since no payment can be recorded before.
    """
    found = _read_with_columns(session, today, data, account, chosen)
    statements = tuple(statement for statement in found.statements if statement.rows)
    if not statements:
        raise Refused("file: the file has no transactions.")
    found = found._replace(statements=statements)
    for statement in found.statements:
        for row in statement.rows:
            if row.booked_on > today + _DAYS_AHEAD:
                raise Refused(
                    "file: line {line}: {day} is more than {days} days after today, {today}; nothing"
                    " was imported.",
                    line=row.line,
                    day=row.booked_on,
                    days=_DAYS_AHEAD.days,
                    today=today,
                )
    return found


def _read_with_columns(
    session: Session,
    today: date,
    data: bytes,
    account: str | None,
    chosen: Mapping[TableRole, str] | None,
) -> BankFile:
    if chosen or account is None:
        return read_bank_file(data, today, chosen)
    learnt = session.scalar(
        select(BankAccountRow.columns).where(BankAccountRow.key == named_key(account))
    )
    by_hand = {TableRole(role): str(head) for role, head in (learnt or {}).items()}
    return read_bank_file(data, today, by_hand or None)


def _refusal_of_gap(statement: BankStatement, gap_yen: int, account: str) -> Refused:
    return Refused(
        "gap: the file starts at {opening} yen, {gap} yen off the last known balance of "
        "{account}, so rows in between are missing. Nothing was imported.",
        opening=statement.opening_yen,
        gap=gap_yen,
        account=account,
    )


def begin_import(
    work: Work,
    found: BankFile,
    statement: BankStatement,
    asked: AskedImport,
    started: str | None = None,
) -> BegunImport:
    """Store that an account's rows are being imported, and return those that are new.

    They are added by `add_rows`, and wait for their bills from `end_import` on. `started` is the id
    of this import where it began before and did not end.
    """
    account = account_of(work, found=found, statement=statement, name=asked.account)
    if found.columns is not None:
        account.heads = found.columns.shape
        by_hand = {role.value: head for role, head in asked.chosen.items()}
        account.columns = by_hand or account.columns
    new = unknown_rows(work.session, account.id, statement.rows)
    if not new or started is not None:
        return BegunImport(started, account.id, account.name, 0, new)
    gap_yen = 0
    if len(new) == len(statement.rows):
        gap_yen = gap_before(statement, known_balance(work.session, account.id, statement.first_on))
    if gap_yen and not asked.accepts_gap:
        raise _refusal_of_gap(statement, gap_yen, account.name)
    row = BankImport(
        id=new_id(),
        account_id=account.id,
        file_name=asked.file_name[:LONGEST_NAME],
        form=found.form.value,
        first_on=statement.first_on,
        last_on=statement.last_on,
        opening_yen=statement.opening_yen,
        closing_yen=statement.closing_yen,
        gap_yen=gap_yen,
        rows=len(statement.rows),
        new_rows=len(new),
        imported_at=work.clock.now(),
        imported_by=work.actor,
    )
    work.session.add(row)
    work.session.flush()
    return BegunImport(row.id, account.id, account.name, gap_yen, new)


def add_rows(
    session: Session, account_id: str, import_id: str, new: Sequence[tuple[str, BankRow]]
) -> None:
    """Add new rows to an import; none is matched with a bill before the import has ended.

    A later row may take an earlier one back.
    """
    insert_new(
        session,
        BankTransfer,
        [_transfer(account_id, import_id, *key_and_row) for key_and_row in new],
    )


def end_import(work: Work, import_id: str, statement: BankStatement) -> BankImport:
    """End an import: its rows that may pay a bill wait, and its balance is the account's."""
    row = lock_import(work.session, import_id)
    of_import = BankTransfer.import_id == import_id
    may_pay = BankTransfer.is_deposit & BankTransfer.move.not_in(MOVES_NOT_OURS)
    work.session.execute(
        update(BankTransfer).where(of_import, may_pay).values(state=TransferState.WAITING)
    )
    row.new_rows = work.session.scalar(select(func.count(BankTransfer.id)).where(of_import)) or 0
    row.closing_yen = statement.closing_yen
    facts = {
        "import_id": row.id,
        "account": work.session.scalar(
            select(BankAccountRow.name).where(BankAccountRow.id == row.account_id)
        ),
        "file_name": row.file_name,
        "first_on": row.first_on,
        "last_on": row.last_on,
        "new_rows": row.new_rows,
        "gap_yen": row.gap_yen,
    }
    note_audit_event(work, AuditEvent.BANK_FILE_IMPORTED, of_workspace(work.session), after=facts)
    return row


def unknown_rows(
    session: Session, account_id: str, rows: Sequence[BankRow]
) -> list[tuple[str, BankRow]]:
    """Return the rows of a statement that are not known, with their keys.

    A row from a file of another form is recognised by its day, yen and payer.
    """
    first_on = min(row.booked_on for row in rows)
    last_on = max(row.booked_on for row in rows)
    known = session.execute(
        select(BankTransfer.key, BankTransfer.likeness).where(
            BankTransfer.account_id == account_id,
            BankTransfer.booked_on >= first_on,
            BankTransfer.booked_on <= last_on,
        )
    ).all()
    keyed = list(zip(row_keys(rows), rows, strict=True))
    same = {key for key, _ in known} & {key for key, _ in keyed}
    forms = {key[:1] for key, _ in keyed}
    alike = Counter(like for key, like in known if key not in same and key[:1] not in forms)
    new = []
    for key, row in keyed:
        if key in same or not row.yen:
            continue
        if alike and alike[like := likeness(row)] > 0:
            alike[like] -= 1
            continue
        new.append((key, row))
    return new


def known_balance(session: Session, account_id: str, before: date) -> int | None:
    """Return the last known balance of an account up to a day."""
    return session.scalar(
        select(BankImport.closing_yen)
        .where(
            BankImport.account_id == account_id,
            BankImport.undone_at.is_(None),
            BankImport.closing_yen.is_not(None),
            BankImport.last_on <= before,
        )
        .order_by(BankImport.last_on.desc(), BankImport.id.desc())
        .limit(1)
    )


def _transfer(account_id: str, import_id: str, key: str, row: BankRow) -> dict[str, Any]:
    return {
        "id": new_id(),
        "account_id": account_id,
        "import_id": import_id,
        "key": key,
        "likeness": likeness(row),
        "line": row.line,
        "number": row.number,
        "booked_on": row.booked_on,
        "is_deposit": row.is_deposit,
        "move": row.move,
        "yen": row.yen,
        "payer": row.payer,
        "message": row.message,
        "text": row.text,
        "bank_name": row.bank_name,
        "branch_name": row.branch_name,
        "balance_yen": row.balance_yen,
        "is_broken": row.is_broken,
        "state": TransferState.NOT_OURS,
    }


def lock_import(session: Session, import_id: str) -> BankImport:
    """Return an import that is in force, locked with its account."""
    row = locked(
        session,
        BankImport,
        import_id,
        within=lambda query: query.where(BankImport.undone_at.is_(None)),
    )
    lock_account(session, BankAccountRow.id == row.account_id)
    return row


def _count_states(
    session: Session, import_ids: Sequence[str]
) -> Mapping[str, Counter[TransferState]]:
    states: defaultdict[str, Counter[TransferState]] = defaultdict(Counter)
    counted = (
        select(BankTransfer.import_id, BankTransfer.state, func.count())
        .where(BankTransfer.import_id.in_(import_ids))
        .group_by(BankTransfer.import_id, BankTransfer.state)
    )
    for import_id, state, count in session.execute(counted):
        states[import_id][state] += count
    return states


def imports_in_force(session: Session, most: int = 50) -> Sequence[ImportShown]:
    """Return the imports that were not undone, the latest first."""
    rows = session.execute(
        select(BankImport, BankAccountRow.name)
        .join(BankAccountRow, refers_to(BankImport.account_id, BankAccountRow))
        .where(BankImport.undone_at.is_(None))
        .order_by(BankImport.id.desc())
        .limit(most)
    ).all()
    states = _count_states(session, [row.id for row, _ in rows])
    return [
        ImportShown(
            row.id,
            name,
            row.file_name,
            row.first_on,
            row.last_on,
            row.closing_yen,
            row.new_rows,
            row.imported_at,
            states[row.id],
        )
        for row, name in rows
    ]
