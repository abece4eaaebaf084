"""The chart of accounts with its roles, and monthly journals as files for accounting programs."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.accounting.models import AccountChart, MonthClosing
from pms.foundation.audit import note_difference
from pms.foundation.errors import Collision, Refused, unreadable_stored
from pms.foundation.spreadsheet import csv_file, xlsx_file
from pms.foundation.stored_forms import read_stored
from pms.foundation.translations import translate
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaxTreatment
from pms.rules.journal_files import (
    FREEE_ROWS,
    LONGEST_NAME,
    Cell,
    NamedJournal,
    Program,
    Side,
    half_width,
    parts,
    rows,
)
from pms.rules.journals import OTHER_MONEY, BookedTax, Journal, Posting

_PRESET: Final = Path(__file__).parent / "preset.toml"
PROGRAMS: Final = (Program.FREEE, Program.MONEY_FORWARD, Program.YAYOI)


class JournalAccount(NamedTuple):
    """An account with its sub-account, as named in the accounting program."""

    name: str
    sub_name: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """The accounts by role, and the tax classes by kind and program; the preset has version 0."""

    accounts: Mapping[str, JournalAccount]
    taxes: Mapping[BookedTax, Mapping[Program, str]]
    version: int = 0

    def account(self, role: str) -> JournalAccount:
        """Return the account of a role; an unknown payment method uses that of other money."""
        return self.accounts.get(role) or self.accounts[OTHER_MONEY]

    def tax(self, kind: BookedTax, program: Program) -> str:
        """Return a program's name of a tax class; a plain file uses that of freee."""
        return self.taxes[kind][program if program in PROGRAMS else Program.FREEE]


@cache
def preset() -> Chart:
    """Return the accounts with which a workspace begins."""
    tables = tomllib.loads(_PRESET.read_text(encoding="utf-8"))
    return _read_chart(tables["accounts"], tables["taxes"], 0)


def chart_of(session: Session) -> Chart:
    """Return the accounts of the workspace, or the preset until they are written."""
    row = session.scalar(select(AccountChart))
    if row is None:
        return preset()
    return _read_chart(row.accounts, row.taxes, row.version, preset())


def chart_of_closing(closing: MonthClosing) -> Chart:
    """Return the accounts as they were when a month was closed."""
    return _read_chart(closing.accounts, closing.taxes, 0, preset())


def write_chart(work: Work, *, chart: Chart) -> int:
    """Write the accounts; `chart.version` is the version they are based on. Return the new version.

    Closed months keep the names under which they were closed.
    """
    checked = Chart(
        {role: _check_account(role, chart.account(role)) for role in preset().accounts},
        {kind: {p: _check_tax(kind, p, chart) for p in PROGRAMS} for kind in BookedTax},
        chart.version + 1,
    )
    row = work.session.scalar(select(AccountChart).with_for_update())
    if (row.version if row else 0) != chart.version:
        raise Collision("The accounts have changed since you opened this page. Check them again.")
    before = _build_audit_facts(
        preset() if row is None else _read_chart(row.accounts, row.taxes, row.version)
    )
    if row is None:
        row = AccountChart()
        work.session.add(row)
    row.accounts, row.taxes = stored_chart(checked)
    row.version = checked.version
    row.written_at, row.written_by = work.clock.now(), work.actor
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Collision("A colleague changed the accounts at the same time. Try again.") from second
    about = ("account_chart", row.id)
    after = _build_audit_facts(checked)
    note_difference(work, AuditEvent.ACCOUNTS_WRITTEN, about, before=before, after=after)
    return row.version


