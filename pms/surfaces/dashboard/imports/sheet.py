"""What a sheet would do, row by row, and doing it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Response, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.import_report import ImportReport, Verdict, refused_csv
from pms.arrivals.name_sheet_columns import COLUMNS_OF
from pms.arrivals.read_sent_sheet import content_of, read_sent_sheet, sent_sheet
from pms.arrivals.sheets.reading import titles_of
from pms.arrivals.sheets.reasons import SheetRefused
from pms.arrivals.sheets.tables import open_tables
from pms.foundation.asked_runs import ask_run
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import SheetKind
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.downloads import kept_table
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import files

KIND: Final = "import"
_ROWS_A_PAGE: Final = 20
_ORDER: Final = (
    Verdict.REFUSED,
    Verdict.CHANGED,
    Verdict.ACCEPTED,
    Verdict.UNCHANGED,
    Verdict.PASSED_OVER,
)


class ColumnChoice(NamedTuple):
    """A column that could be read, and the title it has in the sheet, if any."""

    key: str
    name: str
    is_required: bool
    title: str


@dashboard.get("/import/<sheet_id>", roles=OFFICE)
def sheet(sheet_id: str) -> Response:
    """Show the columns, the counts and the first rows."""
    return shown(sheet_id, Form())


@dashboard.post("/import/<sheet_id>/run", roles=OFFICE)
def import_sheet(sheet_id: str) -> Response:
    """Ask for the import; a worker begins within seconds."""
    form = Form()

    def act(session: WorkspaceSession) -> str:
        sheet = sent_sheet(session, sheet_id)
        return ask_run(session, clock(), actor(), kind=KIND, subject=sheet.id, file=sheet.name).id

    return submitted(
        form,
        act=act,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), said=_("The import begins.")
        ),
        again=lambda: shown(sheet_id, form),
    )


@dashboard.get("/import/<sheet_id>/refused.csv", roles=OFFICE)
def refused_rows(sheet_id: str) -> Response:
    """Give the refused rows as a sheet to correct and send again."""
    report = _report(sheet_id)
    language = chosen_language()
    content = refused_csv(report, language) if isinstance(report, ImportReport) else b""
    return kept_table(content, f"refused-{sheet_id[:8]}.csv")


def shown(sheet_id: str, form: Form) -> Response:
    """Show a sheet: what it would do, or why it cannot be read as it is."""
    sheet = sent_sheet(reading(), sheet_id)
    report = _report(sheet_id)
    is_read = isinstance(report, ImportReport)
    content = content_of(sheet, files())
    read_name = report.sheet if isinstance(report, ImportReport) else sheet.sheet_name
    paging = asked_paging(_ROWS_A_PAGE)
    rows = _to_look_at(report) if isinstance(report, ImportReport) else ()
    return page(
        "dashboard/imports/sheet.html",
        form=form,
        sheet=sheet,
        report=report if is_read else None,
        refusal=None if is_read else report,
        titles=titles_of(content, read_name),
        tables=[table.name for table in open_tables(content) if table.name],
        read_name=read_name,
        columns=_columns(sheet.kind, report, sheet.titles),
        rows=rows[paging.offset : paging.offset + paging.limit],
        total=len(rows),
        paging=paging,
    )


def _report(sheet_id: str) -> ImportReport | SheetRefused:
    sheet = sent_sheet(reading(), sheet_id)
    try:
        return read_sent_sheet(reading(), clock(), actor(), sheet, files(), commit=False)
    except SheetRefused as refusal:
        return refusal


def _to_look_at(report: ImportReport) -> Sequence[object]:
    """Odd rows first, the refused ones, those that make or change something, then the others."""
    return sorted(
        report.rows,
        key=lambda row: (
            not (row.can_be_confirmed or row.is_confirmed),
            _ORDER.index(row.verdict),
            row.line,
        ),
    )


def _columns(
    kind: SheetKind, report: ImportReport | SheetRefused, told: dict[str, str]
) -> Sequence[ColumnChoice]:
    found = report.titles if isinstance(report, ImportReport) else told
    japanese = chosen_language() == "ja"
    return [
        ColumnChoice(
            column.key,
            _named(column.key, column.names, japanese=japanese),
            column.is_required,
            found.get(column.key, ""),
        )
        for column in COLUMNS_OF[kind]
    ]


def _named(key: str, names: Sequence[str], *, japanese: bool) -> str:
    """A column as the reader calls it: sheets know it by names in both languages."""
    wanted = (name for name in names if name.isascii() != japanese)
    return next(wanted, key.replace("_", " "))
