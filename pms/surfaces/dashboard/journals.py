"""The accountant's month: journals to check, close and export, and the accounts they use."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm
from wtforms import HiddenField

from pms.accounting import charts, closings, months
from pms.accounting.charts import PROGRAM_ENCODINGS, Chart, Encoding, JournalAccount
from pms.accounting.months import MonthSummary
from pms.foundation.errors import Refused, no_such
from pms.foundation.kept_figures import outdated_figures_of
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.days import FIRST_DAY, add_months, month_first, month_last
from pms.rules.journal_files import Program
from pms.rules.journals import BookedTax, Journal
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading, reading_figures
from pms.surfaces.dashboard.statements import name_of, read_month, read_month_filter
from pms.surfaces.fields import ChoiceField, Optional, Required, TextField
from pms.surfaces.forms import QueryForm, asked_paging, submitted
from pms.surfaces.hypermedia import XLSX_TYPE, file_answer, go, page, page_or_block
from pms.surfaces.labels.formats import month as format_month
from pms.surfaces.request_scope import today

_MONTHS_BACK: Final = 36
_CSV: Final = {
    Encoding.UTF8: "text/csv; charset=utf-8",
    Encoding.CP932: "text/csv; charset=windows-31j",
}

ROLES: Final[Mapping[str, LazyString]] = {
    "income/rent": worded("account", "Rent"),
    "income/utilities": worded("account", "Utilities"),
    "income/building_maintenance": worded("account", "Building maintenance"),
    "income/surcharge": worded("account", "Surcharges"),
    "income/reservation_fee": worded("account", "Reservation fees"),
    "income/penalty": worded("account", "Move-out penalties"),
    "income/cleaning": worded("account", "Cleaning"),
    "income/repair": worded("account", "Repairs"),
    "income/service": worded("account", "Services"),
    "income/other": worded("account", "Other income"),
    "income/kept_deposit": worded("account", "Kept from deposits"),
    "management_fee": worded("account", "Management fees from owners"),
    "lease_rent": worded("account", "Rent paid to owners (master lease)"),
    "money/bank_transfer": worded("account", "Bank transfer, refunds and payouts"),
    "money/direct_debit": worded("account", "Direct debit"),
    "money/card": worded("account", "Card"),
    "money/online": worded("account", "Paid online"),
    "money/convenience_store": worded("account", "Convenience store"),
    "money/cash": worded("account", "Cash"),
    "money/other": worded("account", "Any other method"),
    "receivable": worded("account", "Billed and unpaid"),
    "deposits": worded("account", "Deposits held"),
    "overpayments": worded("account", "Overpayments"),
    "refunds": worded("account", "Refunds to send"),
    "owners_money": worded("account", "Owners’ money"),
    "owners_costs": worded("account", "Costs paid for owners"),
    "opening": worded("account", "Taken-over balances"),
}
GROUPS: Final = (
    (lazy_gettext("Own income"), ("income/", "management_fee")),
    (lazy_gettext("Own expenses"), ("lease_rent",)),
    (lazy_gettext("Payment account"), ("money/",)),
    (
        lazy_gettext("Receivables and liabilities"),
        ("receivable", "deposits", "overpayments", "refunds", "owners_", "opening"),
    ),
)
_TAXES: Final = {
    BookedTax.OUT_OF_SCOPE: lazy_gettext("Not subject to tax"),
    BookedTax.EXEMPT: lazy_gettext("Exempt sale"),
    BookedTax.TAXABLE_10: lazy_gettext("Taxable sale, 10%"),
    BookedTax.EXEMPT_PURCHASE: lazy_gettext("Exempt purchase"),
    BookedTax.TAXABLE_10_PURCHASE: lazy_gettext("Taxable purchase, 10%"),
}
PROGRAM_NAMES: Final = {
    Program.FREEE: lazy_gettext("freee"),
    Program.MONEY_FORWARD: lazy_gettext("Money Forward"),
    Program.YAYOI: lazy_gettext("Yayoi"),
    Program.PLAIN: lazy_gettext("Plain CSV"),
}


class JournalMonthForm(QueryForm):
    """The month that is shown."""

    month = ChoiceField(lazy_gettext("Month"), [Optional()])


class CloseForm(FlaskForm):
    """The number and the total of the journals that were shown when the month is closed."""

    journals = HiddenField()
    totalYen = HiddenField()


class ReopenForm(FlaskForm):
    """Why a closed month is reopened."""

    reason = TextField(lazy_gettext("Reason"), [Required()])


def _build_close_form() -> CloseForm:
    return CloseForm(formdata=None)


def _build_reopen_form() -> ReopenForm:
    return ReopenForm(formdata=None)


class OfferedFile(NamedTuple):
    """One file of a month that can be downloaded."""

    program: Program
    encoding: Encoding
    part: int
    parts: int


@dashboard.get("/reports/journals", roles=OFFICE, is_of_all_buildings=True)
def journals() -> Response:
    """Show a month: its totals by account, its journals, and the actions on it."""
    return _render_journals(
        read_month_filter(request.args.get("month"), today()),
        _build_close_form(),
        _build_reopen_form(),
        reading_figures(),
    )


def _render_journals(
    month_on: date, form: CloseForm, reopening: ReopenForm, session: WorkspaceSession
) -> Response:
    books = months.shown_month(session, month_on)
    chart = charts.chart_of_closing(books.closing) if books.closing else charts.chart_of(session)
    paging = asked_paging(months.JOURNALS_A_PAGE)
    return page_or_block(
        "dashboard/journals/month.html",
        "results",
        filter=_build_month_filter(month_on),
        form=form,
        reopening=reopening,
        month_on=month_on,
        month=name_of(month_on),
        closing=books.closing,
        figures_of=outdated_figures_of(session),
        summary=books.summary,
        chart=chart,
        rows=books.summary.rows_from(paging.offset),
        paging=paging,
        sums=_sum_accounts(books.summary, chart),
        offered=_offered_files(books.summary),
        programs=PROGRAM_NAMES,
        is_over=today() > month_last(month_on),
        is_newest=books.closing is not None
        and books.latest is not None
        and books.latest.id == books.closing.id,
        closes=() if books.closing else closings.months_to_close(session, month_on, books.latest),
        earlier=months.newest_closings(session),
    )


class AccountSum(NamedTuple):
    """The debits and credits of one account, in whole yen."""

    account: JournalAccount
    debit_yen: int
    credit_yen: int


def _sum_accounts(summary: MonthSummary, chart: Chart) -> Sequence[AccountSum]:
    sums: dict[JournalAccount, list[int]] = {}
    for total in summary.totals:
        found = sums.setdefault(chart.account(total.role), [0, 0])
        found[0] += total.debit_yen
        found[1] += total.credit_yen
    return [AccountSum(account, *both) for account, both in sorted(sums.items())]


def _offered_files(summary: MonthSummary) -> Mapping[Program, Sequence[OfferedFile]]:
    return {
        program: [
            OfferedFile(program, encoding, part, parts)
            for encoding in PROGRAM_ENCODINGS[program]
            for part in range(1, parts + 1)
        ]
        for program, parts in summary.parts.items()
    }


def _build_month_filter(month_on: date) -> JournalMonthForm:
    form = JournalMonthForm(formdata=None)
    newest = month_first(today())
    offered = [add_months(newest, -back) for back in range(_MONTHS_BACK)]
    form.month.choices = [
        (name_of(each), format_month(each)) for each in sorted({*offered, month_on}, reverse=True)
    ]
    form.month.data = name_of(month_on)
    return form


@dashboard.post("/reports/journals/<month>/closing", roles=OPERATOR)
def close_month(month: str) -> Response:
    """Close a month together with all open months before it."""
    month_on, form = read_month(month), CloseForm()
    address = url_for("dashboard.journals", month=month)

    def act(work: Work) -> Any:
        counts = [form.journals.data or "", form.totalYen.data or ""]
        if not all(count.isdecimal() and len(count) < 16 for count in counts):
            raise Refused("Check the month again before you close it.")
        seen = closings.Seen(*map(int, counts))
        return closings.close_month(work, month_on=month_on, seen=seen)

    return submitted(
        form,
        act,
        then=lambda _closing: go(
            address, message=_("%(month)s is closed.", month=format_month(month_on))
        ),
        again=lambda: _render_journals(month_on, form, _build_reopen_form(), reading()),
    )


@dashboard.post("/reports/closings/<closing_id>/reopening", roles=OPERATOR)
def reopen_month(closing_id: str) -> Response:
    """Reopen the newest closed month."""
    form = ReopenForm()
    month_on = closings.closing_by_id(reading(), closing_id).month_on

    def act(work: Work) -> Any:
        reason = form.reason.data or ""
        return closings.reopen_month(work, closing_id=closing_id, reason=reason)

    address = url_for("dashboard.journals", month=name_of(month_on))
    return submitted(
        form,
        act,
        then=lambda _row: go(
            address, message=_("%(month)s is open again.", month=format_month(month_on))
        ),
        again=lambda: _render_journals(month_on, _build_close_form(), form, reading()),
    )


@dashboard.get("/reports/journals/<month>/<program>.<kind>", roles=OFFICE, is_of_all_buildings=True)
def journal_file(month: str, program: str, kind: str) -> Response:
    """Give a month's file: for a closed month as it was closed, for an open one as it is now."""
    books = months.month_books(reading(), read_month(month))
    chart = charts.chart_of_closing(books.closing) if books.closing else charts.chart_of(reading())
    return _answer_file(books.month_on, books.journals, chart, program, kind)


