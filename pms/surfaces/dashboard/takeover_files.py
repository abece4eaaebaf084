"""The first step of importing tenancies: what the files are, and how each sheet is read."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import BY_CHOICE, key_of_question
from pms.arrivals.takeover.guides import Guide
from pms.arrivals.takeover.instructions import NO_DAYS, ColumnReading, FileDays, SheetReading
from pms.arrivals.takeover.previews import PreviewColumn, SheetPreview
from pms.arrivals.takeover.row_fields import GuideStep
from pms.arrivals.takeover.taken import Question
from pms.foundation.errors import Refused
from pms.foundation.provider_http import ProviderError
from pms.foundation.work import Work
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import IntegrationKind
from pms.sheets.grid import column_letters
from pms.site.assistant_settings import assistant_figures
from pms.site.sheet_proposals import propose_reading
from pms.surfaces.assistance import assistance
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.takeover_steps import (
    asked_step,
    read_guide,
    step_address,
    step_page,
)
from pms.surfaces.fields import DayField, FlagField, Optional, TextField
from pms.surfaces.forms import mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.takeover import (
    DAY_FORM_WORDS,
    DIRECTION_WORDS,
    MEANING_GROUPS,
    MEANING_WORDS,
    ROLE_WORDS,
    SIGN_WORDS,
    UNIT_WORDS,
    WHY_NOT_READ_WORDS,
)
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, files
from pms.workspaces.integrations import access_to

_NUMBER: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_BY_FIELD: Final = frozenset(
    {
        "as_of",
        "house_without_name",
        "no_deposits",
        "no_starts",
    }
)
"""Questions about the files that a field of the page answers."""
_READS: Final = {"": None, "yes": True, "no": False}
_DAYS: Final = frozenset({"as_of", "as_of_and_billed", "billed_through"})


class AboutForm(FlaskForm):
    """What applies to all files: the building of rows without one, and no deposits."""

    house = TextField(lazy_gettext("Building for rows without one"), [Optional()])
    start = DayField(lazy_gettext("Contract start of rows that name none"), [Optional()])
    noDeposits = FlagField(lazy_gettext("No deposits are held"))


def _form_for(guide: Guide, data: Mapping[str, Any] | None = None) -> AboutForm:
    """Return the form with the days of each file; without `data` it is filled with what was sent."""

    class FilesForm(AboutForm):
        pass

    for number in range(len(guide.sources)):
        as_of, through = _names_of_days(number)
        setattr(FilesForm, through, DayField(lazy_gettext("Billed through")))
        setattr(FilesForm, as_of, DayField(lazy_gettext("Payments as of"), [Optional()]))
    return FilesForm() if data is None else FilesForm(formdata=None, data=data)


def _names_of_days(number: int) -> tuple[str, str]:
    """Return the names of the two days of a file, from 0: asOf, billedThrough, asOf2, ..."""
    ending = str(number + 1) if number else ""
    return f"asOf{ending}", f"billedThrough{ending}"


class FileQuestion(NamedTuple):
    """A question about all files, a sheet or a column as it is shown."""

    key: str
    code: str
    text: str
    is_open: bool
    is_waiting: bool
    can_be_confirmed: bool
    sheet: str | None
    place: int | None


class SheetTab(NamedTuple):
    """A sheet in the list of all sheets."""

    number: int
    name: str
    role: str
    is_current: bool
    open_count: int


@dashboard.get("/takeover/<takeover_id>/files", roles=OFFICE, is_of_all_buildings=True)
def takeover_files(takeover_id: str) -> Response:
    """Show what the files are about, and one of their sheets as it is read."""
    return render_files(read_guide(takeover_id), FlaskForm())


@dashboard.post(
    "/takeover/<takeover_id>/files", roles=OFFICE, most_bytes=1_000_000, is_of_all_buildings=True
)
def answer_takeover_files(takeover_id: str) -> Response:
    """Save what applies to all files and how the shown sheet is read; stay, or go on."""
    guide = read_guide(takeover_id)
    form = _form_for(guide)
    asked = {
        key_of_question(question)
        for question, _is_open in guide.prepared.file_questions
        if _can_be_confirmed(question)
    }

    chosen: dict[str, SheetReading] = {}

    def prepare() -> None:
        preview = _shown_sheet(guide, request.form.get("sheet", ""))
        if preview is not None and "sheet" in request.form:
            asked_reading = _asked_reading(guide, preview)
            if asked_reading != guide.reading_of(preview.key):
                chosen[preview.key] = asked_reading
                guides.try_reading(reading(), clock(), files(), guide, chosen)

    def act(work: Work) -> None:
        confirmed = set(request.form.getlist("confirmed"))
        if not confirmed <= asked:
            raise Refused("A question about the files is no longer asked. Look at it again.")
        guides.answer_files(
            work.session,
            takeover_id,
            days=_new_days(guide, form),
            building=form.house.data or "",
            has_no_deposits=bool(form.noDeposits.data),
            start=form.start.data,
            confirmed=confirmed,
        )
        for key, asked_reading in chosen.items():
            guides.read_sheet_as(work.session, guide, key, asked_reading)

    return submitted(
        form,
        prepare=prepare,
        act=act,
        then=lambda _none: _go_to_asked_step(takeover_id),
        again=lambda: render_files(guide, form),
    )


@dashboard.post(
    "/takeover/<takeover_id>/files/proposal",
    roles=OFFICE,
    most_bytes=1_000_000,
    is_of_all_buildings=True,
)
def propose_takeover_reading(takeover_id: str) -> Response:
    """Show how the workspace's language model would read the shown sheet; nothing is saved."""
    guide = read_guide(takeover_id)
    form = _form_for(guide)
    preview = _shown_sheet(guide, request.form.get("sheet", ""))
    if not form.validate_on_submit() or preview is None:
        return mark_unaccepted(render_files(guide, form))
    try:
        # Ask the model; raises `Refused` unless the workspace allows it and an answer can be
        # used.
        if not assistant_figures(reading()).reads_sheets:
            raise Refused(
                "Asking the language model about sheets is off in the assistant's settings."
            )
        tools = assistance()
        try:
            access = access_to(reading(), tools.signer, IntegrationKind.ASSISTANT)
        except ProviderError:
            raise Refused("set up a language model under Integrations first.") from None
        proposed = propose_reading(access, preview, tools.limits)
        tried = guides.read_guide(
            reading(), clock(), files(), takeover_id, tried={preview.key: proposed}
        )
        if not tried.prepared.read.tenancies:
            raise Refused("No tenancy can be read as the language model proposes. Choose yourself.")
    except Refused as refusal:
        place_problem(form, refusal)
        return mark_unaccepted(render_files(guide, form))
    return render_files(tried, form, proposed=proposed)


