"""Accounts that were imported twice: finding the copy by its transfers."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankTransfer
from pms.rules.bank_identity import KnownTransfer, compare_rows
from pms.rules.bank_statements import BankRow


def known_transfers(
    session: Session, account_id: str, rows: Sequence[BankRow]
) -> list[KnownTransfer]:
    """Return the transfers of an account that the rows of a file may be."""
    first_on = min(row.booked_on for row in rows)
    last_on = max(row.booked_on for row in rows)
    return select_known(
        session,
        (BankTransfer.account_id == account_id)
        & (BankTransfer.booked_on >= first_on)
        & (BankTransfer.booked_on <= last_on),
    )


def select_known(session: Session, which: ColumnElement[bool]) -> list[KnownTransfer]:
    """Return transfers as the rules compare them, in the order of their days."""
    found = session.execute(
        select(
            BankTransfer.id,
            BankTransfer.import_id,
            BankTransfer.key,
            BankTransfer.other_keys,
            BankTransfer.booked_on,
            BankTransfer.is_deposit,
            BankTransfer.move,
            BankTransfer.yen,
            BankTransfer.payer,
            BankTransfer.text,
        )
        .where(which)
        .order_by(BankTransfer.booked_on, BankTransfer.id)
    )
    return [
        KnownTransfer(id_, import_id, (key, *(others or ())), *facts)
        for id_, import_id, key, others, *facts in found
    ]


class AccountCopy(NamedTuple):
    """Another account that has more than half of the payments of a file."""

    account_id: str
    account: str
    known: int
    payments: int


def find_copy(
    session: Session, account_id: str | None, rows: Sequence[BankRow]
) -> AccountCopy | None:
    """Return the account under which most payments of a file are already known."""
    paying = [row for row in rows if row.is_awaited]
    if not paying:
        return None
    best: AccountCopy | None = None
    others = session.execute(select(BankAccountRow.id, BankAccountRow.name))
    for other_id, name in others.all():
        if other_id == account_id:
            continue
        compared = compare_rows(paying, known_transfers(session, other_id, paying))
        known = len(compared.same)
        if 2 * known > len(paying) and (best is None or known > best.known):
            best = AccountCopy(other_id, name, known, len(paying))
    return best
