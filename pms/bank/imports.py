"""Imports bank files, each row once even when files repeat, and undoes imports."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankImport, BankPlacement, BankTransfer, FeeWriteOff
from pms.bank.statement_files import BankFile, read_bank_file
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_columns import TableRole
from pms.rules.bank_statements import (
    BankRow,
    BankStatement,
    gap_before,
    likeness,
    row_keys,
)
from pms.rules.enumerations import TransferState

_LONGEST_NAME = 120
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
    found = read_for_account(work.session, work.clock.today(), data, account, chosen)
    done = []
    for statement in found.statements:
        if not statement.rows:
            continue
        row = _account_of(work, found=found, statement=statement, name=account)
        if found.columns is not None:
            row.heads = found.columns.shape
            row.columns = {role.value: head for role, head in (chosen or {}).items()} or row.columns
        done.append(
            _import_rows(
                work,
                account=row,
                found=found,
                statement=statement,
                file_name=file_name,
                accepts_gap=accepts_gap,
            )
        )
    if not done:
        raise Refused("file: the file has no transactions.")
    work.session.flush()
    return tuple(done)


def read_for_account(
    session: Session,
    today: date,
    data: bytes,
    account: str | None,
    chosen: Mapping[TableRole, str] | None,
) -> BankFile:
    """Return a file as read for an account, with its columns that were chosen by hand before.

    Refuses a file with a row more than two weeks after today. A row of the next days waits for its
    day, since no payment can be recorded before.
    """
    found = _read_with_columns(session, today, data, account, chosen)
    for statement in found.statements:
        for row in statement.rows:
            if row.booked_on > today + _DAYS_AHEAD:
                raise Refused(
                    "file: line {line}: {day} is more than {days} days after today, {today}; nothing"
                    " of it was taken.",
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
        select(BankAccountRow.columns).where(BankAccountRow.key == _named_key(account))
    )
    by_hand = {TableRole(role): str(head) for role, head in (learnt or {}).items()}
    return read_bank_file(data, today, by_hand or None)


def _account_of(
    work: Work, *, found: BankFile, statement: BankStatement, name: str | None
) -> BankAccountRow:
    """Return the account of a statement, locked, so that concurrent imports of it wait."""
    account = statement.account
    if account.number:
        key = "-".join((account.bank, account.branch, account.kind, account.number))
        row = _lock_account(work.session, BankAccountRow.key == key)
        shown = name or " ".join(
            filter(None, (account.bank_name, account.branch_name, account.number))
        )
        return row or _new_account(work, key, shown)
    if name is not None:
        row = _lock_account(
            work.session, (BankAccountRow.key == name) | (BankAccountRow.name == name.strip())
        )
        return row or _new_account(work, _named_key(name), name.strip())
    shape = found.columns.shape if found.columns else ""
    known = work.session.scalars(
        select(BankAccountRow.id).where(BankAccountRow.heads == shape)
    ).all()
    if len(known) != 1:
        raise Refused("account: the list names no account. Choose the account it belongs to.")
    row = _lock_account(work.session, BankAccountRow.id == known[0])
    assert row is not None
    return row


def _named_key(name: str) -> str:
    plain = name.strip()
    if not plain or len(plain) > _LONGEST_NAME or not plain.isprintable():
        raise Refused(
            "account: enter a name of one line with at most {most} characters.",
            most=_LONGEST_NAME,
        )
    return plain


def _lock_account(session: Session, which: ColumnElement[bool]) -> BankAccountRow | None:
    return session.scalar(
        select(BankAccountRow).where(which).order_by(BankAccountRow.id).limit(1).with_for_update()
    )


def _new_account(work: Work, key: str, name: str) -> BankAccountRow:
    facts = {
        "key": key,
        "name": name[:_LONGEST_NAME],
        "added_at": work.clock.now(),
        "added_by": work.actor,
    }
    # A concurrent first import of the account holds the row; this insert waits for it.
    insert_new(work.session, BankAccountRow, [{"id": new_id(), **facts}])
    row = _lock_account(work.session, BankAccountRow.key == key)
    assert row is not None
    return row


def _import_rows(
    work: Work,
    *,
    account: BankAccountRow,
    found: BankFile,
    statement: BankStatement,
    file_name: str,
    accepts_gap: bool,
) -> Imported:
    new = unknown_rows(work.session, account.id, statement.rows)
    days = statement.first_on, statement.last_on
    if not new:
        return Imported(None, account.name, *days, len(statement.rows), 0, 0)
    gap_yen = 0
    if len(new) == len(statement.rows):
        gap_yen = gap_before(statement, known_balance(work.session, account.id, statement.first_on))
    if gap_yen and not accepts_gap:
        raise Refused(
            "gap: the file starts at {opening} yen, {gap} yen off the last known balance of "
            "{account}, so rows in between are missing. Nothing was imported.",
            opening=statement.opening_yen,
            gap=gap_yen,
            account=account.name,
        )
    row = BankImport(
        id=new_id(),
        account_id=account.id,
        file_name=file_name[:_LONGEST_NAME],
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
    insert_new(
        work.session, BankTransfer, [_transfer(account.id, row.id, key, one) for key, one in new]
    )
    facts = {
        "import_id": row.id,
        "account": account.name,
        "file_name": row.file_name,
        "first_on": row.first_on,
        "last_on": row.last_on,
        "new_rows": row.new_rows,
        "gap_yen": gap_yen,
    }
    note_audit_event(work, AuditEvent.BANK_FILE_IMPORTED, of_workspace(work.session), after=facts)
    return Imported(row.id, account.name, *days, len(statement.rows), len(new), gap_yen)


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
        like = likeness(row)
        if alike[like] > 0:
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
        "state": TransferState.WAITING if row.is_awaited else TransferState.NOT_OURS,
    }


def undo_import(work: Work, import_id: str) -> int:
    """Delete the rows of an import, none of which may be placed; return their number."""
    row = locked_import(work.session, import_id)
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


def locked_import(session: Session, import_id: str) -> BankImport:
    """Return an import that is in force, locked with its account."""
    row = None
    if is_id(import_id):
        row = session.scalar(select(BankImport).where(BankImport.id == import_id).with_for_update())
    if row is None or row.undone_at is not None:
        raise no_such("import", import_id)
    _lock_account(session, BankAccountRow.id == row.account_id)
    return row


def imports_in_force(session: Session, most: int = 50) -> Sequence[ImportShown]:
    """Return the imports that were not undone, the latest first."""
    rows = session.execute(
        select(BankImport, BankAccountRow.name)
        .join(
            BankAccountRow,
            (BankAccountRow.workspace_id == BankImport.workspace_id)
            & (BankAccountRow.id == BankImport.account_id),
        )
        .where(BankImport.undone_at.is_(None))
        .order_by(BankImport.id.desc())
        .limit(most)
    ).all()
    states: defaultdict[str, Counter[TransferState]] = defaultdict(Counter)
    ids = [row.id for row, _ in rows]
    for import_id, state in session.execute(
        select(BankTransfer.import_id, BankTransfer.state).where(BankTransfer.import_id.in_(ids))
    ):
        states[import_id][state] += 1
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
