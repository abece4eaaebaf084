"""Monthly and daily figures: deposits held, what each month earned, and occupancy."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.availability.occupancy import OccupancyMonth, occupancy_months
from pms.deposits.deposit_report import ReportedDeposit, held_deposits
from pms.foundation.kept_figures import outdated_figures_of
from pms.foundation.spreadsheet import Cell
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.days import add_months, month_first, strict_day
from pms.rules.enumerations import FeeCategory
from pms.statements import debtors, reports
from pms.statements.building_income import KEPT_DEPOSIT
from pms.statements.debtors import Debtor
from pms.statements.lease_rents import LEASE_RENT
from pms.statements.reports import ProfitAndLoss
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading, reading_figures
from pms.surfaces.dashboard.ledger import OnForm
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    Spot,
    ValueKind,
    ask,
    debtor_columns,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.forms import QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import csv_answer, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.formats import month
from pms.surfaces.request_scope import today


class DepositRow(NamedTuple):
    """A deposit and its resident; the resident is None until the names are read."""

    deposit: ReportedDeposit
    who: Debtor | None = None


_OF_PEOPLE: Final = ("resident", "unit")
DEPOSITS: Final[Listing[DepositRow]] = listing(
    "deposit_report",
    lazy_gettext("Deposits"),
    *debtor_columns(
        lambda row: url_for(
            "dashboard.reservation_deposit", reservation_id=row.deposit.reservation_id
        )
    ),
    ListColumn(
        "state",
        lazy_gettext("Status"),
        lambda row: tags_of(row.deposit.lifecycle),
        ValueKind.TAGS,
        Spot.STATE,
    ),
    ListColumn(
        "held", lazy_gettext("Held"), lambda row: row.deposit.balance.held_yen, ValueKind.YEN
    ),
    ListColumn(
        "unpaid",
        lazy_gettext("Unpaid and due"),
        lambda row: row.deposit.balance.unpaid_yen,
        ValueKind.YEN,
    ),
    ListColumn(
        "overpaid",
        lazy_gettext("Overpaid"),
        lambda row: row.deposit.balance.overpaid_yen,
        ValueKind.YEN,
    ),
    ListColumn(
        "balance",
        lazy_gettext("Balance"),
        lambda row: row.deposit.balance.balance_yen,
        ValueKind.YEN,
        Spot.AMOUNT,
    ),
)


@dashboard.get("/reports/deposits", roles=OFFICE)
def deposit_report() -> Response:
    """Show the totals, how many are left out by which rule, and one page of deposits."""
    form, asked = OnForm.from_query(request.args, today()), ask(DEPOSITS)
    found = held_deposits(reading(), form.day(today()))
    rows = [DepositRow(deposit) for deposit in found.deposits]
    if asked.file_type or asked.sorts_by(*_OF_PEOPLE):
        rows = _with_people(rows)
    in_order = asked.in_order(rows)
    if asked.file_type and not form.errors:
        return asked.file_of(in_order)
    response = page_or_block(
        "dashboard/reports/deposits.html",
        "results",
        form=form,
        report=found,
        held=len(rows),
        rows=_with_people(asked.page_of(in_order)),
        asked=asked,
        today=today(),
    )
    return mark_unaccepted(response) if form.errors else response


def _with_people(rows: Sequence[DepositRow]) -> list[DepositRow]:
    people = debtors.debtors(reading(), [row.deposit.reservation_id for row in rows])
    return [row._replace(who=people[row.deposit.reservation_id]) for row in rows]


_MONTHS_AHEAD, _MONTHS_BACK = 2, 60


class EarningsForm(QueryForm):
    """The last of the twelve months, and the building."""

    month = ChoiceField(lazy_gettext("Twelve months to"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"), [Optional()])

    def offer(self, today: date, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with their choices."""
        first_on = month_first(today)
        months = [
            add_months(first_on, step) for step in range(_MONTHS_AHEAD, -_MONTHS_BACK - 1, -1)
        ]
        self.month.choices = [(f"{each:%Y-%m}", month(each)) for each in months]
        if not self.month.data:
            self.month.data = f"{first_on:%Y-%m}"
        self.building.choices = [("", lazy_gettext("All buildings")), *buildings]

    def last_month_on(self, today: date) -> date:
        """Return the first day of the last month asked for."""
        asked = None if self.month.errors else strict_day(f"{self.month.data}-01")
        return asked or month_first(today)


