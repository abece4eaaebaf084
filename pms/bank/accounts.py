"""The office's accounts at its banks: listed, chosen for a file, and numbered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple
from unicodedata import normalize

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankImport, BankTransfer
from pms.bank.orders import bank_account
from pms.bank.statement_files import BankFile
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.numbering import lock_series
from pms.foundation.sealing import sealed_text
from pms.foundation.work import Work, locked
from pms.rules.account_numbers import hide_numbers
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_columns import PassOver
from pms.rules.bank_identity import DoubtfulRow, SameTransfer
from pms.rules.bank_statements import BankAccount, BankStatement
from pms.workspaces.office_bank import check_account_numbers, office_bank

LONGEST_NAME: Final = 120
OFFICE_CHOICE: Final = "account-of-settings"
"""Names the office's account in forms and runs before a file of it was imported."""
_SHOWN_DIGITS: Final = 4
"""How many digits of its number the name of an account has, until somebody names it."""
_SERIES: Final = "bank-account"
_NO_YEAR: Final = date(2000, 1, 1)
_NUMBER: Final = re.compile(r"(?<!\d)\d{7}(?!\d)")


class AccountShown(NamedTuple):
    """An account in a list; `choice` names it in a form, also before its first file."""

    choice: str
    id: str | None
    name: str
    bank_code: str | None
    branch_code: str | None
    kind: str | None
    number: str | None
    is_office: bool
    imports: int
    last_on: date | None

    @property
    def numbers(self) -> str:
        """The codes of bank, branch and account; "" while they are not known."""
        return "-".join(filter(None, (self.bank_code, self.branch_code, self.number)))


def list_accounts(session: Session) -> Sequence[AccountShown]:
    """Return the accounts, that of Settings first, even before a file of it was imported."""
    counted = {
        account_id: (count, last_on)
        for account_id, count, last_on in session.execute(
            select(BankImport.account_id, func.count(), func.max(BankImport.last_on))
            .where(BankImport.undone_at.is_(None))
            .group_by(BankImport.account_id)
        )
    }
    office = _office_account(session)
    office_key = _key_of(office) if office else None
    found = [
        AccountShown(
            row.id,
            row.id,
            row.name,
            row.bank_code,
            row.branch_code,
            row.kind,
            row.number,
            office_key is not None and _key_of_row(row) == office_key,
            *counted.get(row.id, (0, None)),
        )
        for row in _list_rows(session)
    ]
    found.sort(key=lambda account: not account.is_office)
    if office and office_key and not (found and found[0].is_office):
        facts = office.bank, office.branch, office.kind, office.number
        found.insert(0, AccountShown(OFFICE_CHOICE, None, _name_of(office), *facts, True, 0, None))
    return found


def _office_account(session: Session) -> BankAccount | None:
    found = office_bank(session)
    if found is None:
        return None
    return bank_account(found.facts.account)


def _key_of(account: BankAccount) -> str:
    return "-".join((account.bank, account.branch, account.kind, account.number))


def _key_of_row(row: BankAccountRow) -> str | None:
    """Return the key of an account in the list whose numbers are known."""
    if row.bank_code is None or row.branch_code is None or row.kind is None or row.number is None:
        return None
    return _key_of(BankAccount(row.bank_code, row.branch_code, row.kind, row.number))


def _hidden_key(account: BankAccount) -> str:
    number = hide_numbers(account.number)
    return "-".join((account.bank, account.branch, account.kind, number))


def _name_of(account: BankAccount) -> str:
    number = f"…{account.number[-_SHOWN_DIGITS:]}"
    return " ".join(filter(None, (account.bank_name, account.branch_name, number)))


def find_account(session: Session, wanted: str) -> BankAccountRow | None:
    """Return the account that a person means: by its id, numbers, name or account number."""
    plain = wanted.strip()
    number = plain.zfill(7) if plain.isascii() and plain.isdigit() else None
    # Numbers are sealed, so they are compared here; an office has a few accounts.
    rows = _list_rows(session)
    for found in (
        [row for row in rows if row.id == plain],
        [row for row in rows if plain in (row.key, _key_of_row(row))],
        [row for row in rows if row.name == plain],
        [row for row in rows if row.name == hide_numbers(plain, _SHOWN_DIGITS)],
        [row for row in rows if number is not None and row.number == number],
    ):
        if len(found) == 1:
            return found[0]
    return None


def _list_rows(session: Session) -> Sequence[BankAccountRow]:
    """Return the accounts as they are now, also after waiting for a lock."""
    rows = select(BankAccountRow).order_by(BankAccountRow.id)
    return session.scalars(rows.execution_options(populate_existing=True)).all()


class AccountAsked(Refused):
    """A file whose account a person has to choose."""


@dataclass(frozen=True, slots=True)
class ChosenAccount:
    """The account of a statement: a known one, or a new one; `numbers` are to be written to it."""

    row_id: str | None
    key: str
    name: str
    numbers: BankAccount | None


