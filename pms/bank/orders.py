"""The common parts of files for the bank, and the office's account in them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar
from unicodedata import normalize

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.models import DebitFile, PayoutFile
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.sealing import opened_column, sealed_text
from pms.foundation.stored_forms import read_stored
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_orders import Client
from pms.rules.bank_statements import BankAccount
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


def note_step(
    work: Work, audit_event: AuditEvent, row: DebitFile | PayoutFile, **also: object
) -> None:
    """Store a file's step, with an audit event that has its day, number of records and sum."""
    facts = {
        "file_id": row.id,
        "due_on": row.due_on,
        "records": row.count,
        "amount_yen": row.total_yen,
        **also,
    }
    note_audit_event(work, audit_event, of_workspace(work.session), after=facts)
    work.session.flush()


def office_to_order(session: Session) -> OfficeBankFacts:
    """Return the office's account; raise `Refused` while none is set."""
    found = office_bank(session)
    if found is None:
        raise Refused("account: set the office's bank account in Settings first.")
    return found.facts


def stored_office(session: Session, facts: OfficeBankFacts, client: str) -> dict[str, Any]:
    """Return the office's data as columns of a file, which later changes do not affect."""
    office = {**asdict(facts.account), "client": client}
    return {"office_number": sealed_text(session, office.pop("number")), "office": office}


@dataclass(frozen=True, slots=True)
class KeptOffice:
    """The office's data as a file keeps them, without the number of its account."""

    client: str
    bank_code: str
    bank_name: str
    branch_code: str
    branch_name: str
    kind: AccountKind
    holder: str


def client_of(row: DebitFile | PayoutFile) -> Client:
    """Return the office's data for the header of a file; raise `StoredUnreadable`."""
    facts = asdict(read_stored(KeptOffice, row.office))
    code = facts.pop("client")
    account = CheckedAccount(**facts, number=opened_column(row, row.office_number) or "")
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
