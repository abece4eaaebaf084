"""Imports: sending a sheet, previewing what it would do, and writing it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import FileField, Form

from pms.arrivals import sheet_answers, sheet_imports
from pms.arrivals.sheet_answers import COLUMNS_OF
from pms.arrivals.sheet_imports import ImportReport, RecordOutcome, ReportedRow, sheet_template
from pms.arrivals.sheets.reading import refuse_long_sheet, titles_of
from pms.foundation.runs import ask_run
from pms.foundation.work import Work
from pms.rules.enumerations import SheetKind
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import XLSX, Table, open_tables
from pms.surfaces.dashboard.gate import OFFICE, SHEET_BYTES, actor, dashboard, reading
from pms.surfaces.fields import PickField, Required
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import XLSX_TYPE, csv_file_answer, file_answer, go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, files


class ImportFileForm(FlaskForm):
    """The kind of sheet, and the file."""

    kind = PickField(
        lazy_gettext("What does it contain?"), [Required()], default=SheetKind.UNITS.value
    )
    file = FileField(lazy_gettext("CSV or Excel file"))

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.kind.choices = choices(SheetKind)


@dashboard.get("/import", roles=OFFICE, endpoint="import", is_secret=True, is_of_all_buildings=True)
def show_import() -> Response:
    """Show the form for sending a sheet."""
    return _render_sending(ImportFileForm())


@dashboard.post("/import", roles=OFFICE, most_bytes=SHEET_BYTES, is_of_all_buildings=True)
def send_sheet() -> Response:
    """Store the sheet; the next page previews what it would do."""
    form = ImportFileForm()
    sent = request.files.get("file")
    content = sent.read() if sent else b""
    tables: list[Table] = []

    def prepare() -> None:
        tables.extend(open_tables(content))
        refuse_long_sheet(tables, COLUMNS_OF[SheetKind(form.kind.data)])

    return submitted(
        form,
        prepare=prepare,
        act=lambda work: sheet_answers.send_sheet(
            work,
            files(),
            kind=SheetKind(form.kind.data),
            name=(sent.filename if sent else None) or "",
            content=content,
            is_workbook=tables[0].encoding == XLSX,
        ),
        then=lambda sheet_id: go(url_for("dashboard.sheet", sheet_id=sheet_id)),
        again=lambda: _render_sending(form),
    )


def _render_sending(form: ImportFileForm) -> Response:
    kinds = [(text, value) for value, text, *_rest in form.kind.iter_choices()]
    sent = sheet_answers.sent_sheets(reading(), _MOST_SENT)
    return page("dashboard/imports/send.html", form=form, templates=kinds, sent=sent)


@dashboard.get("/import/templates/<sheet_name>", roles=OFFICE, is_of_all_buildings=True)
def import_template(sheet_name: str) -> Response:
    """Give an empty sheet with one example row, such as `units-ja.xlsx`."""
    kind, _hyphen, language = sheet_name.removesuffix(".xlsx").rpartition("-")
    return file_answer(sheet_template(kind, language), XLSX_TYPE, sheet_name)


KIND: Final = sheet_answers.IMPORT_RUN
_MOST_SENT: Final = 20
_ROWS_A_PAGE: Final = 20
_ORDER: Final = (
    RecordOutcome.REFUSED,
    RecordOutcome.CHANGED,
    RecordOutcome.ACCEPTED,
    RecordOutcome.UNCHANGED,
    RecordOutcome.PASSED_OVER,
)


class ColumnChoice(NamedTuple):
    """A column that an import can read, and its title in the sheet, if any."""

    key: str
    name: str
    is_required: bool
    title: str


@dashboard.get("/import/<sheet_id>", roles=OFFICE, is_secret=True, is_of_all_buildings=True)
def sheet(sheet_id: str) -> Response:
    """Show the columns, the counts and the first rows of a sheet."""
    return render_import(sheet_id, FlaskForm())


@dashboard.post("/import/<sheet_id>/run", roles=OFFICE, is_of_all_buildings=True)
def import_sheet(sheet_id: str) -> Response:
    """Queue the import; a worker starts it within seconds."""
    form = FlaskForm()

    def act(work: Work) -> str:
        sheet = sheet_answers.sent_sheet(work.session, sheet_id)
        return ask_run(work, kind=KIND, subject=sheet.id, file=sheet.name).id

    return submitted(
        form,
        act=act,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), message=_("The import has started.")
        ),
        again=lambda: render_import(sheet_id, form),
    )


@dashboard.post("/import/<sheet_id>/deletion", roles=OFFICE, is_of_all_buildings=True)
def delete_sheet(sheet_id: str) -> Response:
    """Delete a sheet that was sent, with its file; what was imported stays."""
    form = FlaskForm()

    def then(key: str | None) -> Response:
        if key:
            files().delete(key)
        return go(url_for("dashboard.import"), message=_("The file has been deleted."))

    return submitted(
        form,
        act=lambda work: sheet_answers.delete_sheet(work, files(), sheet_id=sheet_id),
        then=then,
        again=lambda: render_import(sheet_id, form),
    )


@dashboard.get("/import/<sheet_id>/refused.csv", roles=OFFICE, is_of_all_buildings=True)
def refused_rows(sheet_id: str) -> Response:
    """Give the refused rows as a sheet that can be corrected and sent again."""
    sent = sheet_answers.sent_sheet(reading(), sheet_id)
    report = _read_report(sheet_id, sheet_answers.open_sent_sheet(sent, files()))
    language = chosen_language()
    content = (
        sheet_imports.refused_csv(report, language) if isinstance(report, ImportReport) else b""
    )
    return csv_file_answer(content, f"refused-{sheet_id[:8]}.csv")


def render_import(sheet_id: str, form: Form) -> Response:
    """Show what a sheet would do, or why it cannot be read."""
    sheet = sheet_answers.sent_sheet(reading(), sheet_id)
    tables = sheet_answers.open_sent_sheet(sheet, files())
    report = _read_report(sheet_id, tables)
    is_read = isinstance(report, ImportReport)
    read_name = report.sheet if isinstance(report, ImportReport) else sheet.sheet_name
    paging = asked_paging(_ROWS_A_PAGE)
    rows: Sequence[ReportedRow] = ()
    if isinstance(report, ImportReport):
        # The rows to review: odd ones first, then refused ones, changes, and the others.
        rows = sorted(
            report.rows,
            key=lambda row: (
                not (row.can_be_confirmed or row.is_confirmed),
                _ORDER.index(row.verdict),
                row.line,
            ),
        )
    found = report.titles if isinstance(report, ImportReport) else sheet.titles
    japanese = chosen_language() == "ja"
    columns = [
        ColumnChoice(
            column.key,
            _column_label(column.key, column.names, japanese=japanese),
            column.is_required,
            found.get(column.key, ""),
        )
        for column in COLUMNS_OF[sheet.kind]
    ]
    return page(
        "dashboard/imports/sheet.html",
        form=form,
        sheet=sheet,
        report=report if is_read else None,
        refusal=None if is_read else report,
        titles=titles_of(tables, read_name),
        tables=[table.name for table in tables if table.name],
        read_name=read_name,
        columns=columns,
        rows=rows[paging.offset : paging.offset + paging.limit],
        total=len(rows),
        paging=paging,
    )


def _read_report(sheet_id: str, tables: Sequence[Table]) -> ImportReport | SheetRefused:
    sheet = sheet_answers.sent_sheet(reading(), sheet_id)
    try:
        return sheet_answers.read_sent_sheet(
            Work(reading(), clock(), actor()), sheet, tables, commit=False
        )
    except SheetRefused as refusal:
        return refusal


def _column_label(key: str, names: Sequence[str], *, japanese: bool) -> str:
    """Return the reader's name of a column; sheets know each column by names in both languages."""
    wanted = (name for name in names if name.isascii() != japanese)
    return next(wanted, key.replace("_", " "))


