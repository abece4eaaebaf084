"""The steps of taking over: the grids of rooms, people and money, the check, and going live."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext, ngettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import PreparedRow, RowQuestion
from pms.arrivals.takeover.checking import SUMS, check_guide
from pms.arrivals.takeover.going_live import ask_to_go_live
from pms.arrivals.takeover.guides import Guide, TypedRow, WrongCells
from pms.arrivals.takeover.row_fields import ALWAYS, FIELDS, Kind, State, Step
from pms.arrivals.takeover.row_money import debts_in_japanese
from pms.arrivals.takeover.running import TakeOverRun
from pms.arrivals.takeover.taken import Question
from pms.foundation.runs import Run, newest_run
from pms.foundation.work import Work
from pms.rules.enumerations import RunKind
from pms.surfaces.dashboard.desk import clock, reading, submitted
from pms.surfaces.dashboard.routes import OFFICE, dashboard
from pms.surfaces.fields import DayField, FlagField, Optional, TextField, YenField
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.paging import asked_paging
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import database, files
from pms.surfaces.takeover_labels import (
    FIELD_WORDS,
    LEFT_WORDS,
    REASON_WORDS,
    STATE_WORDS,
    STEP_WORDS,
    SUM_WORDS,
    WRONG_WORDS,
    place_words,
)

_ROWS_A_PAGE: Final = 20
_BILLS_A_PAGE: Final = 50
_GRIDS: Final = (Step.ROOMS, Step.PEOPLE, Step.MONEY)
_CELL: Final = re.compile(r"c-(\d{1,3})-([A-Za-z]{1,20})")
_ANSWER: Final = re.compile(r"q-(\d{1,3})-([a-z_]{1,40})")
_AT: Final = re.compile(r"at-(\d{1,3})")


class AboutForm(FlaskForm):
    """What holds for all files: the house of rows without one, the days, and no deposits."""

    house = TextField(lazy_gettext("Building for rows without one"), [Optional()])
    asOf = DayField(lazy_gettext("Payments as of"), [Optional()])
    billedThrough = DayField(lazy_gettext("Billed through"), [Optional()])
    noDeposits = FlagField(lazy_gettext("No deposits are held"))


class SumsForm(FlaskForm):
    """The sums that the office reckons with, and a word for one that is not met."""

    depositHeld = YenField(lazy_gettext("Deposits held"), [Optional()])
    unpaid = YenField(lazy_gettext("Unpaid"), [Optional()])
    overpaid = YenField(lazy_gettext("Overpaid"), [Optional()])
    leaveWaiting = FlagField(lazy_gettext("Go live without the rows that still need an answer"))


class Group(NamedTuple):
    """One question of many rows."""

    code: str
    text: str
    rows: int
    is_waiting: bool


class Asked(NamedTuple):
    """A question about a row as the grid shows it."""

    one: RowQuestion
    text: str
    left: LazyString | None


class ShownRow(NamedTuple):
    """A row of the grid: its cells by field, its marks, what is wrong in it, and its questions."""

    row: PreparedRow
    place: str
    values: Mapping[str, str]
    wrong: Mapping[str, LazyString]
    asked: Sequence[Asked]


@dashboard.get("/takeover/<takeover_id>/<any(rooms, people, money):step>", roles=OFFICE)
def takeover_rows(takeover_id: str, step: str) -> Response:
    """Show the rows as they will be, those with a question first."""
    guide = _guide(takeover_id)
    return _render_step(guide, Step(step), FlaskForm())


@dashboard.post(
    "/takeover/<takeover_id>/<any(rooms, people, money):step>", roles=OFFICE, most_bytes=1_000_000
)
def edit_takeover_rows(takeover_id: str, step: str) -> Response:
    """Keep what was typed and answered, and stay or go on."""
    guide, form = _guide(takeover_id), FlaskForm()
    typed, everywhere = _typed_rows(), request.form.get("all", "")

    def act(work: Work) -> None:
        guides.edit_rows(work.session, guide, typed)
        if everywhere:
            guides.answer_all(work.session, guide, everywhere)

    wrong: dict[tuple[str, str], str] = {}
    try:
        return submitted(
            form,
            act=act,
            then=lambda _none: _onwards(takeover_id, Step(step)),
            again=lambda: _render_step(guide, Step(step), form, typed),
        )
    except WrongCells as refusal:
        wrong = dict(refusal.codes)
    response = _render_step(guide, Step(step), form, typed, wrong)
    response.status_code = UNACCEPTED
    return response


def _onwards(takeover_id: str, step: Step) -> Response:
    steps = list(Step)
    to = steps[steps.index(step) + 1] if request.form.get("next") else step
    return go(_address(takeover_id, to), message=None if to is not step else _("Saved."))


def _address(takeover_id: str, step: Step) -> str:
    if step is Step.CHECK:
        return url_for("dashboard.takeover_check", takeover_id=takeover_id)
    return url_for("dashboard.takeover_rows", takeover_id=takeover_id, step=step.value)


@dashboard.post("/takeover/<takeover_id>/about", roles=OFFICE)
def answer_takeover_files(takeover_id: str) -> Response:
    """Keep what holds for all files."""
    guide, form = _guide(takeover_id), AboutForm()
    codes = {question.code for question, _is_open in guide.prepared.file_questions}
    confirmed = codes & set(request.form.getlist("confirmed"))
    asked = {"as_of", "as_of_and_billed", "billed_through"} & codes
    return submitted(
        form,
        act=lambda work: guides.answer_files(
            work.session,
            takeover_id,
            as_of=form.asOf.data,
            billed_through=form.billedThrough.data,
            building=form.house.data or "",
            has_no_deposits=bool(form.noDeposits.data),
            confirmed=confirmed | asked,
        ),
        then=lambda _none: go(_address(takeover_id, Step.ROOMS), message=_("Saved.")),
        again=lambda: _render_step(guide, Step.ROOMS, form),
    )


def _guide(takeover_id: str) -> Guide:
    return guides.read_guide(reading(), clock(), files(), takeover_id)


def _typed_rows() -> list[TypedRow]:
    """The rows of the grid as they were sent, each known by its place."""
    places = {found[1]: at for name, at in request.form.items() if (found := _AT.fullmatch(name))}
    cells: dict[str, dict[str, str]] = {number: {} for number in places}
    answers: dict[str, dict[str, str]] = {number: {} for number in places}
    for name, text in request.form.items():
        for pattern, into in ((_CELL, cells), (_ANSWER, answers)):
            found = pattern.fullmatch(name)
            if found and found[1] in places:
                into[found[1]][found[2]] = text
    return [TypedRow(at, cells[number], answers[number]) for number, at in places.items()]


def _render_step(
    guide: Guide,
    step: Step,
    form: FlaskForm,
    typed: Sequence[TypedRow] = (),
    wrong: Mapping[tuple[str, str], str] | None = None,
) -> Response:
    paging = asked_paging(_ROWS_A_PAGE)
    known = {one.at: one for one in typed}
    rows = _in_order(guide, step)
    part = rows[paging.offset : paging.offset + paging.limit]
    if known:
        part = [row for row in rows if row.at in known]
    return page(
        "dashboard/takeover/rows.html",
        form=form,
        about=form if isinstance(form, AboutForm) else _about_form(guide),
        guide=guide,
        step=step,
        steps=_steps(guide, step),
        fields=[FIELDS[name] for name in _fields(guide, step)],
        words=FIELD_WORDS,
        states=STATE_WORDS,
        kinds=Kind,
        rows=[_shown(row, step, known.get(row.at), wrong or {}) for row in part],
        groups=_groups(guide, step),
        file_questions=_file_questions(guide),
        wrong=len(wrong or {}),
        paging=paging,
        total=len(rows),
    )


def _in_order(guide: Guide, step: Step) -> list[PreparedRow]:
    """The rows of a step: those that wait first, then those with a question, then the others."""
    rows = [row for row in guide.prepared.rows if step is Step.ROOMS or row.state in _WITH_PEOPLE]
    if step is Step.MONEY:
        rows = [row for row in rows if row.state is State.LET]
    return sorted(rows, key=lambda row: min((_rank(one, step) for one in row.questions), default=2))


_WITH_PEOPLE: Final = frozenset({State.LET, State.OWNER})


def _rank(one: RowQuestion, step: Step) -> int:
    if not one.is_open or one.step is not step:
        return 2
    return 0 if one.is_waiting else 1


def _fields(guide: Guide, step: Step) -> list[str]:
    """The columns of a step: the usual ones, and those that a row has or is asked about."""
    rows = guide.prepared.rows
    asked = {name for row in rows for one in row.questions for name in one.fields}
    used = {name for name in FIELDS if any(row.values[name] for row in rows)}
    wanted = ALWAYS | asked | used
    return [name for name, one in FIELDS.items() if one.step is step and name in wanted]


def _shown(
    row: PreparedRow,
    step: Step,
    typed: TypedRow | None,
    wrong: Mapping[tuple[str, str], str],
) -> ShownRow:
    language, values = chosen_language(), dict(row.values)
    if language == "ja":
        values["unpaid"] = debts_in_japanese(values["unpaid"])
    values |= dict(typed.cells) if typed else {}
    asked = [
        Asked(
            one,
            one.question.in_language(language),
            LEFT_WORDS.get(one.question.code) if one.can_be_left else None,
        )
        for one in row.questions
        if one.step is step and (one.is_open or one.answer)
    ]
    errors = {name: WRONG_WORDS[code] for (at, name), code in wrong.items() if at == row.at}
    return ShownRow(row, place_words(row.at), values, errors, asked)


def _groups(guide: Guide, step: Step) -> list[Group]:
    """What is still asked in a step, each question once, the ones that block first."""
    counts: Counter[tuple[str, bool]] = Counter()
    first: dict[tuple[str, bool], Question] = {}
    for row in guide.prepared.rows:
        for one in row.questions:
            if one.is_open and one.step is step:
                key = (one.question.code, one.is_waiting)
                counts[key] += 1
                first.setdefault(key, one.question)
    language = chosen_language()
    found = [
        Group(code, first[code, must].in_language(language), count, must)
        for (code, must), count in counts.items()
    ]
    return sorted(found, key=lambda group: (not group.is_waiting, -group.rows))


def _steps(guide: Guide, step: Step) -> list[tuple[str, str, str, int]]:
    """Every step with its address, how far it is, and how many rows wait in it."""
    waiting = Counter(
        one.step for row in guide.prepared.rows for one in row.questions if one.is_waiting
    )
    order = list(Step)
    return [
        (
            str(STEP_WORDS[one]),
            _address(guide.id, one),
            "current"
            if one is step
            else "done"
            if order.index(one) < order.index(step) and not waiting[one]
            else "later",
            waiting[one],
        )
        for one in order
    ]


class FileQuestion(NamedTuple):
    """A question about all files, as it is shown."""

    code: str
    text: str
    is_open: bool
    by_field: bool


_BY_FIELD: Final = frozenset(
    {"as_of", "as_of_and_billed", "billed_through", "house_without_name", "no_deposits"}
)


def _file_questions(guide: Guide) -> list[FileQuestion]:
    language = chosen_language()
    return [
        FileQuestion(one.code, one.in_language(language), is_open, one.code in _BY_FIELD)
        for one, is_open in guide.prepared.file_questions
    ]


def _about_form(guide: Guide) -> AboutForm:
    read = guide.prepared.read
    return AboutForm(
        formdata=None,
        data={
            "house": guide.row.answers.get("building", ""),
            "asOf": read.as_of,
            "billedThrough": guide.billed_through,
            "noDeposits": bool(guide.row.answers.get("hasNoDeposits")),
        },
    )


@dashboard.get("/takeover/<takeover_id>/check", roles=OFFICE)
def takeover_check(takeover_id: str) -> Response:
    """Show the next bills beside the sheet, and the sums."""
    guide = _guide(takeover_id)
    check = check_guide(reading(), guide, clock().today())
    data: dict[str, Any] = {one.name: one.expected_yen for one in check.sums}
    return _render_check(guide, SumsForm(formdata=None, data=data))


@dashboard.post("/takeover/<takeover_id>/check", roles=OFFICE, most_bytes=1_000_000)
def settle_takeover_check(takeover_id: str) -> Response:
    """Keep the sums and the words, and go live where that is asked."""
    form = SumsForm()
    totals = {name: form[name].data for name in SUMS}
    words = _words()

    def act(work: Work) -> TakeOverRun | Run | None:
        guides.keep_totals(work.session, takeover_id, totals)
        guides.accept_differences(work.session, takeover_id, words)
        if "live" not in request.form:
            return None
        leaves = bool(form.leaveWaiting.data)
        return ask_to_go_live(work, files(), takeover_id, leaves_waiting=leaves)

    return submitted(
        form,
        act=act,
        then=lambda run: _gone_live(takeover_id, run),
        again=lambda: _render_check(_guide(takeover_id), form, words),
    )


def _gone_live(takeover_id: str, run: TakeOverRun | Run | None) -> Response:
    if run is None:
        return go(_address(takeover_id, Step.CHECK), message=_("Saved."))
    if isinstance(run, Run):
        return go(url_for("dashboard.run", run_id=run.id), message=_("Going live has started."))
    database().refresh_statistics()
    message = ngettext(
        "%(num)d tenancy was taken over.", "%(num)d tenancies were taken over.", run.tenancies
    )
    return go(url_for("dashboard.takeover_guide", takeover_id=takeover_id), message=message)


def _words() -> dict[str, str]:
    """The words with which differences are accepted, by the place or the sum they are of."""
    places = {found[1]: at for name, at in request.form.items() if (found := _AT.fullmatch(name))}
    facts = {at: request.form.get(f"word-{number}", "") for number, at in places.items()}
    return facts | {
        name: request.form[f"word-{name}"] for name in SUMS if f"word-{name}" in request.form
    }


def _render_check(guide: Guide, form: SumsForm, words: Mapping[str, str] | None = None) -> Response:
    check = check_guide(reading(), guide, clock().today())
    paging = asked_paging(_BILLS_A_PAGE)
    bills = sorted(check.bills, key=lambda one: (not one.difference_yen, not one.reasons))
    language = chosen_language()
    return page(
        "dashboard/takeover/check.html",
        form=form,
        guide=guide,
        check=check,
        run=newest_run(reading(), RunKind.TAKEOVER.value, guide.id),
        step=Step.CHECK,
        steps=_steps(guide, Step.CHECK),
        bills=bills[paging.offset : paging.offset + paging.limit],
        words=words or {},
        reasons=REASON_WORDS,
        sums=SUM_WORDS,
        waiting=[
            (
                row,
                place_words(row.at),
                [one.in_language(language) for one in row.waiting],
                _of(guide, row),
            )
            for row in check.waiting[:_BILLS_A_PAGE]
        ],
        open_count=sum(one.is_open for row in guide.prepared.rows for one in row.questions),
        paging=paging,
        total=len(bills),
    )


def _of(guide: Guide, row: PreparedRow) -> str:
    step = next(one.step for one in row.questions if one.is_waiting)
    return _address(guide.id, step)