def _new_days(guide: Guide, form: AboutForm) -> dict[str, FileDays]:
    """Return the days to store by file; one that a file states itself is left to the file."""
    found: dict[str, FileDays] = {}
    for number, name in enumerate(guide.sources):
        before, read = guide.prepared.of_files.days.get(name, NO_DAYS), _days_read(guide, name)
        as_of, through = (form[field].data for field in _names_of_days(number))
        is_asked = _is_day_asked(guide, name)
        found[name] = FileDays(
            _new_day(as_of, before.as_of, read.as_of, is_asked=is_asked),
            _new_day(through, before.billed_through, read.billed_through, is_asked=is_asked),
        )
    return found


def _new_day(
    entered: date | None, stored: date | None, read: date | None, *, is_asked: bool
) -> date | None:
    is_of_the_file = stored is None and entered == read and not is_asked
    return None if is_of_the_file else entered


def _days_read(guide: Guide, name: str) -> FileDays:
    """Return the days of a file as it is read now."""
    return guide.prepared.read.days.get(name, NO_DAYS)


def _is_day_asked(guide: Guide, name: str, *, is_open: bool | None = None) -> bool:
    """Whether a day of a file is asked; with `is_open` only whether that is still open."""
    return any(
        question.code in _DAYS and question.file == name and is_open in (None, open_)
        for question, open_ in guide.prepared.file_questions
    )


