"""Bank day: import a statement, record the certain transfers, and review the rest."""

from collections.abc import Sequence

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import FileField, Form

from pms.bank import imports, payers, transfers
from pms.bank.bank_day import match_waiting, recently_placed, transfer_record
from pms.bank.import_previews import StatementPreview, preview_file
from pms.bank.imports import import_file, imports_in_force
from pms.bank.payers import list_payers, small_differences
from pms.bank.transfers import UndoneImport, place_as_offered, place_on_bills
from pms.checkouts import open_bills
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import TransferState
from pms.surfaces.dashboard.gate import OFFICE, SHEET_BYTES, dashboard, reading
from pms.surfaces.fields import FlagField, HiddenField, ManyField, Optional, Required, TextField
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import Undo, go, page
from pms.surfaces.paging import asked_paging, part_of
from pms.surfaces.request_scope import files, today

_ROWS_A_PART = 25
_KEPT_SUFFIX = ".bank"
_MOST_NAMED = 101
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

    def act(work: Work) -> tuple[int, int]:
        if not content:
            raise Refused("file: choose the file from the bank.")
        done = import_file(
            work,
            content,
            file_name=file_name,
            account=form.accountName.data,
            chosen=form.chosen or None,
            accepts_gap=bool(form.gap.data),
        )
        return sum(one.new_rows for one in done), sum(one.rows for one in done)

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
    return key if key.endswith(_KEPT_SUFFIX) else ""


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
        form.kept.data, form.keptName.data = files().put_alone(content, _KEPT_SUFFIX), file_name
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
    """Record all certain transfers; a long list is recorded by a run, which shows its progress."""
    form = FlaskForm()
    if len(match_waiting(reading(), today()).certain) > transfers.PLACED_AT_ONCE:
        return submitted(
            form,
            act=lambda work: transfers.ask_to_place_certain(work).id,
            then=lambda run_id: go(
                url_for("dashboard.run", run_id=run_id), message=_("Recording begins.")
            ),
            again=lambda: _render_bank_day(FileForm(formdata=None), form),
        )
    return submitted(
        form,
        act=transfers.place_certain,
        then=lambda placed: go(
            url_for("dashboard.bank_day"),
            message=ngettext(
                "%(num)d transfer was recorded.", "%(num)d transfers were recorded.", placed
            ),
        ),
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo", roles=OFFICE)
def undo_import(import_id: str) -> Response:
    """Remove the imported rows of a file."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: imports.undo_import(work, import_id),
        then=lambda rows: go(
            url_for("dashboard.bank_day"),
            message=ngettext("%(num)d row was removed.", "%(num)d rows were removed.", rows),
        ),
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo-all", roles=OFFICE)
def undo_all_of_import(import_id: str) -> Response:
    """Reverse the payments of a file, then remove its imported rows."""
    form = FlaskForm()

    def then(undone: UndoneImport) -> Response:
        reversed_ = ngettext(
            "%(num)d payment was reversed.", "%(num)d payments were reversed.", undone.payments
        )
        out = ngettext("%(num)d row was removed.", "%(num)d rows were removed.", undone.rows)
        return go(url_for("dashboard.bank_day"), message=f"{reversed_} {out}")

    return submitted(
        form,
        act=lambda work: transfers.undo_all_of_import(
            work, import_id, reason=_("the whole bank statement was undone")
        ),
        then=then,
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.get("/bank/payers", roles=OFFICE)
def remembered_payers() -> Response:
    """Show the remembered payers and the residents they pay for."""
    return _shown_payers(FlaskForm())


@dashboard.post("/bank/payers/<payer_id>/forget", roles=OFFICE)
def forget_payer(payer_id: str) -> Response:
    """Forget a remembered payer; the payments recorded because of it are kept."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: payers.forget_payer(work, payer_id),
        then=lambda _none: go(url_for("dashboard.remembered_payers"), message=_("Payer removed.")),
        again=lambda: _shown_payers(form),
    )


