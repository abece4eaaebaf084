"""Taking tenancies over: starting and dropping a guide, comparing sums, and going live."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from flask import Response, g, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import MultipleFileField

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import PreparedRow
from pms.arrivals.takeover.checking import check_guide, first_month_here
from pms.arrivals.takeover.going_live import ask_to_go_live, count_written
from pms.arrivals.takeover.guides import SUMS, Guide, NewFiles
from pms.arrivals.takeover.refused_rows import refused_rows_csv, refused_rows_xlsx
from pms.arrivals.takeover.row_fields import GuideStep
from pms.arrivals.takeover.running import TakeOverRun
from pms.arrivals.takeover.undoing import undo_take_over, why_not_undone
from pms.catalogue.checks import check_place_reading
from pms.foundation.runs import Run, newest_run
from pms.foundation.work import Work
from pms.rules.enumerations import RunKind, TakeoverState
from pms.statements.owner_terms import buildings_without_terms
from pms.surfaces.dashboard.gate import OFFICE, SHEET_BYTES, dashboard, reading
from pms.surfaces.dashboard.takeover_files import render_files
from pms.surfaces.dashboard.takeover_steps import (
    RowAddresses,
    asked_step,
    group_questions,
    read_guide,
    row_places,
    step_address,
    step_page,
)
from pms.surfaces.fields import (
    FlagField,
    LongTextField,
    Optional,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import XLSX_TYPE, csv_file_answer, file_answer, go, page
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.labels.takeover import (
    REASON_WORDS,
    SUM_WORDS,
    place_words,
)
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database, files

_LONGEST_PASTE: Final = 1_000_000
Result = TypeVar("Result")


class PastedField(LongTextField):
    """Cells copied from a spreadsheet, with their tabs."""

    most_characters = _LONGEST_PASTE


class StartForm(FlaskForm):
    """The files, pasted cells, or the number of empty rows to type into."""

    file = MultipleFileField(lazy_gettext("Rent roll or lists"))
    pasted = PastedField(lazy_gettext("Cells copied from a spreadsheet"), [Optional()])
    rows = WholeNumberField(
        lazy_gettext("Empty rows"), [Optional()], least=1, most=guides.MOST_BLANK_ROWS
    )


@dashboard.get("/takeover", roles=OFFICE, is_of_all_buildings=True)
def takeover() -> Response:
    """Show the form to start a take-over, and those already started."""
    return _render_front(StartForm())


def _render_front(form: StartForm) -> Response:
    return page("dashboard/takeover/front.html", form=form, guides=guides.list_guides(reading()))


@dashboard.post("/takeover", roles=OFFICE, most_bytes=2 * SHEET_BYTES, is_of_all_buildings=True)
def start_takeover() -> Response:
    """Read the files; the first step shows what was read."""
    form = StartForm()
    return _reading_files(
        form,
        None,
        act=lambda work, new: guides.start_guide(
            work, files(), new, blank_rows=0 if new.files else form.rows.data or 0
        ),
        then=_go_to_first_step,
        again=lambda: _render_front(form),
    )


def _reading_files(
    form: StartForm,
    takeover_id: str | None,
    *,
    act: Callable[[Work, NewFiles], Result],
    then: Callable[[Result], Response],
    again: Callable[[], Response],
) -> Response:
    """Read the files before the transaction, then act on them."""
    read: list[NewFiles] = []
    return submitted(
        form,
        prepare=lambda: read.append(
            guides.open_new_files(reading(), clock(), files(), _read_sheets(form), takeover_id)
        ),
        act=lambda work: act(work, read[0]),
        then=then,
        again=again,
    )


def _read_sheets(form: StartForm) -> list[tuple[str, bytes]]:
    found = [
        (sheet.filename, sheet.read()) for sheet in request.files.getlist("file") if sheet.filename
    ]
    pasted = request.form.get("pasted", "").strip("\r\n")
    if pasted.strip():
        found.append((_("Pasted cells"), pasted.encode()))
    return found


def _go_to_first_step(takeover_id: str) -> Response:
    """Return the first step with something to answer: the files, or the rooms read from them."""
    guide = _read_written(takeover_id)
    is_open = any(is_open for _question, is_open in guide.prepared.file_questions)
    is_whole = guide.prepared.rows and guide.files and not is_open
    return go(step_address(takeover_id, GuideStep.ROOMS if is_whole else GuideStep.FILES))


def _read_written(takeover_id: str) -> Guide:
    """Read a guide as this request has written it: its own session still sees what was before."""
    with database().reading(g.workspace_id) as session:
        return guides.read_guide(session, clock(), files(), takeover_id)


@dashboard.get("/takeover/<takeover_id>", roles=OFFICE, is_of_all_buildings=True)
def takeover_guide(takeover_id: str) -> Response:
    """Show what a finished guide did; an open one is continued at its files."""
    if guides.stored_guide(reading(), takeover_id).state is TakeoverState.OPEN:
        return go(step_address(takeover_id, GuideStep.FILES))
    return _render_guide(takeover_id, FlaskForm())


def _render_guide(takeover_id: str, form: FlaskForm) -> Response:
    session = reading()
    guide = guides.read_guide(session, clock(), files(), takeover_id)
    is_live = guide.row.state is TakeoverState.LIVE
    barred = why_not_undone(session, guide.row) if is_live else None
    return page(
        "dashboard/takeover/guide.html",
        form=form,
        guide=guide,
        is_live=is_live,
        barred=None if barred is None else refusal_text(barred),
        done=count_written(guide.row) if is_live else None,
        refused=_left_out_rows(guide) if is_live else (),
        month=f"{first_month_here(guide, clock().today()):%Y-%m}",
        without_terms=buildings_without_terms(session) if is_live else (),
    )


def _left_out_rows(guide: Guide) -> list[tuple[PreparedRow, str, list[str]]]:
    """Return the rows that going live left out, each with its place and what was open."""
    rows = {row.at: row for row in guide.prepared.rows}
    language = chosen_language()
    return [
        (
            rows[at],
            place_words(at),
            [question.in_language(language) for question in rows[at].waiting] or [why],
        )
        for at, why in guide.row.made.get("refused", ())
        if at in rows
    ]


@dashboard.post(
    "/takeover/<takeover_id>/more-files",
    roles=OFFICE,
    most_bytes=2 * SHEET_BYTES,
    is_of_all_buildings=True,
)
def add_takeover_files(takeover_id: str) -> Response:
    """Read further files together with the earlier ones."""
    form = StartForm()
    return _reading_files(
        form,
        takeover_id,
        act=lambda work, new: guides.add_files(work, files(), takeover_id, new),
        then=lambda _none: go(
            step_address(takeover_id, GuideStep.FILES), message=_("The files have been read.")
        ),
        again=lambda: render_files(read_guide(takeover_id), form),
    )


@dashboard.post("/takeover/<takeover_id>/undo", roles=OFFICE, is_of_all_buildings=True)
def undo_takeover(takeover_id: str) -> Response:
    """Undo everything that going live wrote."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: undo_take_over(work, takeover_id),
        then=lambda _row: go(
            step_address(takeover_id, GuideStep.CHECK), message=_("The import has been undone.")
        ),
        again=lambda: _render_guide(takeover_id, form),
    )


