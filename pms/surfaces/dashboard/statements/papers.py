"""Published statements as paper and as a file."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.statements.queries import statement_of
from pms.statements.statement_paper import statement_csv as statement_csv_verb, statement_pdf
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.downloads import kept_table, paper
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/published-statements/<statement_id>/paper", roles=OFFICE)
def statement_paper(statement_id: str) -> Response:
    """Show a published version as a PDF."""
    name = _name(statement_id)
    return paper(statement_pdf(reading(), statement_id, chosen_language()), f"{name}.pdf")


@dashboard.get("/published-statements/<statement_id>.csv", roles=OFFICE)
def statement_csv(statement_id: str) -> Response:
    """Give a published version as CSV."""
    name = _name(statement_id)
    return kept_table(statement_csv_verb(reading(), statement_id, chosen_language()), f"{name}.csv")


def _name(statement_id: str) -> str:
    found = statement_of(reading(), statement_id)
    return f"statement-{found.month_on:%Y-%m}-{found.version}"
