"""The board of tasks, and the list of one person's day."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import lazy_gettext

from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from pms.surfaces.dashboard.actor_names import learn_names
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.forms import QueryForm, asked_page, asked_paging, mark_unaccepted
from pms.surfaces.hypermedia import Undo, go, is_part, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.upkeep import boards, task_days
from pms.upkeep.boards import CARDS_A_COLUMN, NOBODY, TaskCard, TaskFilter
from pms.upkeep.moves import MovedTask
from pms.upkeep.task_visibility import Assignee, TaskVisibility, assignees


class WorkForm(QueryForm):
    """The filters of the tasks; an empty one shows all."""

    day = DayField(lazy_gettext("Day"), [Optional()])
    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])
    personId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])
    kind = ChoiceField(lazy_gettext("Kind"), [Optional()])

    def offer(self, buildings: Iterable[tuple[str, str]], people: Iterable[Assignee]) -> None:
        """Fill the lists of the filters."""
        staff = [(person.person_id, person.name) for person in people]
        self.buildingId.choices = [("", lazy_gettext("All buildings")), *buildings]
        self.personId.choices = [
            ("", lazy_gettext("Everyone")),
            (NOBODY, lazy_gettext("Unassigned")),
            *staff,
        ]
        self.kind.choices = [("", lazy_gettext("All kinds")), *choices(TaskKind)]

    def task_filter(self, day: date | None = None) -> TaskFilter:
        """Return the filter of tasks; `day` applies if the form names no day.

        Invalid values are ignored: a page reports them, and a tap on a card is not refused for
        them.
        """
        kind, person_id = self.kind.data, self.personId.data
        return TaskFilter(
            on=self.day.data or day,
            building_id=_id_or_none(self.buildingId.data),
            person_id=NOBODY if person_id == NOBODY else _id_or_none(person_id),
            kind=TaskKind(kind) if kind in list(TaskKind) else None,
        )

    def in_force(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the label of each filter that is set."""
        for field in self:
            if field.data:
                yield field.name, f"{field.label.text}: {_choice_text(field)}"


def _id_or_none(text: str | None) -> str | None:
    return text if text and is_id(text) else None


def _choice_text(field: Any) -> str:
    if isinstance(field.data, date):
        return format_day(field.data, chosen_language())
    return next((str(text) for value, text, *_ in field.iter_choices() if value == field.data), "")


BOARD: Final = "board"
LIST: Final = "list"
COLUMN: Final = "column"
TABLE: Final = "table"
_VIEWS: Final = (BOARD, LIST, COLUMN)
_STATES: Final = {state.value: state for state in TaskState}
_ANY: Final = "~any-task~"
Arguments = tuple[tuple[str, str], ...]
_FILTERS: Final = ("day", "buildingId", "personId", "kind")


class WorkView(NamedTuple):
    """One view of the work, as the query names it."""

    view: str
    state: TaskState
    filters: Mapping[str, str]

    @property
    def day(self) -> date | None:
        """The day that applies without a filter: a list always shows one day."""
        return today() if self.view == LIST else None

    @property
    def arguments(self) -> dict[str, str]:
        """The query arguments that lead back to this view."""
        shown = {"state": self.state.value} if self.view not in (LIST, TABLE) else {}
        return {"view": self.view, **shown, **self.filters}

    def at(self, **changed: str | int | None) -> str:
        """Return the address of the same work in a changed view."""
        values: dict[str, Any] = {**self.arguments, **changed}
        endpoint = "dashboard.task_list" if values.get("view") == TABLE else "dashboard.work"
        return url_for(endpoint, **{name: text for name, text in values.items() if text})

    def move(self, task_id: str) -> str:
        """Return the address that moves a task and leads back to this view."""
        return _build_task_address("dashboard.move_task", task_id, tuple(self.arguments.items()))

    def task(self, task_id: str) -> str:
        """Return the address of a task's own page."""
        return _build_task_address("dashboard.task", task_id, ())


def _build_task_address(endpoint: str, task_id: str, arguments: Arguments) -> str:
    # A board needs two addresses per card that differ only in the task, so their parts are cached.
    before, after = _build_address_parts(
        request.script_root, current_member().slug, endpoint, arguments
    )
    return f"{before}{task_id}{after}"


@lru_cache(maxsize=256)
def _build_address_parts(
    _root: str, _slug: str, endpoint: str, arguments: Arguments
) -> tuple[str, str]:
    """Return the parts of an address of this workspace before and after the task's id."""
    values: dict[str, Any] = dict(arguments)
    before, found, after = url_for(endpoint, task_id=_ANY, **values).partition(_ANY)
    assert found, "the address of a task names the task"
    return before, after


def asked_place() -> WorkView:
    """Return the view of the query; by default the board for the office, the list for others."""
    asked = request.args
    given = asked.get("view", "")
    first = BOARD if current_member().is_office else LIST
    state = asked.get("state", "")
    return WorkView(
        view=given if given in _VIEWS else first,
        state=_STATES.get(state, TaskState.TODO),
        filters={name: asked[name] for name in _FILTERS if asked.get(name)},
    )