_COLUMN = "column."
_LINE = re.compile(r"[0-9]{1,9}", re.ASCII)


@dashboard.post("/import/<sheet_id>/columns", roles=OFFICE, is_of_all_buildings=True)
def name_sheet_columns(sheet_id: str) -> Response:
    """Save the chosen titles of the columns and preview the sheet again."""
    form = FlaskForm()
    sent = sheet_answers.sent_sheet(reading(), sheet_id)
    tables = sheet_answers.open_sent_sheet(sent, files())
    return submitted(
        form,
        act=lambda work: sheet_answers.name_sheet_columns(
            work,
            tables,
            sheet_id=sheet_id,
            titles=_chosen_columns(request.form),
            table=request.form.get("sheet", ""),
        ),
        then=lambda _none: go(
            url_for("dashboard.sheet", sheet_id=sheet_id), message=_("Reloaded with these columns.")
        ),
        again=lambda: render_import(sheet_id, form),
    )


@dashboard.post("/import/<sheet_id>/confirmed", roles=OFFICE, is_of_all_buildings=True)
def confirm_rows(sheet_id: str) -> Response:
    """Confirm the ticked odd rows, and take back the confirmation of the others shown."""
    form = FlaskForm()
    shown_lines, ticked = _read_line_numbers("shown"), _read_line_numbers("confirmed")
    return submitted(
        form,
        act=lambda work: sheet_answers.confirm_rows(
            work,
            sheet_id=sheet_id,
            shown=shown_lines,
            confirmed=shown_lines if request.form.get("all") else ticked,
        ),
        then=lambda _none: go(url_for("dashboard.sheet", sheet_id=sheet_id), message=_("Saved.")),
        again=lambda: render_import(sheet_id, form),
    )


def _read_line_numbers(name: str) -> list[int]:
    return [int(line) for line in request.form.getlist(name) if _LINE.fullmatch(line)]


def _chosen_columns(given: Mapping[str, Any]) -> dict[str, str]:
    return {
        name.removeprefix(_COLUMN): str(title)
        for name, title in given.items()
        if name.startswith(_COLUMN)
    }
