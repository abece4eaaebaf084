"""Bank matching: record the certain transfers, and review the rest."""

from collections.abc import Iterable, Mapping

from flask import Response, g, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.bank import import_undoing, payers, transfers, write_offs
from pms.bank.bank_day import list_recent_transfers
from pms.bank.import_lists import imports_in_force
from pms.bank.import_undoing import UndoneImport, undo_or_ask
from pms.bank.payers import list_payers
from pms.bank.verdicts import Waiting, WaitingDay, renew_few_verdicts, show_day
from pms.bank.write_offs import small_differences
from pms.foundation.runs import Run
from pms.surfaces.dashboard.bank_files import FileForm
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import ManyField, Required, TextField
from pms.surfaces.forms import ListPart, asked_paging, part_of, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import clock, database, today

_ROWS_A_PART = 25
# A phone shows so many rows of a list at first: what is ticked is in sight.
_ROWS_ON_A_PHONE = 15


@dashboard.get("/bank", roles=OFFICE, is_of_all_buildings=True)
def bank_day() -> Response:
    """Show the transfers that wait."""
    return _render_bank_day(FileForm())


@dashboard.post("/bank/certain", roles=OFFICE, is_of_all_buildings=True)
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
        prepare=renew_verdicts,
        act=transfers.place_certain_or_ask,
        then=then,
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo", roles=OFFICE, is_of_all_buildings=True)
def undo_import(import_id: str) -> Response:
    """Remove the imported rows of a file."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: import_undoing.undo_import(work, import_id),
        then=lambda rows: go(
            url_for("dashboard.bank_day"),
            message=ngettext("%(num)d row was removed.", "%(num)d rows were removed.", rows),
        ),
        again=lambda: _render_bank_day(FileForm(formdata=None), form),
    )


@dashboard.post("/bank/imports/<import_id>/undo-all", roles=OFFICE, is_of_all_buildings=True)
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


@dashboard.get("/bank/payers", roles=OFFICE, is_of_all_buildings=True)
def remembered_payers() -> Response:
    """Show the remembered payers and the residents they pay for."""
    return _render_payers(FlaskForm())


@dashboard.post("/bank/payers/<payer_id>/forget", roles=OFFICE, is_of_all_buildings=True)
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


@dashboard.post("/bank/fees", roles=OFFICE, is_of_all_buildings=True)
def write_fees_off() -> Response:
    """Write off the chosen small differences."""
    form = FeesForm()
    entry_ids = request.form.getlist("entries")
    form.entries.choices = [(entry_id, entry_id) for entry_id in entry_ids]
    return submitted(
        form,
        act=lambda work: write_offs.write_fees_off(
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


def renew_verdicts() -> None:
    """Match what little changed before a transaction, which then matches nothing again."""
    renew_few_verdicts(database(), clock(), g.workspace_id)


def _render_bank_day(
    form: FileForm, refused: Form | None = None, fees: FeesForm | None = None
) -> Response:
    session = reading()

    def lists_of(day: WaitingDay) -> Mapping[str, ListPart[Waiting]]:
        names = ("certain", "likely", "unknown", "kept")
        return {name: part_of(getattr(day, name), name, _ROWS_A_PART) for name in names}

    def choose(day: WaitingDay) -> Iterable[Waiting]:
        return [waiting for part in lists_of(day).values() for waiting in part.rows]

    shown = show_day(session, today(), choose)
    return page(
        "dashboard/bank/bank_day.html",
        form=form,
        refused=refused or form,
        day=shown.day,
        lists=lists_of(shown.day),
        matched=shown.matched,
        book=shown.book,
        imports=imports_in_force(session, most=10),
        placed=list_recent_transfers(session),
        differences=part_of(small_differences(session, today()), "differences", _ROWS_ON_A_PHONE),
        fees=fees or FeesForm(formdata=None),
    )
