"""The accounts of the office: which account plays which role, and the programs' tax classes."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.accounting.models import AccountChart, MonthClosing
from pms.foundation.audit import note_difference
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.journal_files import LONGEST_NAME, Program, half_width
from pms.rules.journals import OTHER_MONEY, TaxKind

_PRESET: Final = Path(__file__).parent / "preset.toml"
PROGRAMS: Final = (Program.FREEE, Program.MONEY_FORWARD, Program.YAYOI)


class Account(NamedTuple):
    """An account and its sub-account, as the accounting program names them."""

    name: str
    sub_name: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """The accounts by role, and the tax classes by kind and program; `version` 0 is the preset."""

    accounts: Mapping[str, Account]
    taxes: Mapping[TaxKind, Mapping[Program, str]]
    version: int = 0

    def account(self, role: str) -> Account:
        """Return the account of a role; money of an unknown method goes to that of other money."""
        return self.accounts.get(role) or self.accounts[OTHER_MONEY]

    def tax(self, kind: TaxKind, program: Program) -> str:
        """Return what a program calls a tax class; a plain file says it as freee does."""
        return self.taxes[kind][program if program in PROGRAMS else Program.FREEE]


@cache
def preset() -> Chart:
    """Return the accounts that a workspace begins with."""
    told = tomllib.loads(_PRESET.read_text(encoding="utf-8"))
    return _read(told["accounts"], told["taxes"], 0)


def chart_of(session: Session) -> Chart:
    """Return the accounts of the workspace: those of the preset until they are written."""
    row = session.scalar(select(AccountChart))
    return preset() if row is None else _read(row.accounts, row.taxes, row.version)


def chart_of_closing(closing: MonthClosing) -> Chart:
    """Return the accounts as they were when a month was closed."""
    return _read(closing.accounts, closing.taxes, 0)


def write_chart(work: Work, *, chart: Chart) -> int:
    """Write the accounts; `chart.version` is the one that was seen. Return the new version.

    Closed months keep the names they were closed under.
    """
    checked = Chart(
        {role: _checked(role, chart.account(role)) for role in preset().accounts},
        {kind: {p: _tax(kind, p, chart) for p in PROGRAMS} for kind in TaxKind},
        chart.version + 1,
    )
    row = work.session.scalar(select(AccountChart).with_for_update())
    if (row.version if row else 0) != chart.version:
        raise Collision("The accounts changed since this page was opened. Look at them again.")
    before = _facts(preset() if row is None else _read(row.accounts, row.taxes, row.version))
    if row is None:
        row = AccountChart()
        work.session.add(row)
    row.accounts, row.taxes = written(checked)
    row.version = checked.version
    row.written_at, row.written_by = work.clock.now(), work.actor
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Collision("A colleague changed the accounts at the same moment.") from second
    about = ("account_chart", row.id)
    after = _facts(checked)
    note_difference(work, AuditEvent.ACCOUNTS_WRITTEN, about, before=before, after=after)
    return row.version


def written(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return accounts and tax classes as they are stored."""
    accounts = {role: list(account) for role, account in chart.accounts.items()}
    taxes = {
        kind.value: {p.value: name for p, name in of.items()} for kind, of in chart.taxes.items()
    }
    return accounts, taxes


def _facts(chart: Chart) -> dict[str, Any]:
    """The accounts as the audit tells them: a line a role."""
    accounts = [f"{role}: {' / '.join(filter(None, one))}" for role, one in chart.accounts.items()]
    taxes = [
        f"{kind}, {program}: {name}"
        for kind, of in chart.taxes.items()
        for program, name in of.items()
    ]
    return {"accounts": sorted(accounts), "taxes": sorted(taxes)}


def _read(accounts: Mapping[str, Any], taxes: Mapping[str, Any], version: int) -> Chart:
    return Chart(
        {role: Account(*names) for role, names in accounts.items()},
        {
            TaxKind(kind): {Program(program): name for program, name in of.items()}
            for kind, of in taxes.items()
        },
        version,
    )


def _checked(role: str, account: Account) -> Account:
    name, sub_name = account.name.strip(), account.sub_name.strip()
    if not name:
        raise Refused("{field}: name the account.", field=account_field(role))
    _refuse_text(account_field(role), name)
    _refuse_text(sub_account_field(role), sub_name)
    return Account(name, sub_name)


def _tax(kind: TaxKind, program: Program, chart: Chart) -> str:
    name, field = chart.taxes[kind][program].strip(), tax_field(kind, program)
    if not name:
        raise Refused("{field}: name the tax class.", field=field)
    _refuse_text(field, name)
    return name


def _refuse_text(field: str, text: str) -> None:
    if (
        half_width(text) > LONGEST_NAME
        or not text.isprintable()
        or text[:1] in {"=", "+", "-", "@"}
    ):
        raise Refused(
            "{field}: '{given}' is refused; at most {most} half-width characters, a full-width one"
            " counts twice, and no =, +, - or @ at its beginning.",
            field=field,
            given=text[:60],
            most=LONGEST_NAME,
        )


def account_field(role: str) -> str:
    """Return the name of the form's field for the account of a role."""
    return "account." + role.replace("/", ".")


def sub_account_field(role: str) -> str:
    """Return the name of the form's field for the sub-account of a role."""
    return "subAccount." + role.replace("/", ".")


def tax_field(kind: TaxKind, program: Program) -> str:
    """Return the name of the form's field for a program's tax class."""
    return f"tax.{kind.value}.{program.value}"
