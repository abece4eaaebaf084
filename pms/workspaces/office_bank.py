"""The office's bank account: where rents are paid to, and what its bank files need."""

import re
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import of_workspace, set_columns
from pms.foundation.errors import Refused
from pms.foundation.sealing import opened_text, sealed_text
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work, refuse_other_version
from pms.rules.account_numbers import hide_both
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_letters import OF_BANKS, OF_NAMES, UnwritableLetter, bank_bytes
from pms.rules.enumerations import AccountKind
from pms.workspaces.models import OfficeBank

MOST_ATTEMPTS: Final = 3
_DIGITS: Final = {"bankCode": 4, "branchCode": 3, "accountNumber": 7}


@dataclass(frozen=True, slots=True)
class CheckedAccount:
    """A valid account at a Japanese bank, with names in the characters of bank files."""

    bank_code: str
    bank_name: str
    branch_code: str
    branch_name: str
    kind: AccountKind
    number: str
    holder: str


def check_account(
    *,
    bank_code: str,
    bank_name: str,
    branch_code: str,
    branch_name: str,
    kind: str,
    number: str,
    holder: str,
) -> CheckedAccount:
    """Return an account; raise `Refused` for invalid codes and names bank files cannot write."""
    return CheckedAccount(
        _check_digits("bankCode", bank_code),
        _check_letters("bankName", bank_name, 15, OF_BANKS),
        _check_digits("branchCode", branch_code),
        _check_letters("branchName", branch_name, 15, OF_BANKS),
        _account_kind(kind),
        _check_digits("accountNumber", number, fills=True),
        _check_letters("accountHolder", holder, 30, OF_NAMES),
    )


def check_account_numbers(
    bank_code: str, branch_code: str, kind: str, number: str
) -> tuple[str, str, str, str]:
    """Return the numbers of an account; raise `Refused` for invalid ones."""
    return (
        _check_digits("bankCode", bank_code),
        _check_digits("branchCode", branch_code),
        _account_kind(kind).value,
        _check_digits("accountNumber", number, fills=True),
    )


def _account_kind(kind: str) -> AccountKind:
    if kind not in set(AccountKind):
        raise Refused("accountKind: '{given}' is not a kind of account.", given=kind[:20])
    return AccountKind(kind)


def _check_digits(field: str, text: str, *, fills: bool = False) -> str:
    digits, length = normalize("NFKC", text or "").strip().replace("-", ""), _DIGITS[field]
    if fills and digits.isascii() and digits.isdigit():
        digits = digits.zfill(length)
    if not (digits.isascii() and digits.isdigit() and len(digits) == length):
        raise Refused(
            "{field}: '{given}' must have {length} digits.",
            field=field,
            given=(text or "")[:20],
            length=length,
        )
    return digits


def _check_letters(field: str, text: str, longest: int, allowed: frozenset[str]) -> str:
    plain = normalize("NFKC", text or "").strip()
    if allowed is OF_BANKS:
        plain = plain.replace(" ", "")
    try:
        written = bank_bytes(plain, allowed)
    except UnwritableLetter as fault:
        raise Refused(
            "{field}: '{letter}' cannot be used in a bank file. Write the name in katakana.",
            field=field,
            letter=fault.letter,
        ) from None
    if not 0 < len(written) <= longest:
        raise Refused(
            "{field}: '{given}' has {found} characters in half-width kana. Use 1 to {most}.",
            field=field,
            given=plain[:40],
            found=len(written),
            most=longest,
        )
    return plain


NOTICE_OF_SECOND_PERSON: Final = timedelta(days=1)
_CLIENT: Final = re.compile(r"[0-9]{10}")


@dataclass(frozen=True, slots=True)
class OfficeBankFacts:
    """The office's settings: its account, its codes at the bank, and who confirms.

    `second_person_ends_at` is set once the rule of the second person was turned off: it holds for
    one more day, so that nobody turns it off for one file unnoticed.
    """

    account: CheckedAccount
    debit_client: str | None
    payout_client: str | None
    needs_second_person: bool
    second_person_ends_at: datetime | None
    debit_attempts: int

    def needs_second_person_at(self, now: datetime) -> bool:
        """Whether a payout file that is made now has to be confirmed by a second person."""
        ends_at = self.second_person_ends_at
        return self.needs_second_person and (ends_at is None or now < ends_at)


class OfficeBankRecord(NamedTuple):
    """The stored account of the office, with its version."""

    facts: OfficeBankFacts
    version: int


def office_bank(session: Session) -> OfficeBankRecord | None:
    """Return the account of the office; `None` until one is set."""
    row = session.scalars(select(OfficeBank)).one_or_none()
    if row is None:
        return None
    return OfficeBankRecord(
        OfficeBankFacts(
            _account_of(session, row),
            row.debit_client,
            row.payout_client,
            row.needs_second_person,
            row.second_person_ends_at,
            row.debit_attempts,
        ),
        row.version,
    )


def _account_of(session: Session, row: OfficeBank) -> CheckedAccount:
    columns = {field.name: getattr(row, field.name) for field in fields(CheckedAccount)}
    return CheckedAccount(**{**columns, "number": opened_text(session, row.number) or ""})


def set_office_bank(
    work: Work,
    *,
    expected_version: int,
    account: CheckedAccount,
    debit_client: str | None,
    payout_client: str | None,
    needs_second_person: bool,
    debit_attempts: int,
) -> datetime | None:
    """Set the office's account and its rules for files; the first version is expected as 0.

    The rule of the second person holds for a day after it is turned off; returns when it ends, if
    this turned it off.
    """
    if not 1 <= debit_attempts <= MOST_ATTEMPTS:
        raise Refused(
            "debitAttempts: {given} is not possible. Enter 1 to {most}.",
            given=debit_attempts,
            most=MOST_ATTEMPTS,
        )
    values: dict[str, Any] = {
        **asdict(account),
        "debit_client": _check_client("debitClient", debit_client),
        "payout_client": _check_client("payoutClient", payout_client),
        "debit_attempts": debit_attempts,
    }
    workspace_id = workspace_of(work.session)
    row = work.session.scalars(select(OfficeBank).with_for_update()).one_or_none()
    refuse_other_version(row, expected_version)
    if row is None:
        row = OfficeBank(workspace_id=workspace_id, id=workspace_id, version=0)
        work.session.add(row)
    now = work.clock.now()
    is_ending = row.second_person_ends_at is not None
    turns_off = bool(row.needs_second_person) and not needs_second_person and not is_ending
    if needs_second_person:
        values |= {"needs_second_person": True, "second_person_ends_at": None}
    elif turns_off:
        values["second_person_ends_at"] = now + NOTICE_OF_SECOND_PERSON
    known = _account_of(work.session, row).number if row.version else None
    values["number"] = (
        row.number if known == account.number else sealed_text(work.session, account.number)
    )
    about, noted = of_workspace(work.session), {"number": hide_both(known, account.number)}
    set_columns(work, AuditEvent.OFFICE_BANK_SET, row, values, about=about, noted=noted)
    return row.second_person_ends_at if turns_off else None


def _check_client(field: str, text: str | None) -> str | None:
    digits = normalize("NFKC", text or "").strip()
    if not digits:
        return None
    if _CLIENT.fullmatch(digits) is None:
        raise Refused(
            "{field}: '{given}' must have {length} digits.",
            field=field,
            given=digits[:20],
            length=10,
        )
    return digits