@dashboard.get(
    "/reports/journal-years/<int:year>/<program>.zip", roles=OFFICE, is_of_all_buildings=True
)
def journal_year(year: int, program: str) -> Response:
    """Give the files of all months of a year in one zip."""
    if program not in list(Program) or not FIRST_DAY.year <= year <= today().year:
        raise no_such("file", f"{program}.zip")
    content = closings.year_archive(reading(), year, Program(program), today())
    return file_answer(content, "application/zip", f"journals-{year}-{program}.zip")


@dashboard.get(
    "/reports/closings/<closing_id>/<program>.<kind>", roles=OFFICE, is_of_all_buildings=True
)
def closed_journal_file(closing_id: str, program: str, kind: str) -> Response:
    """Give the file of a closing as it was closed, even if the month was reopened since."""
    closing = closings.closing_by_id(reading(), closing_id)
    found = months.closed_journals(reading(), closing)
    return _answer_file(closing.month_on, found, charts.chart_of_closing(closing), program, kind)


def _answer_file(
    month_on: date, found: Sequence[Journal], chart: Chart, program: str, kind: str
) -> Response:
    name = f"journals-{name_of(month_on)}-{program}"
    if (program, kind) == (Program.PLAIN, "xlsx"):
        return file_answer(charts.journal_workbook(found, chart), XLSX_TYPE, f"{name}.xlsx")
    if program not in list(Program) or kind != "csv":
        raise no_such("file", f"{program}.{kind}")
    asked, part = request.args.get("encoding", ""), request.args.get("part", "1")
    usual = PROGRAM_ENCODINGS[Program(program)][0]
    encoding = Encoding(asked) if asked in list(Encoding) else usual
    number = int(part) if part.isdecimal() and len(part) < 5 else 1
    content = charts.journal_file(Program(program), encoding, found, chart, number)
    suffix = f"-{number}" if number > 1 else ""
    return file_answer(content, _CSV[encoding], f"{name}{suffix}.csv")


