"""Profit and loss: what each of twelve months earned, by category, as a picture and a table."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flask import Response, request
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.foundation.spreadsheet import Cell
from pms.rules.enumerations import FeeCategory
from pms.statements.owner_money import KEPT_DEPOSIT
from pms.statements.profit_and_loss import ProfitAndLoss, profit_and_loss as profit_and_loss_verb
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reports.earnings_form import EarningsForm
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language


class EarnedColumn(NamedTuple):
    """One category over the months, and its sum."""

    text: str
    yen: tuple[int, ...]
    total_yen: int


@dashboard.get("/reports/profit-and-loss", roles=OFFICE)
def profit_and_loss() -> Response:
    """Show the twelve months."""
    form = _form()
    is_sound = form.validate()
    found = _found(form)
    response = page_or_block(
        "dashboard/reports/earnings.html",
        "results",
        form=form,
        found=found,
        columns=_columns(found),
        sums=[found.month_yen(one) for one in found.months],
        this_month=found.months[-1],
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/reports/profit-and-loss.csv", roles=OFFICE)
def profit_and_loss_csv() -> Response:
    """Give the twelve months as CSV."""
    form = _form()
    form.validate()
    found = _found(form)
    heads = [_("Month"), *(column.text for column in _columns(found)), _("Sum of categories")]
    return csv_answer(f"profit-and-loss-{found.months[-1]:%Y-%m}.csv", heads, _cells(found))


def _form() -> EarningsForm:
    form = EarningsForm(request.args)
    language = chosen_language()
    names = ((one.id, one.name.said(language) or "") for one in building_names(reading()))
    form.offer(today(), names)
    return form


def _found(form: EarningsForm) -> ProfitAndLoss:
    building_id = None if form.building.errors else form.building.data
    return profit_and_loss_verb(reading(), form.last_month_on(today()), building_id=building_id)


def _columns(found: ProfitAndLoss) -> Sequence[EarnedColumn]:
    return [
        EarnedColumn(
            _category(category),
            tuple(found.of(one, category) for one in found.months),
            found.category_yen(category),
        )
        for category in found.categories
    ]


def _category(category: str) -> str:
    if category == KEPT_DEPOSIT:
        return str(_("Kept from deposits"))
    return word(FeeCategory(category))


def _cells(found: ProfitAndLoss) -> Iterator[Sequence[Cell]]:
    for one in found.months:
        amounts = (found.of(one, category) for category in found.categories)
        yield (f"{one:%Y-%m}", *amounts, found.month_yen(one))
    sums = (found.category_yen(category) for category in found.categories)
    yield (_("Twelve months"), *sums, found.total_yen)
