"""The steps of taking over before the check: the grids of rooms, people and money."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.already_here import earlier_take_overs
from pms.arrivals.takeover.answered import PreparedRow, RowQuestion
from pms.arrivals.takeover.guides import Guide, TypedRow, WrongCells
from pms.arrivals.takeover.row_debts import debts_in_japanese
from pms.arrivals.takeover.row_fields import ALWAYS, FIELDS, GuideStep, RowFieldKind, State
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.forms import asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.takeover import (
    FIELD_WORDS,
    LEFT_WORDS,
    STATE_WORDS,
    STEP_WORDS,
    WRONG_WORDS,
    place_words,
)
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, files

_ROWS_A_PAGE: Final = 20
_CELL: Final = re.compile(r"c-(\d{1,3})-([A-Za-z]{1,20})")
_ANSWER: Final = re.compile(r"q-(\d{1,3})-([a-z_]{1,40})")
_AT: Final = re.compile(r"at-(\d{1,3})")
_PAGE: Final = re.compile(r"[1-9]\d{0,5}", re.ASCII)


class AskedRow(NamedTuple):
    """A row that is asked a question: its place in the file, the question, and where to answer."""

    row: PreparedRow
    place: str
    text: str
    address: str


class QuestionGroup(NamedTuple):
    """One question that many rows have."""

    code: str
    is_waiting: bool
    rows: Sequence[AskedRow]


class StepLink(NamedTuple):
    """A step of the guide: its address, whether it is done, and the rows that wait in it."""

    step: GuideStep
    text: LazyString
    address: str
    state: str
    waiting: int


class ShownQuestion(NamedTuple):
    """A question about a row as the grid shows it."""

    row_question: RowQuestion
    text: str
    left: LazyString | None


class ShownRow(NamedTuple):
    """A row of the grid: its cells by field, its marks, the wrong cells, and its questions."""

    row: PreparedRow
    anchor: str
    place: str
    values: Mapping[str, str]
    wrong: Mapping[str, LazyString]
    asked: Sequence[ShownQuestion]


@dashboard.get(
    "/takeover/<takeover_id>/<any(rooms, people, money):step>",
    roles=OFFICE,
    is_of_all_buildings=True,
)
def takeover_rows(takeover_id: str, step: str) -> Response:
    """Show the rows as they will be written, those with a question first."""
    guide = read_guide(takeover_id)
    return _render_step(guide, GuideStep(step), FlaskForm())


@dashboard.post(
    "/takeover/<takeover_id>/<any(rooms, people, money):step>",
    roles=OFFICE,
    most_bytes=1_000_000,
    is_of_all_buildings=True,
)
def edit_takeover_rows(takeover_id: str, step: str) -> Response:
    """Save the typed cells and answers, and stay or go to the next step."""
    guide, form = read_guide(takeover_id), FlaskForm()
    # The rows of the grid as they were sent, by their place.
    places = row_places()
    cells: dict[str, dict[str, str]] = {number: {} for number in places}
    answers: dict[str, dict[str, str]] = {number: {} for number in places}
    for name, text in request.form.items():
        for pattern, into in ((_CELL, cells), (_ANSWER, answers)):
            found = pattern.fullmatch(name)
            if found and found[1] in places:
                into[found[1]][found[2]] = text
    typed_rows = [TypedRow(at, cells[number], answers[number]) for number, at in places.items()]
    typed, everywhere = typed_rows, request.form.get("all", "")

    def act(work: Work) -> None:
        guides.edit_rows(work.session, guide, typed)
        if everywhere:
            guides.answer_all(work.session, guide, everywhere)

    wrong: dict[tuple[str, str], str] = {}
    try:
        return submitted(
            form,
            act=act,
            then=lambda _none: _go_to_asked_step(takeover_id, GuideStep(step)),
            again=lambda: _render_step(guide, GuideStep(step), form, typed),
        )
    except WrongCells as refusal:
        wrong = dict(refusal.codes)
    return mark_unaccepted(_render_step(guide, GuideStep(step), form, typed, wrong))


def _go_to_asked_step(takeover_id: str, step: GuideStep) -> Response:
    """Return the step asked for; each way on saves what was typed first."""
    to = asked_step(step)
    if to is step:
        page_number = request.form.get("toPage", "")
        number = int(page_number) if _PAGE.fullmatch(page_number) else asked_paging().page
        return go(step_address(takeover_id, step, page=number), message=_("Saved."))
    return go(step_address(takeover_id, to))


def asked_step(current: GuideStep) -> GuideStep:
    """Return the step that the pressed button leads to; the current one for a plain save."""
    steps = list(GuideStep)
    if request.form.get("next"):
        return steps[steps.index(current) + 1]
    asked = request.form.get("to", "")
    return GuideStep(asked) if asked in set(GuideStep) else current


def step_address(
    takeover_id: str, step: GuideStep, *, page: int | None = None, anchor: str | None = None
) -> str:
    """Return the address of a step, of one page of its rows, or of one row of it."""
    if step in _PAGES:
        return url_for(_PAGES[step], takeover_id=takeover_id, _anchor=anchor)
    number = page if page and page > 1 else None
    return url_for(
        "dashboard.takeover_rows",
        takeover_id=takeover_id,
        step=step.value,
        page=number,
        _anchor=anchor,
    )


_PAGES: Final = {
    GuideStep.FILES: "dashboard.takeover_files",
    GuideStep.CHECK: "dashboard.takeover_check",
}


class RowAddresses:
    """Where each row of a guide stands: the page of a step, and its place on the page."""

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._numbers = {row.at: number for number, row in enumerate(guide.prepared.rows)}
        self._orders: dict[GuideStep, dict[str, int]] = {}

    def anchor(self, row: PreparedRow) -> str:
        """Return the id of a row on its page."""
        return f"row-{self._numbers[row.at]}"

    def address(self, row: PreparedRow, step: GuideStep) -> str:
        """Return the address of a row in a step."""
        if step not in self._orders:
            ordered = _in_order(self._guide, step)
            self._orders[step] = {listed.at: place for place, listed in enumerate(ordered)}
        place = self._orders[step].get(row.at, 0)
        return step_address(
            self._guide.id, step, page=place // _ROWS_A_PAGE + 1, anchor=self.anchor(row)
        )


def read_guide(takeover_id: str) -> Guide:
    return guides.read_guide(reading(), clock(), files(), takeover_id)


def row_places() -> dict[str, str]:
    """Return the place of each row that was sent, by its number in the form."""
    return {found[1]: at for name, at in request.form.items() if (found := _AT.fullmatch(name))}


def _render_step(
    guide: Guide,
    step: GuideStep,
    form: FlaskForm,
    typed: Sequence[TypedRow] = (),
    wrong: Mapping[tuple[str, str], str] | None = None,
) -> Response:
    paging, rows = asked_paging(_ROWS_A_PAGE), _in_order(guide, step)
    addresses = RowAddresses(guide)
    field_rows = guide.prepared.rows
    asked = {name for row in field_rows for question in row.questions for name in question.fields}
    used = {name for name in FIELDS if any(row.values[name] for row in field_rows)}
    wanted = ALWAYS | asked | used
    fields = [name for name, field in FIELDS.items() if field.step is step and name in wanted]
    return step_page(
        "dashboard/takeover/rows.html",
        guide,
        step,
        form=form,
        fields=[FIELDS[name] for name in fields],
        words=FIELD_WORDS,
        states=STATE_WORDS,
        kinds=RowFieldKind,
        rows=_shown_rows(rows, step, paging, addresses=addresses, typed=typed, wrong=wrong or {}),
        groups=group_questions(guide, addresses, step),
        wrong=len(wrong or {}),
        paging=paging,
        total=len(rows),
    )


def _shown_rows(
    rows: Sequence[PreparedRow],
    step: GuideStep,
    paging: Paging,
    *,
    addresses: RowAddresses,
    typed: Sequence[TypedRow],
    wrong: Mapping[tuple[str, str], str],
) -> list[ShownRow]:
    """Return the rows of the page asked for; of a grid that was sent, the rows that it had."""
    known = {row.at: row for row in typed}
    part = rows[paging.offset : paging.offset + paging.limit]
    if known:
        part = [row for row in rows if row.at in known]
    return [_make_row(row, step, addresses.anchor(row), known.get(row.at), wrong) for row in part]


def _in_order(guide: Guide, step: GuideStep) -> list[PreparedRow]:
    """Return the rows of a step: those that wait, those with a question, the others, those here."""
    rows = [
        row for row in guide.prepared.rows if step is GuideStep.ROOMS or row.state in _WITH_PEOPLE
    ]
    if step is GuideStep.MONEY:
        rows = [row for row in rows if row.state is State.LET]
    return sorted(
        rows,
        key=lambda row: (
            row.is_here,
            min((_rank_question(question, step) for question in row.questions), default=2),
        ),
    )


_WITH_PEOPLE: Final = frozenset({State.LET, State.OWNER})


def _rank_question(question: RowQuestion, step: GuideStep) -> int:
    if not question.is_open or question.step is not step:
        return 2
    return 0 if question.is_waiting else 1


def _make_row(
    row: PreparedRow,
    step: GuideStep,
    anchor: str,
    typed: TypedRow | None,
    wrong: Mapping[tuple[str, str], str],
) -> ShownRow:
    language, values = chosen_language(), dict(row.values)
    if language == "ja":
        values["unpaid"] = debts_in_japanese(values["unpaid"])
    values |= dict(typed.cells) if typed else {}
    asked = [
        ShownQuestion(
            question,
            question.question.in_language(language),
            LEFT_WORDS.get(question.question.code) if question.can_be_left else None,
        )
        for question in row.questions
        if question.step is step and (question.is_open or question.answer)
    ]
    errors = {name: WRONG_WORDS[code] for (at, name), code in wrong.items() if at == row.at}
    return ShownRow(row, anchor, place_words(row.at), values, errors, asked)


def group_questions(
    guide: Guide, addresses: RowAddresses, step: GuideStep | None = None
) -> list[QuestionGroup]:
    """Return the open questions of a step or of all, each once, the blocking ones first."""
    language = chosen_language()
    rows: dict[tuple[str, bool], list[AskedRow]] = {}
    for row in guide.prepared.rows:
        for asked in row.questions:
            if asked.is_open and step in (None, asked.step):
                text = asked.question.in_language(language)
                address = addresses.address(row, asked.step)
                of_kind = rows.setdefault((asked.question.code, asked.is_waiting), [])
                of_kind.append(AskedRow(row, place_words(row.at), text, address))
    found = [QuestionGroup(code, must, of_kind) for (code, must), of_kind in rows.items()]
    return sorted(found, key=lambda group: (not group.is_waiting, -len(group.rows)))


def step_links(guide: Guide, step: GuideStep) -> list[StepLink]:
    """Return every step with its address, its progress, and its number of waiting rows."""
    waiting = Counter(
        question.step
        for row in guide.prepared.rows
        for question in row.questions
        if question.is_waiting
    )
    waiting[GuideStep.FILES] = len(guide.prepared.waiting_for_files)
    order = list(GuideStep)
    found = []
    for listed in order:
        is_passed = order.index(listed) < order.index(step) and not waiting[listed]
        state = "current" if listed is step else "done" if is_passed else "later"
        address = step_address(guide.id, listed)
        found.append(StepLink(listed, STEP_WORDS[listed], address, state, waiting[listed]))
    return found


def step_page(template: str, guide: Guide, step: GuideStep, **context: Any) -> Response:
    """Return a page of the guide, with what stands above every step."""
    earlier = earlier_take_overs(reading(), guide.row)
    return page(
        template,
        guide=guide,
        step=step,
        steps=step_links(guide, step),
        earlier=earlier,
        known_rows=sum(row.is_here for row in guide.prepared.rows),
        left_out=[
            (
                place_words(left.at) if left.at else "",
                FIELD_WORDS.get(left.field, left.field),
                left.stored,
            )
            for left in guide.left_out
        ],
        **context,
    )