def choose_account(
    session: Session, found: BankFile, statement: BankStatement, wanted: str | None
) -> ChosenAccount:
    """Return the account of a statement; raise `AccountAsked` where a person has to choose it.

    The numbers in a file decide, also one that stands above the headings of a list. A list without
    them belongs to the account that a person says, or to the only one whose lists have its headings.
    """
    if statement.account.number:
        return _choose_by_numbers(session, statement.account, wanted, len(found.statements))
    table = found.table_of(statement)
    if table:
        # The only known account whose number stands above the headings of a list.
        above = [line.text for line in table.passed if line.reason is PassOver.ABOVE]
        numbers = set(_NUMBER.findall(normalize("NFKC", " ".join(above))))
        above_found = {
            _key_of_row(row): ChosenAccount(row.id, row.key, row.name, None)
            for row in _list_rows(session)
            if row.number in numbers
        }
        office = _office_account(session)
        if office and office.number in numbers and _key_of(office) not in above_found:
            above_found[_key_of(office)] = ChosenAccount(
                None, OFFICE_CHOICE, _name_of(office), office
            )
        named = next(iter(above_found.values())) if len(above_found) == 1 else None
    else:
        named = None
    if wanted is not None:
        chosen = _choose_by_name(session, wanted)
        if named is not None and named.key != chosen.key:
            raise _refusal_of_other(named.name, chosen.name)
        return chosen
    if named is not None:
        return named
    shape = table.columns.shape if table else ""
    rows = session.execute(
        select(BankAccountRow.id, BankAccountRow.key, BankAccountRow.name, BankAccountRow.heads)
    )
    known = [row for row in rows if shape in (row.heads or "").split("\n")]
    if len(known) != 1:
        raise AccountAsked("account: the list names no account. Choose the account it belongs to.")
    return ChosenAccount(known[0].id, known[0].key, known[0].name, None)


def _choose_by_name(session: Session, wanted: str) -> ChosenAccount:
    if row := find_account(session, wanted):
        return ChosenAccount(row.id, row.key, row.name, None)
    office = _office_account(session)
    if office and wanted.strip() in (OFFICE_CHOICE, _key_of(office)):
        return ChosenAccount(None, OFFICE_CHOICE, _name_of(office), office)
    name = checked_name(wanted)
    return ChosenAccount(None, name, name, None)


def _refusal_of_other(own: str, chosen: str) -> Refused:
    return Refused(
        "account: the file is of the account {own}, not of {chosen}. If both are one account,"
        " merge them first.",
        own=own,
        chosen=chosen,
    )


def _choose_by_numbers(
    session: Session, account: BankAccount, wanted: str | None, accounts: int
) -> ChosenAccount:
    key = _key_of(account)
    rows = _list_rows(session)
    row = next((row for row in rows if key in (row.key, _key_of_row(row))), None)
    other = find_account(session, wanted) if wanted is not None and accounts == 1 else None
    if row is not None:
        if other is not None and other.id != row.id:
            raise _refusal_of_other(row.name, other.name)
        return ChosenAccount(row.id, key, row.name, None)
    if other is not None:
        if other.number is not None:
            raise Refused(
                "account: the file is of the account {number}, but {chosen} has the number {other}.",
                number=_name_of(account),
                chosen=other.name,
                other=hide_numbers(other.number, _SHOWN_DIGITS),
            )
        return ChosenAccount(other.id, key, other.name, account)
    office = _office_account(session)
    is_office = office is not None and _key_of(office) == key
    if wanted == OFFICE_CHOICE and office is not None and not is_office:
        raise _refusal_of_other(_name_of(account), _name_of(office))
    if wanted is None and accounts == 1 and not is_office and _nameless_accounts(session):
        raise AccountAsked(
            "account: the account {number} of the file is not known yet. Choose the account that it"
            " is, or that it is a new one.",
            number=_name_of(account),
        )
    name = (
        checked_name(wanted)
        if wanted and accounts == 1 and wanted.strip() not in (key, OFFICE_CHOICE)
        else _name_of(account)
    )
    return ChosenAccount(None, key, name, account)


def _nameless_accounts(session: Session) -> bool:
    """Whether there are accounts whose numbers are not known: the file may be of one of them."""
    unnumbered = select(BankAccountRow.id).where(BankAccountRow.sealed_number.is_(None)).limit(1)
    return session.scalar(unnumbered) is not None


def account_of(
    work: Work, found: BankFile, statement: BankStatement, wanted: str | None
) -> BankAccountRow:
    """Return the account of a statement, locked, so that concurrent imports of it wait.

    One that is not known yet is added; numbers that a file names are written to it.
    """
    chosen = choose_account(work.session, found, statement, wanted)
    if chosen.row_id is None or chosen.numbers is not None:
        # Sealed numbers cannot be a unique key: a concurrent import that adds the account holds the
        # series, and what it added is found after it.
        lock_series(work.session, _SERIES, _NO_YEAR)
        chosen = choose_account(work.session, found, statement, wanted)
    if chosen.row_id is None:
        row = _new_account(work, chosen)
    else:
        row = _lock_account(work.session, BankAccountRow.id == chosen.row_id)
        if chosen.numbers is not None and row.number is None:
            _write_numbers(work, row, chosen.numbers)
    if (table := found.table_of(statement)) is not None:
        shapes = row.heads.split("\n") if row.heads else []
        if table.columns.shape not in shapes:
            row.heads = "\n".join([*shapes, table.columns.shape])
    return row