def asked_filters() -> WorkForm:
    """Return the filters of the query; their choices are not filled yet."""
    return WorkForm(request.args)


def visibility() -> TaskVisibility:
    """Return the tasks this person may see."""
    return TaskVisibility.of_staff(current_member().role, current_member().person_id)


_TEMPLATES: Final = {
    BOARD: "dashboard/work/board.html",
    COLUMN: "dashboard/work/column_page.html",
    LIST: "dashboard/work/list.html",
}


@dashboard.get("/work", roles=EVERYBODY)
def work() -> Response:
    """Show the work in the chosen view; an invalid filter is reported."""
    place, form = asked_place(), asked_filters()
    form.offer(
        building_choices(),
        assignees(reading()) if current_member().is_office else (),
    )
    is_sound = form.validate()
    shown = _SHOWN[place.view](place, form.task_filter(place.day)) if is_sound else {}
    response = page_or_block(
        _TEMPLATES[place.view],
        "work",
        form=form,
        place=place,
        is_sound=is_sound,
        today=today(),
        states=list(TaskState),
        hold_reasons=list(HoldReason),
        **shown,
    )
    return response if is_sound else mark_unaccepted(response)


def _read_board(_place: WorkView, asked: TaskFilter) -> Mapping[str, Any]:
    columns = boards.task_board(reading(), visibility(), asked, today())
    return {"columns": columns, "total": sum(column.total for column in columns)}


def _read_column(place: WorkView, asked: TaskFilter) -> Mapping[str, Any]:
    column = boards.task_column(
        reading(), visibility(), asked, today(), state=place.state, page=asked_page()
    )
    return {"column": column, "paging": asked_paging(CARDS_A_COLUMN)}


def _read_day_list(_place: WorkView, asked: TaskFilter) -> Mapping[str, Any]:
    paging = asked_paging(2 * CARDS_A_COLUMN)
    work = task_days.days_tasks(reading(), visibility(), asked, today(), paging)
    open_ones = [card for card in work.cards if card.state is not TaskState.DONE]
    return {
        "day": asked.on,
        "counts": boards.task_counts(reading(), visibility(), asked, today()),
        "work": work,
        "paging": paging,
        "taken": [card for card in open_ones if card.assignee_id],
        "untaken": [card for card in open_ones if not card.assignee_id],
        "done": [card for card in work.cards if card.state is TaskState.DONE],
    }


_SHOWN: Final = {BOARD: _read_board, COLUMN: _read_column, LIST: _read_day_list}


_TEMPLATE = "dashboard/work/moved.html"


class BoardState(NamedTuple):
    """What the board shows after a tap: one card, and the number of tasks in each column."""

    place: WorkView
    card: TaskCard
    counts: Mapping[TaskState, int]


def is_from_the_board() -> bool:
    """Whether a card of the board or of a list was tapped."""
    return "view" in request.args


def as_it_stands(session: Any, task_id: str, place: WorkView) -> BoardState:
    """Read the card of a task and the counts; a tap reads them in the session that moved it.

    Another session would repeat the queries, and might already see a later tap.
    """
    visible = visibility()
    card = boards.task_card(session, task_id, visible)
    if card.assignee_id:
        learn_names(session)
    counts = (
        boards.task_counts(session, visible, _asked_filter(place), today()) if is_part() else {}
    )
    return BoardState(place, card, counts)


def answer_move(task: MovedTask, standing: BoardState) -> Response:
    """Answer with the card and the counts of the columns, or go back to the card."""
    place, card = standing.place, standing.card
    message = _(
        "%(task)s: %(state)s", task=card.title or label_of(card.kind), state=label_of(card.state)
    )
    if task.is_changed:
        fields = {"state": task.was.value, "moves": str(task.moves)}
        if task.was_reason:
            fields["holdReason"] = task.was_reason.value
        undo = Undo(place.move(task.id), fields)
    else:
        undo = None
    if not is_part():
        return go(_back_to(place, task.id), message=message, undo=undo)
    return _render_answer(standing, message=message, undo=undo)


def answer_not_moved(task_id: str, problem: str) -> Response:
    """Answer with the card as it is now, and why the tap did nothing (422)."""
    standing = as_it_stands(reading(), task_id, asked_place())
    if not is_part():
        return go(_back_to(standing.place, task_id), message=problem)
    return mark_unaccepted(_render_answer(standing, problem=problem))


def _render_answer(
    standing: BoardState,
    *,
    message: str | None = None,
    undo: Undo | None = None,
    problem: str | None = None,
) -> Response:
    return page_or_block(
        _TEMPLATE,
        "moved",
        card=standing.card,
        place=standing.place,
        counts=standing.counts,
        today=today(),
        message=message,
        undo=undo,
        problem=problem,
    )


def _asked_filter(place: WorkView) -> TaskFilter:
    if not place.filters:
        return TaskFilter(on=place.day)
    form = asked_filters()
    form.offer((), ())
    return form.task_filter(place.day)


def _back_to(place: WorkView, task_id: str) -> str:
    return f"{place.at()}#task-{task_id}"
