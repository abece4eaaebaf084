"""Bank day: import a statement, record the certain transfers, and review the rest."""

from collections.abc import Sequence

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import FileField, Form

from pms.bank import payers, transfers, whole_imports
from pms.bank.bank_day import list_recent_transfers, match_waiting
from pms.bank.imports import AskedImport, import_file, imports_in_force
from pms.bank.payers import list_payers, small_differences
from pms.bank.whole_imports import StatementPreview, UndoneImport, preview_file, undo_or_ask
from pms.foundation.errors import Refused
from pms.foundation.runs import Run
from pms.foundation.work import Work
from pms.rules.bank_columns import TableRole
from pms.surfaces.dashboard.gate import OFFICE, SHEET_BYTES, dashboard, reading
from pms.surfaces.fields import FlagField, HiddenField, ManyField, Optional, Required, TextField
from pms.surfaces.forms import asked_paging, part_of, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files, today

_ROWS_A_PART = 25
# A phone shows so many rows of a list at first: what is ticked is in sight.
_ROWS_ON_A_PHONE = 15
_CHOSEN: tuple[tuple[str, TableRole], ...] = (
    ("dayTitle", TableRole.DAY),
    ("paidInTitle", TableRole.PAID_IN),
    ("paidOutTitle", TableRole.PAID_OUT),
    ("payerTitle", TableRole.PAYER),
    ("balanceTitle", TableRole.BALANCE),
)


class FileForm(FlaskForm):
    """A bank's file, with the account and the columns where the file does not name them."""

    file = FileField(lazy_gettext("Bank statement"))
    accountName = TextField(lazy_gettext("Bank account"), [Optional()])
    kept = HiddenField()
    keptName = HiddenField()
    gap = FlagField(lazy_gettext("Import although earlier rows are missing"))
    dayTitle = TextField(lazy_gettext("Date"), [Optional()])
    paidInTitle = TextField(lazy_gettext("Money in"), [Optional()])
    paidOutTitle = TextField(lazy_gettext("Money out"), [Optional()])
    payerTitle = TextField(lazy_gettext("Payer"), [Optional()])
    balanceTitle = TextField(lazy_gettext("Balance"), [Optional()])

    @property
    def chosen(self) -> dict[TableRole, str]:
        """The column titles that were chosen by hand, by what the column contains."""
        return {role: self[name].data for name, role in _CHOSEN if self[name].data}


@dashboard.get("/bank", roles=OFFICE)
def bank_day() -> Response:
    """Show the transfers that wait."""
    return _render_bank_day(FileForm())


@dashboard.post("/bank", roles=OFFICE, most_bytes=SHEET_BYTES)
def read_bank_file() -> Response:
    """Import a file; its certain transfers can then be recorded together."""
    form = FileForm()
    content, file_name = _sent_file(form)
    if "check" in request.form:
        return _check_file(form, content, file_name)

    asked = AskedImport(
        file_name, form.accountName.data, form.chosen, accepts_gap=bool(form.gap.data)
    )
    if len(content) > whole_imports.LONG_FILE_BYTES:
        return _import_by_run(form, content, asked)

    def act(work: Work) -> tuple[int, int]:
        if not content:
            raise Refused("file: choose the file from the bank.")
        done = import_file(work, content, **asked._asdict())
        return sum(account_import.new_rows for account_import in done), sum(
            account_import.rows for account_import in done
        )

    return submitted(
        form,
        act=act,
        then=lambda counts: _read_in(form, *counts),
        again=lambda: _render_bank_day(form),
    )


def _read_in(form: FileForm, new_rows: int, rows: int) -> Response:
    if key := _kept_key(form):
        files().delete(key)
    return go(url_for("dashboard.bank_day"), message=_done_message(new_rows, rows))


def _import_by_run(form: FileForm, content: bytes, asked: AskedImport) -> Response:
    """Leave a long file to a run, which deletes the stored file when it has ended."""
    kept = _kept_key(form) or files().put_alone(content, whole_imports.KEPT_SUFFIX)
    return submitted(
        form,
        act=lambda work: whole_imports.ask_to_import(work, files(), content, kept, asked).id,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), message=_("The import begins.")
        ),
        again=lambda: _render_bank_day(form),
    )


def _sent_file(form: FileForm) -> tuple[bytes, str]:
    """Return the file sent with the form, or the one that was previewed before."""
    sent = request.files.get("file")
    content = sent.read() if sent else b""
    if content:
        return content, (sent.filename if sent else None) or ""
    return files().get(_kept_key(form)) or b"", form.keptName.data or ""


def _kept_key(form: FileForm) -> str:
    """Return the key of the previewed file; empty for the key of any other kind of file."""
    key = form.kept.data or ""
    return key if key.endswith(whole_imports.KEPT_SUFFIX) else ""


def _check_file(form: FileForm, content: bytes, file_name: str) -> Response:
    """Preview a file before its import; only the file itself is stored, encrypted."""

    def act(work: Work) -> Sequence[StatementPreview]:
        if not content:
            raise Refused("file: choose the file from the bank.")
        return preview_file(
            work.session,
            today(),
            content,
            account=form.accountName.data,
            chosen=form.chosen or None,
        )

    def then(previews: Sequence[StatementPreview]) -> Response:
        form.kept.data, form.keptName.data = (
            files().put_alone(content, whole_imports.KEPT_SUFFIX),
            file_name,
        )
        return page("dashboard/bank/file_check.html", form=form, previews=previews)

    return submitted(form, act=act, then=then, again=lambda: _render_bank_day(form))


