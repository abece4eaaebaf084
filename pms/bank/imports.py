"""Imports bank files, each row once even when files repeat, and undoes imports."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pms.bank.account_copies import AccountCopy, find_copy, known_transfers
from pms.bank.accounts import LONGEST_NAME, account_of, note_other_keys
from pms.bank.models import BankAccountRow, BankImport, BankTransfer
from pms.bank.statement_files import BankFile, read_bank_file
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.stored_forms import readable_stored
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_columns import PassedLine, TableRole, UnreadColumn
from pms.rules.bank_identity import ComparedRows, KnownTransfer, compare_rows
from pms.rules.bank_statements import (
    MOVES_NOT_OURS,
    BankRow,
    BankStatement,
    gap_before,
)
from pms.rules.days import is_years_off
from pms.rules.enumerations import TransferState

# Banks list what arrived after hours under the next business day, over long holidays too.
_DAYS_AHEAD = timedelta(days=14)


class Imported(NamedTuple):
    """The result for one account of a file; without new rows there is no import.

    `reworded` of its known rows were known in other words.
    """

    import_id: str | None
    account: str
    first_on: date
    last_on: date
    rows: int
    new_rows: int
    reworded: int
    gap_yen: int
    passed: Sequence[PassedLine] = ()
    unread_columns: Sequence[UnreadColumn] = ()
    unread_sheets: Sequence[str] = ()
    lacks_payers: bool = False


def import_file(
    work: Work,
    data: bytes,
    *,
    file_name: str,
    account: str | None = None,
    chosen: Mapping[TableRole, str] | None = None,
    accepts_gap: bool = False,
    distinct: Collection[str] | None = None,
    accepts_copy: bool = False,
    accepts_days: bool = False,
    head_line: int | None = None,
) -> tuple[Imported, ...]:
    """Read and import a short bank file; rows that are known already change nothing.

    `account` is the account of a list that does not name its own, or its name; it is known again by
    its columns. Columns chosen by hand are remembered for the account. A balance that does not
    continue the last known one is refused unless `accepts_gap`, payments that may be known ones
    unless `distinct` has the places of those that are not, and a file whose payments are known for
    another account unless `accepts_copy`, and days more than a year ago unless `accepts_days`.
    """
    asked = AskedImport(
        file_name,
        account,
        chosen or {},
        accepts_gap,
        distinct,
        accepts_copy,
        accepts_days,
        head_line,
    )
    found = read_for_account(work.session, work.clock.today(), data, chosen, head_line)
    return import_read_file(work, found, asked)


def import_read_file(work: Work, found: BankFile, asked: "AskedImport") -> tuple[Imported, ...]:
    """Import a file that was read before the transaction; otherwise like `import_file`."""
    done = []
    for statement in found.statements:
        begun = begin_import(work, found, statement, asked)
        if begun.import_id is not None:
            add_rows(work.session, begun.account_id, begun.import_id, begun.new)
            end_import(work, begun.import_id, statement)
        done.append(begun.as_imported(found, statement))
    work.session.flush()
    return tuple(done)


class AskedImport(NamedTuple):
    """What a person says about a file: its account and columns, and what of it is known.

    `distinct` has the places of the payments that are not the known ones they may be; None while
    nobody has looked at them.
    """

    file_name: str
    account: str | None
    chosen: Mapping[TableRole, str]
    accepts_gap: bool
    distinct: Collection[str] | None = None
    accepts_copy: bool = False
    accepts_days: bool = False
    head_line: int | None = None


class BegunImport(NamedTuple):
    """One account of a file, with its new rows by their keys; without any there is no import."""

    import_id: str | None
    account_id: str
    account: str
    gap_yen: int
    new: Sequence[tuple[str, BankRow]]
    reworded: int

    def as_imported(self, found: BankFile, statement: BankStatement) -> Imported:
        """Return the result once all new rows are added, with all of the file that was not read."""
        table = found.table_of(statement)
        return Imported(
            self.import_id,
            self.account,
            statement.first_on,
            statement.last_on,
            len(statement.rows),
            len(self.new),
            self.reworded,
            self.gap_yen,
            table.passed if table else (),
            table.unread if table else (),
            found.unread_sheets,
            lacks_payers(statement.rows),
        )


def lacks_payers(rows: Sequence[BankRow]) -> bool:
    """Whether no payment of a file has a payer, so that none can be matched with certainty."""
    paying = [row for row in rows if row.is_awaited]
    return bool(paying) and not any(row.payer for row in paying)


def read_for_account(
    session: Session,
    today: date,
    data: bytes,
    chosen: Mapping[TableRole, str] | None,
    head_line: int | None = None,
) -> BankFile:
    """Return a file as read with the columns chosen by hand, now or for an earlier list like it.

    Its accounts without rows are left out. Refuses a file with a row more than two weeks after
    today. A row of the next days waits for its
    day, since no payment can be recorded before.
    """
    found = read_bank_file(data, today, chosen, head_line, learnt_columns(session))
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


def learnt_columns(session: Session) -> Mapping[str, Mapping[TableRole, str]]:
    """Return the columns that people chose by hand, by the headings of the lists."""
    found: dict[str, Mapping[TableRole, str]] = {}
    query = select(BankAccountRow.heads, BankAccountRow.columns).where(
        BankAccountRow.columns.is_not(None)
    )
    for heads, columns in session.execute(query):
        # As stored before an account could have lists of several forms.
        single = readable_stored(dict[TableRole, str], columns)
        by_shape = dict.fromkeys((heads or "").split("\n"), columns) if single else columns
        for shape, by_hand in (readable_stored(dict[str, Any], by_shape) or {}).items():
            # What cannot be read is chosen by hand again, as for a list that nobody has seen.
            if (roles := readable_stored(dict[TableRole, str], by_hand)) is not None:
                found[shape] = roles
    return found


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
    account = account_of(work, found, statement, asked.account)
    table = found.table_of(statement)
    if asked.chosen and table is not None:
        by_hand = {role.value: head for role, head in asked.chosen.items()}
        known = account.columns or {}
        of_shapes = {shape: roles for shape, roles in known.items() if isinstance(roles, dict)}
        account.columns = {**of_shapes, table.columns.shape: by_hand}
    compared = compare_statement(work.session, account.id, statement)
    _refuse_old_days(compared, asked, work.clock.today())
    places = {doubt.key: found.place_of(statement, doubt.row) for doubt in compared.doubtful}
    if compared.doubtful and asked.distinct is None:
        raise _refusal_of_doubt(compared, places)
    if not asked.accepts_copy and compared.new:
        copy = find_copy(work.session, account.id, [row for _, row in compared.new])
        if copy is not None:
            raise _refusal_of_copy(copy, account.name)
    distinct = asked.distinct or ()
    new = [
        *compared.new,
        *((doubt.key, doubt.row) for doubt in compared.doubtful if places[doubt.key] in distinct),
    ]
    known_again = [doubt for doubt in compared.doubtful if places[doubt.key] not in distinct]
    note_other_keys(work.session, [*compared.reworded, *known_again])
    reworded = len(compared.reworded) + len(known_again)
    if not new or started is not None:
        return BegunImport(started, account.id, account.name, 0, new, reworded)
    gap_yen = gap_of(work.session, account.id, statement, compared)
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
    return BegunImport(row.id, account.id, account.name, gap_yen, new, reworded)


def add_rows(
    session: Session, account_id: str, import_id: str, new: Sequence[tuple[str, BankRow]]
) -> None:
    """Add new rows to an import; none is matched with a bill before the import has ended.

    A later row may take an earlier one back.
    """
    insert_new(
        session,
        BankTransfer,
        [_build_transfer(account_id, import_id, *key_and_row) for key_and_row in new],
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


def compare_statement(
    session: Session,
    account_id: str | None,
    statement: BankStatement,
    before: Sequence[KnownTransfer] = (),
) -> ComparedRows:
    """Return which rows of a statement are known, new, or may be known ones.

    `before` are new transfers of the account in an earlier part of the file.
    """
    known = known_transfers(session, account_id, statement.rows) if account_id else ()
    return compare_rows(statement.rows, [*known, *before])


def gap_of(
    session: Session,
    account_id: str | None,
    statement: BankStatement,
    compared: ComparedRows,
    before: Sequence[BankStatement] = (),
) -> int:
    """Return the yen missing before a statement none of whose rows is known; else 0.

    `before` are the statements of the account in earlier parts of the file.
    """
    if compared.same or compared.doubtful:
        return 0
    for earlier in reversed(before):
        if earlier.closing_yen is not None and earlier.last_on <= statement.first_on:
            return gap_before(statement, earlier.closing_yen)
    known = known_balance(session, account_id, statement.first_on) if account_id else None
    return gap_before(statement, known)


def old_rows(rows: Sequence[BankRow], today: date) -> Sequence[BankRow]:
    """Return the rows of days more than a year ago: one digit of the year may be wrong."""
    return [row for row in rows if is_years_off(row.booked_on, today)]


def _refuse_old_days(compared: ComparedRows, asked: AskedImport, today: date) -> None:
    if asked.accepts_days:
        return
    if old := old_rows([row for _, row in compared.new], today):
        raise Refused(
            "days: line {line}: {day} is more than a year before today. If the date is right, say so."
            " Nothing was imported.",
            line=old[0].line,
            day=old[0].booked_on,
        )


def _refusal_of_doubt(compared: ComparedRows, places: Mapping[str, str]) -> Refused:
    first = compared.doubtful[0]
    return Refused(
        "rows: {count} of the rows may be known, such as {yen} yen by {payer} on {day} (line"
        " {line}), known as {known} on {known_day}. Say which are new. Nothing was imported.",
        count=len(compared.doubtful),
        yen=first.row.yen,
        payer=first.row.payer_shown or first.row.text or "-",
        day=first.row.booked_on,
        line=places[first.key],
        known=first.known.payer or first.known.text or "-",
        known_day=first.known.booked_on,
    )


def _refusal_of_copy(copy: AccountCopy, account: str) -> Refused:
    return Refused(
        "copy: {known} of {payments} payments of the file are known for {other} already. If"
        " {account} is the same account, choose {other} for the file or merge the two. Nothing was"
        " imported.",
        known=copy.known,
        payments=copy.payments,
        other=copy.account,
        account=account,
    )


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


def _build_transfer(account_id: str, import_id: str, key: str, row: BankRow) -> dict[str, Any]:
    return {
        "id": new_id(),
        "account_id": account_id,
        "import_id": import_id,
        "key": key,
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
    locked(session, BankAccountRow, row.account_id)
    return row