def checked_name(name: str) -> str:
    """Return the name of an account that a person typed; refuse a name of several lines."""
    plain = name.strip()
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise Refused(
            "account: enter a name of one line with at most {most} characters.",
            most=LONGEST_NAME,
        )
    return plain


def _lock_account(session: Session, which: ColumnElement[bool]) -> BankAccountRow:
    return session.scalars(
        select(BankAccountRow).where(which).order_by(BankAccountRow.id).limit(1).with_for_update()
    ).one()


def _new_account(work: Work, chosen: ChosenAccount) -> BankAccountRow:
    numbers, id_ = chosen.numbers, new_id()
    facts = {
        "key": id_ if numbers else chosen.key,
        "name": chosen.name[:LONGEST_NAME],
        "bank_code": numbers.bank if numbers else None,
        "branch_code": numbers.branch if numbers else None,
        "kind": numbers.kind if numbers else None,
        "sealed_number": sealed_text(work.session, numbers.number) if numbers else None,
        "added_at": work.clock.now(),
        "added_by": work.actor,
    }
    work.session.add(BankAccountRow(id=id_, **facts))
    work.session.flush()
    return _lock_account(work.session, BankAccountRow.id == id_)


def _write_numbers(work: Work, row: BankAccountRow, account: BankAccount) -> None:
    before = {"name": row.name, "number": None}
    row.key, row.bank_code, row.branch_code = row.id, account.bank, account.branch
    row.kind = account.kind
    row.sealed_number = sealed_text(work.session, account.number)
    after = {"name": row.name, "number": _hidden_key(account)}
    about = of_workspace(work.session)
    note_audit_event(work, AuditEvent.BANK_ACCOUNT_SET, about, before=before, after=after)


class AccountFacts(NamedTuple):
    """What a person types about an account; the numbers all together or not at all."""

    name: str
    bank_code: str
    branch_code: str
    kind: str
    number: str


def add_account(work: Work, facts: AccountFacts) -> str:
    """Add an account before its first file; return its id."""
    name, account = checked_name(facts.name), _checked_numbers(facts)
    key = _key_of(account) if account else name
    lock_series(work.session, _SERIES, _NO_YEAR)
    _refuse_known(work.session, key, name, None)
    row = _new_account(work, ChosenAccount(None, key, name, account))
    about = of_workspace(work.session)
    after = {"name": name, "number": _hidden_key(account) if account else None}
    note_audit_event(work, AuditEvent.BANK_ACCOUNT_SET, about, after=after)
    return row.id


def edit_account(work: Work, account_id: str, facts: AccountFacts) -> None:
    """Write the name and the numbers of an account; numbers once known stay, also where none are sent."""
    name, account = checked_name(facts.name), _checked_numbers(facts)
    lock_series(work.session, _SERIES, _NO_YEAR)
    row = locked(work.session, BankAccountRow, account_id)
    own_key = _key_of_row(row)
    if own_key is not None and account is not None and _key_of(account) != own_key:
        raise Refused("accountNumber: the numbers of an account that has some cannot be changed.")
    key = own_key or (_key_of(account) if account else name)
    _refuse_known(work.session, key, name, row.id)
    if account is not None and own_key is None:
        _write_numbers(work, row, account)
    if row.name != name:
        about = of_workspace(work.session)
        note_audit_event(
            work,
            AuditEvent.BANK_ACCOUNT_SET,
            about,
            before={"name": row.name},
            after={"name": name},
        )
    row.name, row.key = name, name if row.number is None else row.id
    work.session.flush()


def _checked_numbers(facts: AccountFacts) -> BankAccount | None:
    if not any((facts.bank_code, facts.branch_code, facts.number)):
        return None
    return BankAccount(
        *check_account_numbers(facts.bank_code, facts.branch_code, facts.kind, facts.number)
    )


def _refuse_known(session: Session, key: str, name: str, own_id: str | None) -> None:
    for row in _list_rows(session):
        if row.id != own_id and (row.name == name or key in (row.key, _key_of_row(row))):
            raise Refused(
                "name: the account {name} is already in the list. If both are one account, merge"
                " them.",
                name=row.name,
            )


def note_other_keys(session: Session, same: Sequence[SameTransfer | DoubtfulRow]) -> None:
    """Remember that rows in other words are known transfers: later files match them at once."""
    for known_row in same:
        row = session.scalars(
            select(BankTransfer).where(BankTransfer.id == known_row.known.id)
        ).one()
        row.other_keys = [*(row.other_keys or ()), known_row.key]
