"""The office's accounts at its banks as files name them, and the common parts of files for the bank."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar
from unicodedata import normalize

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, DebitFile, PayoutFile
from pms.bank.statement_files import BankFile
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_orders import Client
from pms.rules.bank_statements import BankAccount, BankStatement
from pms.rules.enumerations import AccountKind, BankOrderState
from pms.workspaces.office_bank import CheckedAccount, OfficeBankFacts, office_bank

OrderFile = TypeVar("OrderFile", DebitFile, PayoutFile)


def state_of(row: DebitFile | PayoutFile) -> BankOrderState:
    """Return the state of a file, by its recorded steps."""
    if row.dropped_at is not None:
        return BankOrderState.DROPPED
    if isinstance(row, DebitFile) and row.answered_at is not None:
        return BankOrderState.ANSWERED
    if row.handed_over_at is not None:
        return BankOrderState.HANDED_OVER
    return BankOrderState.CONFIRMED if row.confirmed_at is not None else BankOrderState.MADE


def page_of_files(
    session: Session, model: type[OrderFile], paging: Paging
) -> tuple[Sequence[OrderFile], int]:
    """Return one page of the files, the latest day first, and the number of all."""
    rows = session.scalars(
        select(model)
        .order_by(model.due_on.desc(), model.id.desc())
        .offset(paging.offset)
        .limit(paging.limit)
    )
    return rows.all(), session.scalar(select(func.count()).select_from(model)) or 0


def known_file(session: Session, model: type[OrderFile], file_id: str) -> OrderFile:
    """Return a file; raise `NotFound` for an unknown id."""
    row = session.scalar(select(model).where(model.id == file_id)) if is_id(file_id) else None
    if row is None:
        raise no_such(model.noun, file_id)
    return row


def lock_file(
    session: Session, model: type[OrderFile], file_id: str, *states: BankOrderState
) -> OrderFile:
    """Lock a file and return it; raise `Refused` if it is not in one of the allowed states."""
    row = locked(session, model, file_id)
    if state_of(row) not in states:
        raise Refused("file: it is already {state}.", state=state_of(row))
    return row


def note_step(work: Work, audit_event: AuditEvent, row: DebitFile | PayoutFile) -> None:
    """Store a file's step, with an audit event that has its day, number of records and sum."""
    facts = {
        "file_id": row.id,
        "due_on": row.due_on,
        "records": row.count,
        "amount_yen": row.total_yen,
    }
    note_audit_event(work, audit_event, of_workspace(work.session), after=facts)
    work.session.flush()


def office_to_order(session: Session) -> OfficeBankFacts:
    """Return the office's account; raise `Refused` while none is set."""
    found = office_bank(session)
    if found is None:
        raise Refused("account: set the office's bank account in Settings first.")
    return found.facts


def stored_office(facts: OfficeBankFacts, client: str) -> dict[str, Any]:
    """Return the office's data as stored with a file, which later changes do not affect."""
    return {**asdict(facts.account), "client": client}


def client_of(office: dict[str, Any]) -> Client:
    """Return the office's data for the header of a file."""
    facts = {**office, "kind": AccountKind(office["kind"])}
    code = facts.pop("client")
    account = CheckedAccount(**facts)
    return Client(code, normalize("NFKC", account.holder), bank_account(account))


def bank_account(account: CheckedAccount) -> BankAccount:
    """Return an account for a record of a file."""
    return BankAccount(
        account.bank_code,
        account.branch_code,
        account.kind.value,
        account.number,
        account.holder,
        account.bank_name,
        account.branch_name,
    )


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