class EarnedColumn(NamedTuple):
    """One category over the months, and its sum."""

    text: str
    yen: tuple[int, ...]
    total_yen: int


@dashboard.get("/reports/profit-and-loss", roles=OFFICE)
def profit_and_loss() -> Response:
    """Show the twelve months."""
    form = _build_form()
    is_sound = form.validate()
    session = reading_figures()
    found = _find_earnings(form, session)
    response = page_or_block(
        "dashboard/reports/earnings.html",
        "results",
        form=form,
        found=found,
        figures_of=outdated_figures_of(session),
        columns=_build_columns(found),
        sums=[found.month_yen(month_on) for month_on in found.months],
        this_month=found.months[-1],
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/reports/profit-and-loss.csv", roles=OFFICE)
def profit_and_loss_csv() -> Response:
    """Give the twelve months as CSV."""
    form = _build_form()
    form.validate()
    found = _find_earnings(form, reading())
    heads = [
        _("Month"),
        *(column.text for column in _build_columns(found)),
        _("Total of categories"),
    ]
    return csv_answer(
        f"profit-and-loss-{found.months[-1]:%Y-%m}.csv", heads, _earnings_cells(found)
    )


def _build_form() -> EarningsForm:
    form = EarningsForm(request.args)
    names = building_choices()
    form.offer(today(), names)
    return form


def _find_earnings(form: EarningsForm, session: WorkspaceSession) -> ProfitAndLoss:
    building_id = None if form.building.errors else form.building.data
    return reports.profit_and_loss(session, form.last_month_on(today()), building_id=building_id)


def _build_columns(found: ProfitAndLoss) -> Sequence[EarnedColumn]:
    return [
        EarnedColumn(
            _name_category(category),
            tuple(found.of(month_on, category) for month_on in found.months),
            found.category_yen(category),
        )
        for category in found.categories
    ]


def _name_category(category: str) -> str:
    if category == KEPT_DEPOSIT:
        return str(_("Kept from deposits"))
    if category == LEASE_RENT:
        return str(_("Rent paid to owners"))
    return label_of(FeeCategory(category))


def _earnings_cells(found: ProfitAndLoss) -> Iterator[Sequence[Cell]]:
    for on in found.months:
        amounts = (found.of(on, category) for category in found.categories)
        yield (f"{on:%Y-%m}", *amounts, found.month_yen(on))
    sums = (found.category_yen(category) for category in found.categories)
    yield (_("Twelve months"), *sums, found.total_yen)


class OccupancyForm(QueryForm):
    """The building, or all of them."""

    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        self.buildingId.choices = [("", _("All buildings")), *building_choices()]


@dashboard.get("/reports/occupancy", roles=OFFICE)
def occupancy() -> Response:
    """Show the twelve months up to the current one."""
    form = OccupancyForm(request.args)
    form.validate()
    session = reading_figures()
    months, earned = _find_months(form, session)
    return page_or_block(
        "dashboard/occupancy/page.html",
        "results",
        form=form,
        months=months,
        earned=earned,
        figures_of=outdated_figures_of(session),
    )


@dashboard.get("/reports/occupancy.csv", roles=OFFICE)
def occupancy_csv() -> Response:
    """Give the twelve months as CSV."""
    form = OccupancyForm(request.args)
    form.validate()
    months, earned = _find_months(form, reading())
    heads = [_("Month"), _("Occupied days"), _("Total days"), _("Percent"), _("Income (yen)")]
    rows: list[list[Cell]] = [
        [f"{each.month_on:%Y-%m}", each.lived_days, each.unit_days, each.percent, yen]
        for each, yen in zip(months, earned, strict=True)
    ]
    return csv_answer(f"occupancy-{month(today())}.csv", heads, rows)


def _find_months(
    form: OccupancyForm, session: WorkspaceSession
) -> tuple[Sequence[OccupancyMonth], Sequence[int]]:
    building_id = None if form.buildingId.errors else form.buildingId.data
    months = occupancy_months(session, today(), building_id=building_id)
    money = reports.profit_and_loss(session, today(), len(months), building_id)
    earned = [
        money.month_yen(each.month_on) - money.of(each.month_on, LEASE_RENT) for each in months
    ]
    return months, earned