def _shown_payers(form: Form) -> Response:
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
    chosen = request.form.getlist("entries")
    form.entries.choices = [(entry_id, entry_id) for entry_id in chosen]
    return submitted(
        form,
        act=lambda work: payers.write_fees_off(
            work, entry_ids=chosen, reason=form.feeReason.data or ""
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
        placed=recently_placed(session),
        differences=part_of(small_differences(session, today()), "differences", _ROWS_A_PART),
        fees=fees or FeesForm(formdata=None),
    )


class PlaceForm(FlaskForm):
    """Whether the payer is remembered for the chosen bills, and the reason."""

    learns = FlagField(lazy_gettext("Remember this payer"), default=True)
    reason = TextField(lazy_gettext("Reason"), [Optional()])


class SearchForm(QueryForm):
    """The name or unit whose bills are searched for."""

    q = TextField(lazy_gettext("Name or unit"), [Optional()])


@dashboard.get("/bank/transfers/<transfer_id>", roles=OFFICE)
def transfer(transfer_id: str) -> Response:
    """Show the transfer with the bills it may pay.

    `q` searches other bills by name or unit; each `bill` is already chosen, for a payer who pays
    several.
    """
    return _render_transfer(transfer_id, PlaceForm(), chosen=_named_bills(request.args))


def _named_bills(values: MultiDict[str, str]) -> list[tuple[str, str]]:
    """Return the bills named in the values, each by its reservation and its entry."""
    named = [one.partition("/") for one in values.getlist("bill")[:_MOST_NAMED]]
    return list(dict.fromkeys((one[0], one[2]) for one in named if one[0]))


@dashboard.post("/bank/transfers/<transfer_id>/offer", roles=OFFICE)
def place_offer(transfer_id: str) -> Response:
    """Record the transfer as one of its offers proposes, if the offer is still valid."""
    form = FlaskForm()
    offered = request.form.get("offer", "")
    return submitted(
        form,
        act=lambda work: place_as_offered(work, transfer_id, offered),
        then=lambda _ids: _done(transfer_id, _("Transfer recorded as a payment.")),
        again=lambda: _render_transfer(transfer_id, PlaceForm(formdata=None), form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/place", roles=OFFICE)
def place_transfer(transfer_id: str) -> Response:
    """Record the whole transfer for the chosen bills of one or several residents."""
    form = PlaceForm()
    chosen = _named_bills(request.form)
    return submitted(
        form,
        act=lambda work: place_on_bills(work, transfer_id, chosen, learns=bool(form.learns.data)),
        then=lambda _ids: _done(transfer_id, _("Transfer recorded as a payment.")),
        again=lambda: _render_transfer(transfer_id, form, chosen=chosen if len(chosen) > 1 else ()),
    )


@dashboard.post("/bank/transfers/<transfer_id>/state", roles=OFFICE)
def set_transfer_aside(transfer_id: str) -> Response:
    """Mark the transfer as suspense or as no rent, or let it wait again."""
    form = FlaskForm()
    word = request.form.get("state", "")

    def act(work: Work) -> None:
        if word not in {state.value for state in TransferState}:
            raise Refused("state: '{word}' is not a status of a transfer.", word=word[:40])
        transfers.set_transfer_aside(work, transfer_id, TransferState(word))

    return submitted(
        form,
        act=act,
        then=lambda _none: _aside(transfer_id),
        again=lambda: _render_transfer(transfer_id, PlaceForm(formdata=None), form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/off", roles=OFFICE)
def take_off(transfer_id: str) -> Response:
    """Remove the transfer from the bills it paid."""
    form = PlaceForm()
    return submitted(
        form,
        act=lambda work: transfers.take_off(
            work, transfer_id, reason=form.reason.data or _("recorded for the wrong bill")
        ),
        then=lambda _count: go(
            url_for("dashboard.transfer", transfer_id=transfer_id),
            message=_("The transfer is unprocessed again. Its bills are unpaid again."),
        ),
        again=lambda: _render_transfer(transfer_id, form),
    )


def _done(transfer_id: str, message: str) -> Response:
    undone = Undo(url_for("dashboard.take_off", transfer_id=transfer_id), {})
    return go(url_for("dashboard.bank_day"), message=message, undo=undone)


def _aside(transfer_id: str) -> Response:
    again = {"state": TransferState.WAITING.value}
    undone = Undo(url_for("dashboard.set_transfer_aside", transfer_id=transfer_id), again)
    return go(url_for("dashboard.bank_day"), message=_("Saved."), undo=undone)


def _render_transfer(
    transfer_id: str,
    form: PlaceForm,
    refused: Form | None = None,
    chosen: Sequence[tuple[str, str]] = (),
) -> Response:
    session = reading()
    record = transfer_record(session, transfer_id, today())
    search = SearchForm(request.args)
    words = (search.q.data or "") if search.validate() else ""
    waits = record.state in {TransferState.WAITING, TransferState.KEPT}
    picked = open_bills.bills_by_entry(session, today(), chosen) if waits and chosen else ()
    chosen_yen = sum(bill.open_yen for bill in picked)
    marks = [f"{bill.reservation_id}/{bill.entry_id}" for bill in picked]
    return page(
        "dashboard/bank/transfer.html",
        form=form,
        refused=refused or form,
        record=record,
        search=search,
        picked=picked,
        marks=marks,
        chosen_yen=chosen_yen,
        bills=open_bills.bills_to_place(
            session,
            today(),
            amount_yen=max(record.yen - chosen_yen, 0),
            words=words,
            most=12,
            without=[bill.entry_id for bill in picked],
        )
        if waits
        else (),
        search_at=url_for("dashboard.transfer", transfer_id=transfer_id),
        clear_at=url_for("dashboard.transfer", transfer_id=transfer_id, bill=marks),
    )
