"""The deposit report of any day: what is held for whom, and who is left out and why."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Iterator, Mapping, Sequence

from flask import Response, request
from flask_babel import gettext as _

from pms.deposits.deposit_report import DepositReport, ReportedDeposit, held_deposits
from pms.foundation.spreadsheet import Cell
from pms.statements.debtors import Debtor, debtors
from pms.surfaces.csv_answer import csv_answer
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.ledger.ledger_form import OnForm
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/reports/deposits", roles=OFFICE)
def deposit_report() -> Response:
    """Show the totals, the rules of who is left out with their counts, and one page of deposits."""
    form = OnForm.asked(request.args, today())
    found = held_deposits(reading(), form.day(today()))
    paging = asked_paging()
    shown = found.deposits[paging.offset : paging.offset + paging.limit]
    response = page_or_block(
        "dashboard/reports/deposits.html",
        "results",
        form=form,
        report=found,
        held=len(found.deposits),
        rows=shown,
        people=_people(shown),
        paging=paging,
        today=today(),
    )
    if form.errors:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/reports/deposits.csv", roles=OFFICE)
def deposit_report_csv() -> Response:
    """Give every deposit of the report as CSV."""
    found = held_deposits(reading(), OnForm.asked(request.args, today()).day(today()))
    heads = [
        _("Building"),
        _("Unit"),
        _("Resident"),
        _("State"),
        _("Held (yen)"),
        _("Unpaid and due (yen)"),
        _("Overpaid (yen)"),
        _("Balance (yen)"),
    ]
    return csv_answer(f"deposits-{found.on.isoformat()}.csv", heads, _cells(found))


def _people(rows: Sequence[ReportedDeposit]) -> Mapping[str, Debtor]:
    return debtors(reading(), [one.reservation_id for one in rows])


def _cells(found: DepositReport) -> Iterator[Sequence[Cell]]:
    rows, total = found.deposits, found.total
    people = _people(rows)
    for one in rows:
        who, balance = people[one.reservation_id], one.balance
        yield (
            who.building.said(chosen_language()),
            who.unit,
            who.name,
            word(one.lifecycle),
            balance.held_yen,
            balance.unpaid_yen,
            balance.overpaid_yen,
            balance.balance_yen,
        )
    sums = (total.held_yen, total.unpaid_yen, total.overpaid_yen, total.balance_yen)
    yield (_("Total"), "", "", "", *sums)