@dashboard.post("/takeover/<takeover_id>/drop", roles=OFFICE, is_of_all_buildings=True)
def drop_takeover(takeover_id: str) -> Response:
    """Delete an open guide; it has written nothing yet."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: guides.drop_guide(work, takeover_id),
        then=lambda _none: go(
            url_for("dashboard.takeover"), message=_("The import has been discarded.")
        ),
        again=lambda: _render_guide(takeover_id, form),
    )


@dashboard.get("/takeover/<takeover_id>/refused.csv", roles=OFFICE, is_of_all_buildings=True)
def takeover_refused(takeover_id: str) -> Response:
    """Give the rows that wait for an answer as a sheet that can be corrected and read again."""
    guide = guides.read_guide(reading(), clock(), files(), takeover_id)
    content = refused_rows_csv(guide, chosen_language())
    return csv_file_answer(content, f"refused-{takeover_id[:8]}.csv")


@dashboard.get("/takeover/<takeover_id>/refused.xlsx", roles=OFFICE, is_of_all_buildings=True)
def takeover_refused_workbook(takeover_id: str) -> Response:
    """Give the same rows as a workbook."""
    guide = guides.read_guide(reading(), clock(), files(), takeover_id)
    content = refused_rows_xlsx(guide, chosen_language())
    return file_answer(content, XLSX_TYPE, f"refused-{takeover_id[:8]}.xlsx")


_BILLS_A_PAGE: Final = 50
_MOST_READINGS: Final = 99


class SumsForm(FlaskForm):
    """The sums that the office expects, and the reasons for differences."""

    depositHeld = YenField(lazy_gettext("Deposits held"), [Optional()])
    unpaid = YenField(lazy_gettext("Unpaid"), [Optional()])
    overpaid = YenField(lazy_gettext("Overpaid"), [Optional()])
    leaveWaiting = FlagField(lazy_gettext("Go live without the rows that still need an answer"))


def _sums_form(guide: Guide, data: Mapping[str, Any] | None = None) -> SumsForm:
    """Return the form with the readings that are asked; without `data` it is filled with what was sent."""

    class CheckForm(SumsForm):
        pass

    readings = _fields_of_readings(guide)
    for field, name in readings.items():
        label = lazy_gettext("Reading of %(name)s", name=name)
        setattr(CheckForm, field, TextField(label, [Optional()]))
    if data is None:
        return CheckForm()
    given = guide.prepared.of_files.readings
    known = {field: given.get(name, "") for field, name in readings.items()}
    return CheckForm(formdata=None, data={**data, **known})


def _fields_of_readings(guide: Guide) -> dict[str, str]:
    """Return the names of the new buildings whose reading is asked, by the names of their fields."""
    names = guide.prepared.unread_names[:_MOST_READINGS]
    return {f"reading{number}": name for number, name in enumerate(names, start=1)}


@dashboard.get("/takeover/<takeover_id>/check", roles=OFFICE, is_of_all_buildings=True)
def takeover_check(takeover_id: str) -> Response:
    """Show the next bills beside the sheet, and the sums."""
    guide = read_guide(takeover_id)
    check = check_guide(reading(), guide, clock().today())
    data: dict[str, Any] = {total.name: total.expected_yen for total in check.sums}
    return _render_check(guide, _sums_form(guide, data))


@dashboard.post(
    "/takeover/<takeover_id>/check", roles=OFFICE, most_bytes=1_000_000, is_of_all_buildings=True
)
def settle_takeover_check(takeover_id: str) -> Response:
    """Save the sums and reasons, and go live if asked to."""
    guide = read_guide(takeover_id)
    form = _sums_form(guide)
    totals = {name: form[name].data for name in SUMS}
    places = row_places()
    facts = {at: request.form.get(f"word-{number}", "") for number, at in places.items()}
    words = facts | {
        name: request.form[f"word-{name}"] for name in SUMS if f"word-{name}" in request.form
    }

    def act(work: Work) -> None:
        guides.keep_totals(work.session, takeover_id, totals)
        # The readings by the names of the buildings; refuse what is no kana.
        found = {
            name: check_place_reading(field, form[field].data)
            for field, name in _fields_of_readings(guide).items()
        }
        given_readings = {name: kana for name, kana in found.items() if kana}
        guides.keep_readings(work.session, takeover_id, given_readings)
        guides.accept_differences(work.session, guide, words)
        if kind := request.form.get("all"):
            guides.answer_all(work.session, guide, kind)

    def then(_none: None) -> Response:
        if "live" not in request.form:
            to = asked_step(GuideStep.CHECK)
            saying = _("Saved.") if to is GuideStep.CHECK else None
            return go(step_address(takeover_id, to), message=saying)
        return _go_live(takeover_id, form, words)

    return submitted(
        form,
        act=act,
        then=then,
        again=lambda: _render_check(read_guide(takeover_id), form, words),
    )


def _go_live(takeover_id: str, form: SumsForm, words: Mapping[str, str]) -> Response:
    """Go live with what is stored now: the files are read again before the transaction."""
    saved = _read_written(takeover_id)
    leaves = bool(form.leaveWaiting.data)
    return submitted(
        form,
        act=lambda work: ask_to_go_live(work, saved, leaves_waiting=leaves),
        then=lambda run: _answer_live(takeover_id, run),
        again=lambda: _render_check(saved, form, words),
    )


def _answer_live(takeover_id: str, run: TakeOverRun | Run) -> Response:
    if isinstance(run, Run):
        return go(url_for("dashboard.run", run_id=run.id), message=_("Going live has started."))
    database().refresh_statistics()
    message = ngettext(
        "%(num)d tenancy was taken over.", "%(num)d tenancies were taken over.", run.tenancies
    )
    return go(url_for("dashboard.takeover_guide", takeover_id=takeover_id), message=message)


def _render_check(guide: Guide, form: SumsForm, words: Mapping[str, str] | None = None) -> Response:
    check = check_guide(reading(), guide, clock().today())
    paging = asked_paging(_BILLS_A_PAGE)
    bills = sorted(check.bills, key=lambda bill: (not bill.difference_yen, not bill.reasons))
    shown = bills[paging.offset : paging.offset + paging.limit]
    groups = group_questions(guide, RowAddresses(guide))
    return step_page(
        "dashboard/takeover/check.html",
        guide,
        GuideStep.CHECK,
        form=form,
        readings=[form[field] for field in _fields_of_readings(guide)],
        check=check,
        about_files=[question.in_language(chosen_language()) for question in check.about_files],
        run=newest_run(reading(), RunKind.TAKEOVER.value, guide.id),
        differing=[bill for bill in shown if bill.difference_yen],
        agreeing=[bill for bill in shown if not bill.difference_yen],
        words=words or {},
        reasons=REASON_WORDS,
        sums=SUM_WORDS,
        waiting=[group for group in groups if group.is_waiting],
        proposals=[group for group in groups if not group.is_waiting],
        most_rows=_BILLS_A_PAGE,
        paging=paging,
        total=len(bills),
    )
