"""The owner's statements: by month, one of them, and as PDF and CSV."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from flask import Response, request, url_for

from pms.bank.mandates import account_text_of_owner
from pms.rules.days import add_months
from pms.statements import fee_invoices
from pms.statements.owner_figures import read, room_rows
from pms.statements.owner_statements import (
    MonthLink,
    OwnersStatement,
    month_links,
    month_rows,
    months_of_owner,
    owner_payouts,
    statement_csv,
    statement_pdf,
    statements_of_owner,
    tax_rows,
)
from pms.statements.owner_years import (
    OwnerYear,
    owner_year,
    year_csv,
    year_pdf,
    years_of_owner,
)
from pms.statements.paid_invoices import invoices_paid_in_month
from pms.statements.queries import statement_of
from pms.surfaces.forms import asked_paging
from pms.surfaces.hypermedia import csv_file_answer, go, page, pdf_answer
from pms.surfaces.portals.owner import own
from pms.surfaces.portals.owner.own import blueprint
from pms.surfaces.portals.portal import reading
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_MONTHS_A_PAGE: Final = 24
_YEAR: Final = 12


@blueprint.get("/statements", endpoint="statements")
def show_all() -> Response:
    """Show the newest statements of every building, month by month."""
    months = months_of_owner(reading(), own.stated_buildings())
    paging = asked_paging(_MONTHS_A_PAGE)
    shown = months[paging.offset : paging.offset + paging.limit]
    found: Sequence[OwnersStatement] = ()
    if shown:
        found = statements_of_owner(reading(), own.stated_buildings(), shown[-1], shown[0])
    return page(
        "portals/owner/statements.html",
        months=[(on, _by_building(found, on)) for on in shown],
        names={building.id: building.name for building in own.stated_buildings()},
        paging=paging,
        total=len(months),
        years=years_of_owner(reading(), own.stated_buildings()),
    )


@blueprint.get("/statements/years/<int:year>", endpoint="year")
def show_year(year: int) -> Response:
    """Show the totals of the months of a calendar year."""
    years = years_of_owner(reading(), own.stated_buildings())
    return page("portals/owner/year.html", found=_read_year(year), years=years)


@blueprint.get("/statements/years/<int:year>/paper", endpoint="year_pdf")
def year_paper(year: int) -> Response:
    """Send a year as a PDF, in the reader's language."""
    found = _read_year(year)
    content = year_pdf(reading(), found, chosen_language(), today())
    return pdf_answer(content, f"owner-statement-{found.year}.pdf")


@blueprint.get("/statements/years/<int:year>.csv", endpoint="year_csv")
def year_file(year: int) -> Response:
    """Send a year as a CSV file."""
    found = _read_year(year)
    return csv_file_answer(year_csv(found, chosen_language()), f"owner-statement-{found.year}.csv")


def _read_year(year: int) -> OwnerYear:
    return owner_year(reading(), own.owner_ids(), year, today())


@blueprint.get("/statements/<statement_id>", endpoint="statement")
def show(statement_id: str) -> Response:
    """Show one statement as it was published."""
    found = own.statement(statement_id)
    building = own.owned_building(found.building_id)
    months = month_links(reading(), building)
    year = statements_of_owner(
        reading(), [building], add_months(found.month_on, 1 - _YEAR), found.month_on
    )
    language = chosen_language()
    return page(
        "portals/owner/statement.html",
        statement=found,
        building=building,
        figures=found.figures,
        payouts=owner_payouts(
            reading(),
            read(statement_of(reading(), found.id).figures),
            own.owner_ids(),
            account_text_of_owner,
        ),
        rows=month_rows(found.figures, language),
        taxes=tax_rows(found.figures, language),
        rooms=room_rows(found.figures.income),
        invoices=invoices_paid_in_month(reading(), building.id, found.month_on),
        fee_invoices=fee_invoices.fee_invoices_of_owners(
            reading(), own.owner_ids(), building.id, found.month_on
        ),
        newest=next((month for month in months if month.month_on == found.month_on), None),
        earlier=next((month for month in months if month.month_on < found.month_on), None),
        later=_find_next_month(months, found.month_on),
        months=months,
        year=_list_twelve_months(year, found.month_on),
    )


@blueprint.get("/statements/month", endpoint="chosen_statement")
def choose() -> Response:
    """Redirect to the statement chosen from the list of months."""
    found = own.statement(request.args.get("statement", ""))
    return go(url_for(".statement", statement_id=found.id))


@blueprint.get("/statements/<statement_id>/paper", endpoint="statement_pdf")
def pdf(statement_id: str) -> Response:
    """Send a statement as a PDF, in the reader's language."""
    found = own.statement(statement_id)
    content = statement_pdf(
        reading(), found.id, chosen_language(), own.owner_ids(), account_text_of_owner
    )
    return pdf_answer(content, f"{_build_file_name(found)}.pdf")


@blueprint.get("/fee-invoices/<fee_invoice_id>/paper", endpoint="fee_invoice")
def fee_invoice(fee_invoice_id: str) -> Response:
    """Send an invoice of the management fee as a PDF, in the reader's language."""
    row = fee_invoices.fee_invoice_of(reading(), fee_invoice_id, own.owner_ids())
    return pdf_answer(fee_invoices.fee_invoice_pdf(row, chosen_language()), f"{row.number}.pdf")


@blueprint.get("/statements/<statement_id>.csv", endpoint="statement_csv")
def csv(statement_id: str) -> Response:
    """Send the rows of a statement as a CSV file."""
    found = own.statement(statement_id)
    content = statement_csv(reading(), found.id, chosen_language(), own.owner_ids())
    return csv_file_answer(content, f"{_build_file_name(found)}.csv")


def _by_building(found: Sequence[OwnersStatement], on: date) -> Sequence[OwnersStatement]:
    order = {building.id: place for place, building in enumerate(own.stated_buildings())}
    return sorted(
        (statement for statement in found if statement.month_on == on),
        key=lambda statement: order[statement.building_id],
    )


def _find_next_month(months: Sequence[MonthLink], month_on: date) -> MonthLink | None:
    later = [month for month in months if month.month_on > month_on]
    return later[-1] if later else None


def _list_twelve_months(
    year: Sequence[OwnersStatement], month_on: date
) -> Sequence[tuple[date, OwnersStatement | None]]:
    """Return the twelve months up to `month_on`, including those without a statement."""
    by_month = {statement.month_on: statement for statement in year}
    firsts = [add_months(month_on, back) for back in range(1 - _YEAR, 1)]
    return [(on, by_month.get(on)) for on in firsts]


def _build_file_name(found: OwnersStatement) -> str:
    return f"statement-{found.month_on:%Y-%m}-{found.version}"
