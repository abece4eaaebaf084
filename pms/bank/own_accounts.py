"""The accounts of the office at its banks, as files name them."""

from typing import Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow
from pms.bank.statement_files import BankFile
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.bank_statements import BankStatement

LONGEST_NAME: Final = 120


def account_of(
    work: Work, *, found: BankFile, statement: BankStatement, name: str | None
) -> BankAccountRow:
    """Return the account of a statement, locked, so that concurrent imports of it wait.

    An account that is not known yet is added; one that the file does not name is refused unless its
    columns belong to a single account.
    """
    account = statement.account
    if account.number:
        key = "-".join((account.bank, account.branch, account.kind, account.number))
        row = lock_account(work.session, BankAccountRow.key == key)
        shown = name or " ".join(
            filter(None, (account.bank_name, account.branch_name, account.number))
        )
        return row or _new_account(work, key, shown)
    if name is not None:
        row = lock_account(
            work.session, (BankAccountRow.key == name) | (BankAccountRow.name == name.strip())
        )
        return row or _new_account(work, named_key(name), name.strip())
    shape = found.columns.shape if found.columns else ""
    known = work.session.scalars(
        select(BankAccountRow.id).where(BankAccountRow.heads == shape)
    ).all()
    if len(known) != 1:
        raise Refused("account: the list names no account. Choose the account it belongs to.")
    row = lock_account(work.session, BankAccountRow.id == known[0])
    assert row is not None
    return row


def named_key(name: str) -> str:
    """Return the key of an account that a person named; refuse a name of several lines."""
    plain = name.strip()
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise Refused(
            "account: enter a name of one line with at most {most} characters.",
            most=LONGEST_NAME,
        )
    return plain


def lock_account(session: Session, which: ColumnElement[bool]) -> BankAccountRow | None:
    """Return the first account that fits, locked; None without one."""
    return session.scalar(
        select(BankAccountRow).where(which).order_by(BankAccountRow.id).limit(1).with_for_update()
    )


def _new_account(work: Work, key: str, name: str) -> BankAccountRow:
    facts = {
        "key": key,
        "name": name[:LONGEST_NAME],
        "added_at": work.clock.now(),
        "added_by": work.actor,
    }
    # A concurrent first import of the account holds the row; this insert waits for it.
    insert_new(work.session, BankAccountRow, [{"id": new_id(), **facts}])
    row = lock_account(work.session, BankAccountRow.key == key)
    assert row is not None
    return row