def _done_message(new_rows: int, rows: int) -> str:
    if not new_rows:
        return str(_("All rows of this file were already imported. Nothing has changed."))
    new = ngettext("%(num)d new row was imported.", "%(num)d new rows were imported.", new_rows)
    known = rows - new_rows
    if not known:
        return str(new)
    old = ngettext("%(num)d was already imported.", "%(num)d were already imported.", known)
    return f"{new} {old}"


@dashboard.post("/bank/certain", roles=OFFICE)
def place_certain() -> Response:
    """Record all certain transfers; a long list, or a refused transfer, is shown by a run."""

    form = FlaskForm()

    def then(done: int | Run) -> Response:
        if isinstance(done, int):
            message = ngettext(
                "%(num)d transfer was recorded.", "%(num)d transfers were recorded.", done
            )
            return go(url_for("dashboard.bank_day"), message=message)
        message = _("Not all were recorded.") if done.finished_at else _("Recording begins.")
        return go(url_for("dashboard.run", run_id=done.id), message=message)

    return submitted(
        form,
        act=transfers.place_certain_or_ask,
        then=then,
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo", roles=OFFICE)
def undo_import(import_id: str) -> Response:
    """Remove the imported rows of a file."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: whole_imports.undo_import(work, import_id),
        then=lambda rows: go(
            url_for("dashboard.bank_day"),
            message=ngettext("%(num)d row was removed.", "%(num)d rows were removed.", rows),
        ),
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo-all", roles=OFFICE)
def undo_all_of_import(import_id: str) -> Response:
    """Reverse the payments of a file, then remove its rows; a run does so where they are many."""
    form = FlaskForm()

    def then(undone: UndoneImport | Run) -> Response:
        if isinstance(undone, Run):
            return go(url_for("dashboard.run", run_id=undone.id), message=_("Undoing begins."))
        reversed_ = ngettext(
            "%(num)d payment was reversed.", "%(num)d payments were reversed.", undone.payments
        )
        out = ngettext("%(num)d row was removed.", "%(num)d rows were removed.", undone.rows)
        return go(url_for("dashboard.bank_day"), message=f"{reversed_} {out}")

    return submitted(
        form,
        act=lambda work: undo_or_ask(
            work, import_id, reason=_("the whole bank statement was undone")
        ),
        then=then,
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.get("/bank/payers", roles=OFFICE)
def remembered_payers() -> Response:
    """Show the remembered payers and the residents they pay for."""
    return _render_payers(FlaskForm())


@dashboard.post("/bank/payers/<payer_id>/forget", roles=OFFICE)
def forget_payer(payer_id: str) -> Response:
    """Forget a remembered payer; the payments recorded because of it are kept."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: payers.forget_payer(work, payer_id),
        then=lambda _none: go(url_for("dashboard.remembered_payers"), message=_("Payer removed.")),
        again=lambda: _render_payers(form),
    )


def _render_payers(form: Form) -> Response:
    paging = asked_paging()
    return page(
        "dashboard/bank/payers.html",
        form=form,
        found=list_payers(reading(), paging),
        paging=paging,
    )


class FeesForm(FlaskForm):
    """The small differences to write off, and the reason."""

    entries = ManyField(lazy_gettext("Small differences"))
    feeReason = TextField(lazy_gettext("Reason"), [Required()])


@dashboard.post("/bank/fees", roles=OFFICE)
def write_fees_off() -> Response:
    """Write off the chosen small differences."""
    form = FeesForm()
    entry_ids = request.form.getlist("entries")
    form.entries.choices = [(entry_id, entry_id) for entry_id in entry_ids]
    return submitted(
        form,
        act=lambda work: payers.write_fees_off(
            work, entry_ids=entry_ids, reason=form.feeReason.data or ""
        ),
        then=lambda count: go(
            url_for("dashboard.bank_day"),
            message=ngettext(
                "%(num)d difference was written off.",
                "%(num)d differences were written off.",
                count,
            ),
        ),
        again=lambda: _render_bank_day(FileForm(formdata=None), form, form),
    )


def _render_bank_day(
    form: FileForm, refused: Form | None = None, fees: FeesForm | None = None
) -> Response:
    session = reading()
    day = match_waiting(session, today())
    return page(
        "dashboard/bank/bank_day.html",
        form=form,
        refused=refused or form,
        day=day,
        certain=part_of(day.certain, "certain", _ROWS_A_PART),
        likely=part_of(day.likely, "likely", _ROWS_A_PART),
        unknown=part_of(day.unknown, "unknown", _ROWS_A_PART),
        kept=part_of(day.kept, "kept", _ROWS_A_PART),
        imports=imports_in_force(session, most=10),
        placed=list_recent_transfers(session),
        differences=part_of(small_differences(session, today()), "differences", _ROWS_ON_A_PHONE),
        fees=fees or FeesForm(formdata=None),
    )