def stored_chart(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return accounts and tax classes in stored form."""
    accounts = {role: list(account) for role, account in chart.accounts.items()}
    taxes = {
        kind.value: {p.value: name for p, name in of.items()} for kind, of in chart.taxes.items()
    }
    return accounts, taxes


def _build_audit_facts(chart: Chart) -> dict[str, Any]:
    """Return the accounts for the audit event, one line per role."""
    accounts = [
        f"{role}: {' / '.join(filter(None, account))}" for role, account in chart.accounts.items()
    ]
    taxes = [
        f"{kind}, {program}: {name}"
        for kind, of in chart.taxes.items()
        for program, name in of.items()
    ]
    return {"accounts": sorted(accounts), "taxes": sorted(taxes)}


def _read_chart(accounts: Any, taxes: Any, version: int, known: Chart | None = None) -> Chart:
    """Return a stored chart; what earlier releases did not know is taken from `known`."""
    named = read_stored(dict[str, JournalAccount], accounts)
    classes = read_stored(dict[BookedTax, dict[Program, str]], taxes)
    has_taxes = all(
        p in classes.get(BookedTax(kind), {}) for kind in TaxTreatment for p in PROGRAMS
    )
    if OTHER_MONEY not in named or not has_taxes:
        raise unreadable_stored()
    if known is None:
        return Chart(named, classes, version)
    return Chart({**known.accounts, **named}, {**known.taxes, **classes}, version)


def _check_account(role: str, account: JournalAccount) -> JournalAccount:
    name, sub_name = account.name.strip(), account.sub_name.strip()
    if not name:
        raise Refused("{field}: enter the account.", field=account_field(role))
    _refuse_text(account_field(role), name)
    _refuse_text(sub_account_field(role), sub_name)
    return JournalAccount(name, sub_name)


def _check_tax(kind: BookedTax, program: Program, chart: Chart) -> str:
    name, field = chart.taxes[kind][program].strip(), tax_field(kind, program)
    if not name:
        raise Refused("{field}: enter the tax class.", field=field)
    _refuse_text(field, name)
    return name


def _refuse_text(field: str, text: str) -> None:
    if (
        half_width(text) > LONGEST_NAME
        or not text.isprintable()
        or text[:1] in {"=", "+", "-", "@"}
    ):
        raise Refused(
            "{field}: '{given}' is not possible. Use at most {most} half-width characters (a "
            "full-width one counts as two), and do not begin with =, +, - or @.",
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


def tax_field(kind: BookedTax, program: Program) -> str:
    """Return the name of the form's field for a program's tax class."""
    return f"tax.{kind.value}.{program.value}"


class Encoding(StrEnum):
    """The text encoding of a file."""

    UTF8 = "utf-8"
    CP932 = "cp932"


PROGRAM_ENCODINGS: Final = {
    Program.FREEE: (Encoding.UTF8, Encoding.CP932),
    Program.MONEY_FORWARD: (Encoding.UTF8, Encoding.CP932),
    Program.YAYOI: (Encoding.CP932, Encoding.UTF8),
    Program.PLAIN: (Encoding.UTF8, Encoding.CP932),
}
"""The encodings offered for each program, the usual one first."""


def journal_file(
    program: Program, encoding: Encoding, journals: Sequence[Journal], chart: Chart, part: int = 1
) -> bytes:
    """Return a CSV file of a month; the same journals and accounts give the same bytes."""
    cells = rows(
        program, _journals_of_part(program, journals, chart, part), _no_tax(chart, program)
    )
    return csv_file(cells, encoding="cp932" if encoding is Encoding.CP932 else "utf-8-sig")


def journal_workbook(journals: Sequence[Journal], chart: Chart) -> bytes:
    """Return the plain rows of a month as a workbook."""
    found = _name_journals(Program.PLAIN, journals, chart)
    cells: list[Sequence[Cell]] = list(rows(Program.PLAIN, found, _no_tax(chart, Program.PLAIN)))
    return xlsx_file(cells, translate("Journals", "ja"))


def part_count(program: Program, journals: Sequence[Journal], chart: Chart) -> int:
    """Return the number of files of a month for a program: freee limits the rows of a file."""
    if program is not Program.FREEE or 2 * len(journals) < FREEE_ROWS:
        return 1
    return len(parts(_name_journals(program, journals, chart), FREEE_ROWS))


def _journals_of_part(
    program: Program, journals: Sequence[Journal], chart: Chart, part: int
) -> Sequence[NamedJournal]:
    found = _name_journals(program, journals, chart)
    if program is not Program.FREEE:
        return found
    every = parts(found, FREEE_ROWS)
    return every[part - 1] if 1 <= part <= len(every) else ()


def _name_journals(
    program: Program, journals: Sequence[Journal], chart: Chart
) -> list[NamedJournal]:
    return [
        NamedJournal(
            number,
            journal.entered_on,
            journal.memo,
            [
                _build_side(program, chart, posting)
                for posting in journal.postings
                if posting.yen > 0
            ],
            [
                _build_side(program, chart, posting)
                for posting in journal.postings
                if posting.yen < 0
            ],
            journal.is_late,
        )
        for number, journal in enumerate(journals, start=1)
    ]


def _build_side(program: Program, chart: Chart, posting: Posting) -> Side:
    account, tax = chart.account(posting.role), chart.tax(posting.booked_tax, program)
    return Side(account.name, account.sub_name, tax, abs(posting.yen), posting.owner)


def _no_tax(chart: Chart, program: Program) -> str:
    return chart.tax(BookedTax.OUT_OF_SCOPE, program)