def _accounts_form(formdata: Any, chart: Chart) -> FlaskForm:
    """Return a form with two fields per role, and one per tax class and program, filled in."""
    fields: dict[str, Any] = {}
    values: dict[str, str] = {}

    def add(name: str, label: Any, value: str, *checks: Callable[..., None]) -> None:
        fields[name], values[name] = TextField(label, [*checks]), value

    for role in charts.preset().accounts:
        account = chart.account(role)
        add(charts.account_field(role), ROLES[role], account.name, Required())
        label = _("Sub-account: %(account)s", account=ROLES[role])
        add(charts.sub_account_field(role), label, account.sub_name, Optional())
    for kind, of in chart.taxes.items():
        for program, name in of.items():
            label = f"{_TAXES[kind]} – {PROGRAM_NAMES[program]}"
            add(charts.tax_field(kind, program), label, name, Required())
    fields["version"] = HiddenField()
    values["version"] = str(chart.version)
    form: FlaskForm = type("AccountsForm", (FlaskForm,), fields)(formdata, data=values)
    return form


@dashboard.get("/reports/accounts", roles=OFFICE, is_of_all_buildings=True)
def accounts() -> Response:
    """Show the form of the accounts."""
    return _render_accounts(_accounts_form(None, charts.chart_of(reading())))


@dashboard.post("/reports/accounts", roles=OFFICE, is_of_all_buildings=True)
def write_accounts() -> Response:
    """Save the accounts."""
    form = _accounts_form(request.form, charts.preset())
    return submitted(
        form,
        act=lambda work: charts.write_chart(work, chart=_typed_chart(form)),
        then=lambda _version: go(url_for("dashboard.accounts"), message=_("Saved.")),
        again=lambda: _render_accounts(form),
    )


def _typed_chart(form: FlaskForm) -> Chart:
    def text(name: str) -> str:
        return form[name].data or ""

    version = text("version")
    return Chart(
        {
            role: JournalAccount(
                text(charts.account_field(role)), text(charts.sub_account_field(role))
            )
            for role in charts.preset().accounts
        },
        {
            kind: {program: text(charts.tax_field(kind, program)) for program in charts.PROGRAMS}
            for kind in BookedTax
        },
        int(version) if version.isdecimal() and len(version) < 10 else 0,
    )


class AccountRow(NamedTuple):
    """The two fields of a role."""

    role: LazyString
    account: Any
    sub_account: Any


def _render_accounts(form: FlaskForm) -> Response:
    groups = [
        (
            title,
            [
                AccountRow(
                    ROLES[role],
                    form[charts.account_field(role)],
                    form[charts.sub_account_field(role)],
                )
                for role in charts.preset().accounts
                if role.startswith(beginnings)
            ],
        )
        for title, beginnings in GROUPS
    ]
    taxes = [
        (text, [form[charts.tax_field(kind, program)] for program in charts.PROGRAMS])
        for kind, text in _TAXES.items()
    ]
    heads = [PROGRAM_NAMES[program] for program in charts.PROGRAMS]
    return page(
        "dashboard/journals/accounts.html", form=form, groups=groups, taxes=taxes, heads=heads
    )