def _go_to_asked_step(takeover_id: str) -> Response:
    to = asked_step(GuideStep.FILES)
    if to is not GuideStep.FILES:
        return go(step_address(takeover_id, to))
    sheet = request.form.get("toSheet") or request.form.get("sheet")
    number = sheet if sheet and _NUMBER.fullmatch(sheet) else None
    address = url_for("dashboard.takeover_files", takeover_id=takeover_id, sheet=number)
    return go(address, message=_("Saved."))


def _shown_sheet(guide: Guide, number: str) -> SheetPreview | None:
    """Return the sheet of a number; else the first with a question, that is read, or at all."""
    previews = guide.previews
    if _NUMBER.fullmatch(number) and int(number) < len(previews):
        return previews[int(number)]
    asked = {question.sheet for question, is_open in guide.prepared.file_questions if is_open}
    found = [preview for preview in previews if preview.key in asked]
    found += [preview for preview in previews if preview.is_read] + list(previews)
    return found[0] if found else None


def _codes_of_columns(guide: Guide) -> dict[tuple[str | None, int | None], set[str]]:
    """Return the codes of the open questions about each column, by its sheet and place."""
    found: dict[tuple[str | None, int | None], set[str]] = {}
    for question, is_open in guide.prepared.file_questions:
        if is_open:
            found.setdefault((question.sheet, question.column_place), set()).add(question.code)
    return found


def _asked_reading(guide: Guide, preview: SheetPreview) -> SheetReading:
    """Return how the form asks for a sheet to be read; what it leaves as shown stays as it was.

    Raises `Refused` for a choice that the page does not offer.
    """
    given, before = request.form, guide.reading_of(preview.key)
    codes = _codes_of_columns(guide)
    header = given.get("headerRow") or given.get("header", "")
    facts: dict[str, Any] = {
        "isRead": _READS.get(given.get("isRead", "")),
        "headerRow": header or None,
        "blocks": [block for block in re.split(r"[\s,、，]+", given.get("blocks", "")) if block],
        "direction": given.get("direction") or None,
        "building": given.get("sheetBuilding", "").strip()[:120],
    }
    columns: dict[str, Any] = {}
    for column in preview.columns:
        own = before.columns.get(column.place, ColumnReading())
        # What was chosen for a column; a choice that is as shown is no new one.
        asked = codes.get((preview.key, column.place), ())
        shape: dict[str, Any] = dict(own.shape())
        for name, column_value in shown_choices(column, asked).items():
            column_given = request.form.get(f"{name}-{column.place}")
            if column_given is None or column_given == column_value:
                continue
            shape.pop(name, None)
            if column_given:
                shape[name] = column_given
        if shape:
            columns[str(column.place)] = shape
    try:
        if given.get("isRead", "") not in _READS:
            raise ValueError(given["isRead"])
        return SheetReading.from_shape(facts | {"columns": columns})
    except ValueError as wrong:
        value = str(wrong.args[0] if wrong.args else "")[:60]
        raise Refused(
            "'{value}' cannot be chosen here. Choose one of the words shown, or a range such as A3:H20.",
            value=value,
        ) from None


def shown_choices(column: PreviewColumn, asked: Collection[str]) -> dict[str, str]:
    """Return the values that the choices of a column show; what is asked about it shows none.

    `asked` are the codes of the open questions about the column.
    """
    has_meaning = column.meaning is not None and "rent_from_total" not in asked
    has_sign = column.sign is not None and "balance_direction" not in asked
    return {
        "meaning": column.meaning.value if column.meaning and has_meaning else "",
        "unit": str(column.unit),
        "sign": column.sign.value if column.sign and has_sign else "",
        "days": column.days.value if column.days else "",
    }


