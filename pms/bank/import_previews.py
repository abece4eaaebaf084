"""Preview of a bank file before anything is stored."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.imports import known_balance, read_for_account, unknown_rows
from pms.bank.models import BankAccountRow
from pms.bank.statement_files import BankFile, BankFileForm
from pms.rules.bank_columns import TableRole
from pms.rules.bank_statements import BankStatement, gap_before


class StatementPreview(NamedTuple):
    """One account of a file: its days, its movements, and which of them are new."""

    form: BankFileForm
    account: str | None
    first_on: date
    last_on: date
    rows: int
    new_rows: int
    paid_in: int
    paid_in_yen: int
    paid_out: int
    paid_out_yen: int
    closing_yen: int | None
    gap_yen: int


def preview_file(
    session: Session,
    today: date,
    data: bytes,
    *,
    account: str | None = None,
    chosen: Mapping[TableRole, str] | None = None,
) -> Sequence[StatementPreview]:
    """Return the contents of a file; refuse it as a whole when importing would."""
    found = read_for_account(session, today, data, account, chosen)
    return [_preview(session, found, statement, account) for statement in found.statements]


def _preview(
    session: Session, found: BankFile, statement: BankStatement, name: str | None
) -> StatementPreview:
    row = _known_account(session, found, statement, name)
    new = unknown_rows(session, row.id, statement.rows) if row else statement.rows
    gap_yen = 0
    if row is not None and len(new) == len(statement.rows):
        gap_yen = gap_before(statement, known_balance(session, row.id, statement.first_on))
    account = statement.account
    shown = " ".join(filter(None, (account.bank_name, account.branch_name, account.number)))
    paid_in = [movement.yen for movement in statement.rows if movement.is_deposit]
    paid_out = [movement.yen for movement in statement.rows if not movement.is_deposit]
    return StatementPreview(
        found.form,
        row.name if row else name or shown or None,
        statement.first_on,
        statement.last_on,
        len(statement.rows),
        len(new),
        len(paid_in),
        sum(paid_in),
        len(paid_out),
        sum(paid_out),
        statement.closing_yen,
        gap_yen,
    )


def _known_account(
    session: Session, found: BankFile, statement: BankStatement, name: str | None
) -> BankAccountRow | None:
    """Return the account of a statement, if known; a list's account is found by its columns."""
    account = statement.account
    if account.number:
        which = BankAccountRow.key == "-".join(
            (account.bank, account.branch, account.kind, account.number)
        )
    elif name is not None:
        which = (BankAccountRow.key == name) | (BankAccountRow.name == name.strip())
    else:
        which = BankAccountRow.heads == (found.columns.shape if found.columns else "")
    rows = session.scalars(select(BankAccountRow).where(which).limit(2)).all()
    return rows[0] if len(rows) == 1 else None
