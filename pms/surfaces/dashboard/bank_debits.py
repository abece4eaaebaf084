"""Direct debits: checking, making and handing over a request file, and the bank's result."""

from datetime import date, timedelta
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import FileField, Form

from pms.bank import debit_file_lists, debit_files, debit_results, mandates
from pms.bank.debit_results import ReadResult
from pms.foundation.clock import next_bank_day
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.bank_orders import DebitResult
from pms.rules.days import month_last
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, SHEET_BYTES, dashboard, reading
from pms.surfaces.fields import DayField, HiddenField, Required
from pms.surfaces.forms import QueryForm, asked_paging, part_of, place_problem, submitted
from pms.surfaces.hypermedia import bank_file_answer, go, page
from pms.surfaces.request_scope import today
from pms.workspaces.office_bank import office_bank

_ROWS_A_PART: Final = 100


class DebitDayForm(QueryForm):
    """The day of collection, and the total that was previewed."""

    collectOn = DayField(lazy_gettext("Collection date"), [Required()])
    total = HiddenField()


class DebitResultForm(FlaskForm):
    """The bank's result file."""

    file = FileField(lazy_gettext("Result file from the bank"))


@dashboard.get("/bank/debits", roles=OFFICE, is_of_all_buildings=True)
def debit_list() -> Response:
    """Show the request files, and the form for the bank's result file."""
    return _render_list(DebitResultForm())


def _render_list(form: Form) -> Response:
    paging = asked_paging()
    files, total = debit_file_lists.list_debit_files(reading(), paging)
    return page(
        "dashboard/bank/debits.html",
        form=form,
        files=files,
        total=total,
        paging=paging,
        collect_on=_next_collection(today()),
        is_set=office_bank(reading()) is not None,
    )


def _next_collection(day: date) -> date:
    """Return the next 27th, the day on which most banks collect, or the business day after it."""
    this = next_bank_day(day.replace(day=27))
    following = (month_last(day) + timedelta(days=1)).replace(day=27)
    return this if this > day else next_bank_day(following)


@dashboard.get("/bank/mandates", roles=OFFICE, is_of_all_buildings=True)
def mandate_list() -> Response:
    """Show the mandates that have not ended."""
    paging = asked_paging()
    lines, total = mandates.list_mandates(reading(), paging)
    return page("dashboard/bank/mandates.html", lines=lines, total=total, paging=paging)


@dashboard.get("/bank/debits/new", roles=OFFICE, is_of_all_buildings=True)
def new_debits() -> Response:
    """Show what would be collected on a day, before the file is made."""
    form = DebitDayForm(request.args)
    if not form.validate():
        form = DebitDayForm(formdata=None, data={"collectOn": _next_collection(today())})
    return _render_check(form)


def _render_check(form: DebitDayForm) -> Response:
    plan = None
    if isinstance(form.collectOn.data, date) and office_bank(reading()) is not None:
        try:
            plan = debit_files.plan_debits(reading(), today(), form.collectOn.data)
        except Refused as refusal:
            if not form.errors:
                place_problem(form, refusal)
    return page(
        "dashboard/bank/debit_check.html",
        form=form,
        plan=plan,
        debits=part_of(plan.debits if plan else (), "page", _ROWS_A_PART),
        left_out=part_of(plan.left_out if plan else (), "left", _ROWS_A_PART),
    )


@dashboard.post("/bank/debits/new", roles=OFFICE, is_of_all_buildings=True)
def make_debits() -> Response:
    """Make the request file that was previewed."""
    form = DebitDayForm()

    def act(work: Work) -> str:
        typed = form.total.data or ""
        return debit_files.make_debit_file(
            work,
            collect_on=form.collectOn.data,
            expected_yen=int(typed) if typed.isascii() and typed.isdigit() else None,
        )

    return submitted(
        form,
        act=act,
        then=lambda debit_file_id: go(
            url_for("dashboard.debit_file", debit_file_id=debit_file_id),
            message=_("File created."),
        ),
        again=lambda: _render_check(form),
    )


@dashboard.get("/bank/debits/<debit_file_id>", roles=OFFICE, is_of_all_buildings=True)
def debit_file(debit_file_id: str) -> Response:
    """Show a request file with its records and results."""
    return _render_file(debit_file_id, FlaskForm())


def _render_file(debit_file_id: str, form: Form) -> Response:
    record = debit_file_lists.debit_file_record(reading(), debit_file_id)
    records = part_of(record.debits, "page", _ROWS_A_PART)
    return page("dashboard/bank/debit_file.html", form=form, line=record.line, records=records)


@dashboard.get("/bank/debits/<debit_file_id>.txt", roles=OPERATOR)
def debit_file_bytes(debit_file_id: str) -> Response:
    """Give the request file for the bank."""
    record = debit_file_lists.debit_file_record(reading(), debit_file_id)
    content = debit_files.debit_file_bytes(reading(), debit_file_id)
    return bank_file_answer(f"debit-{record.line.due_on:%Y%m%d}.txt", content)


@dashboard.post("/bank/debits/<debit_file_id>/hand-over", roles=OPERATOR)
def hand_over_debits(debit_file_id: str) -> Response:
    """Mark the request file as handed to the bank."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: debit_files.hand_over_debits(work, debit_file_id),
        then=lambda _none: go(
            url_for("dashboard.debit_file", debit_file_id=debit_file_id),
            message=_("Marked as submitted to the bank."),
        ),
        again=lambda: _render_file(debit_file_id, form),
    )


@dashboard.post("/bank/debits/<debit_file_id>/drop", roles=OFFICE, is_of_all_buildings=True)
def drop_debits(debit_file_id: str) -> Response:
    """Drop a request file that has not been handed over."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: debit_files.drop_debits(work, debit_file_id),
        then=lambda _none: go(
            url_for("dashboard.debit_list"),
            message=_("File cancelled. Its bills can go into another file."),
        ),
        again=lambda: _render_file(debit_file_id, form),
    )


@dashboard.post(
    "/bank/debits/results", roles=OFFICE, most_bytes=SHEET_BYTES, is_of_all_buildings=True
)
def read_debit_result() -> Response:
    """Import the bank's result file."""
    form = DebitResultForm()
    sent = request.files.get("file")
    content = sent.read() if sent else b""

    opened: list[DebitResult] = []
    return submitted(
        form,
        prepare=lambda: opened.append(debit_results.open_result(content)),
        act=lambda work: debit_results.read_result(work, opened[0]),
        then=lambda found: go(
            url_for("dashboard.debit_file", debit_file_id=found.file_id),
            message=_result_message(found),
        ),
        again=lambda: _render_list(form),
    )


def _result_message(found: ReadResult) -> str:
    if not found.is_new:
        return str(_("These results were already imported. Nothing has changed."))
    came = ngettext(
        "%(num)d debit was collected.", "%(num)d debits were collected.", found.collected
    )
    if not found.failed:
        return str(came)
    failed = ngettext(
        "%(num)d failed. The payer gets an email.",
        "%(num)d failed. The payers get an email.",
        found.failed,
    )
    return f"{came} {failed}"