def render_files(
    guide: Guide, form: FlaskForm, *, proposed: SheetReading | None = None
) -> Response:
    """Show the first step; `form` is the one that was sent and not accepted.

    A `proposed` reading is that of the shown sheet, and the guide was read with it.
    """
    number = request.form.get("sheet") or request.args.get("sheet", "")
    preview = _shown_sheet(guide, number)
    questions = _file_questions(guide)
    shown = None if preview is None else guide.reading_of(preview.key)
    today, codes = clock().today(), _codes_of_columns(guide)
    about = form if isinstance(form, AboutForm) else _about_form(guide)
    return step_page(
        "dashboard/takeover/files.html",
        guide,
        GuideStep.FILES,
        form=form,
        about=about,
        days=[
            (name, *(about[field] for field in _names_of_days(number)))
            for number, name in enumerate(guide.sources)
        ],
        questions=[question for question in questions if question.place is None],
        of_columns=_by_column(questions),
        sheet=preview,
        number=None if preview is None else list(guide.previews).index(preview),
        reading=shown,
        columns=[]
        if preview is None
        else [
            (
                column,
                _as_sent(column, codes.get((preview.key, column.place), ()), proposed=proposed),
            )
            for column in preview.columns
        ],
        tabs=_sheet_tabs(guide, preview, questions),
        roles=ROLE_WORDS,
        why=WHY_NOT_READ_WORDS,
        meanings={meaning.value: text for meaning, text in MEANING_WORDS.items()},
        meaning_groups=MEANING_GROUPS,
        units=UNIT_WORDS,
        sign_choices=[(sign.value, text) for sign, text in SIGN_WORDS.items()],
        day_choices=[(way.value, text) for way, text in DAY_FORM_WORDS.items()],
        direction_choices=[(way.value, text) for way, text in DIRECTION_WORDS.items()],
        letters=[column_letters(place) for place in range(_shown_width(preview))],
        shown_width=_shown_width(preview),
        sent=request.form,
        proposed=proposed,
        of_totals=[
            question.in_language(chosen_language())
            for question, _is_open in guide.prepared.file_questions
            if question.code == "total_differs"
        ],
        can_propose=assistant_figures(reading()).reads_sheets,
        presets=[
            month_first(today) - timedelta(days=1),
            month_last(today),
        ],
    )


def _shown_width(preview: SheetPreview | None) -> int:
    return max((len(cells) for _, cells, _ in preview.rows), default=0) if preview else 0


def _by_column(
    questions: Sequence[FileQuestion],
) -> dict[tuple[str | None, int | None], list[FileQuestion]]:
    found: dict[tuple[str | None, int | None], list[FileQuestion]] = {}
    for question in questions:
        if question.place is not None:
            found.setdefault((question.sheet, question.place), []).append(question)
    return found


def _as_sent(
    column: PreviewColumn, asked: Collection[str], *, proposed: SheetReading | None
) -> Mapping[str, str]:
    shown = shown_choices(column, asked)
    if proposed is not None:
        return shown
    return {name: request.form.get(f"{name}-{column.place}", shown[name]) for name in shown}


def _sheet_tabs(
    guide: Guide, current: SheetPreview | None, questions: Sequence[FileQuestion]
) -> list[SheetTab]:
    return [
        SheetTab(
            number,
            " / ".join(filter(None, (preview.file if len(guide.files) > 1 else "", preview.name)))
            or preview.file,
            preview.role,
            preview is current,
            sum(question.sheet == preview.key and question.is_open for question in questions),
        )
        for number, preview in enumerate(guide.previews)
    ]


def _file_questions(guide: Guide) -> list[FileQuestion]:
    language = chosen_language()
    waiting = [id(question) for question in guide.prepared.waiting_for_files]
    return [
        FileQuestion(
            key_of_question(question),
            question.code,
            question.in_language(language),
            is_open,
            id(question) in waiting,
            _can_be_confirmed(question),
            question.sheet,
            question.column_place,
        )
        for question, is_open in guide.prepared.file_questions
    ]


def _can_be_confirmed(question: Question) -> bool:
    return question.code not in _BY_FIELD | BY_CHOICE


def _about_form(guide: Guide) -> AboutForm:
    """Return the answers so far; the last day billed is never filled in by a proposal."""
    answers = guide.prepared.of_files
    data: dict[str, Any] = {
        "house": answers.building,
        "start": answers.start,
        "noDeposits": answers.has_no_deposits,
    }
    for number, name in enumerate(guide.sources):
        given, read = answers.days.get(name, NO_DAYS), _days_read(guide, name)
        is_asked = _is_day_asked(guide, name, is_open=True)
        as_of, through = _names_of_days(number)
        data[as_of] = given.as_of or read.as_of
        data[through] = given.billed_through or (None if is_asked else read.billed_through)
    return _form_for(guide, data)
