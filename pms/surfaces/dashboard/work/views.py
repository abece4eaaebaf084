"""The work: a board of four columns, one column page by page, or the list of a day."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from collections.abc import Mapping
from typing import Any, Final

from flask import Response

from pms.catalogue.building_names import building_names
from pms.rules.enumerations import HoldReason, TaskState
from pms.surfaces.dashboard.desk import desk, reading, today
from pms.surfaces.dashboard.paging import asked_page, asked_paging
from pms.surfaces.dashboard.work.place import (
    BOARD,
    COLUMN,
    LIST,
    Place,
    asked_filters,
    asked_place,
    reach,
)
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.upkeep.assignees import assignees
from pms.upkeep.days_tasks import days_tasks
from pms.upkeep.task_board import CARDS_A_COLUMN, task_board, task_column
from pms.upkeep.task_counts import task_counts
from pms.upkeep.task_filter import TaskFilter

_TEMPLATES: Final = {
    BOARD: "dashboard/work/board.html",
    COLUMN: "dashboard/work/column_page.html",
    LIST: "dashboard/work/list.html",
}


@dashboard.get("/work", roles=EVERYBODY)
def work() -> Response:
    """Show the work in the way asked for; a filter that cannot be read is told, not left."""
    place, form = asked_place(), asked_filters()
    form.offer(building_names(reading()), assignees(reading()) if desk().is_office else ())
    is_sound = form.validate()
    shown = _SHOWN[place.view](place, form.asked(place.day)) if is_sound else {}
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
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def _board(_place: Place, asked: TaskFilter) -> Mapping[str, Any]:
    columns = task_board(reading(), reach(), asked, today())
    return {"columns": columns, "total": sum(column.total for column in columns)}


def _column(place: Place, asked: TaskFilter) -> Mapping[str, Any]:
    column = task_column(reading(), reach(), asked, today(), state=place.state, page=asked_page())
    return {"column": column, "paging": asked_paging(CARDS_A_COLUMN)}


def _list(_place: Place, asked: TaskFilter) -> Mapping[str, Any]:
    paging = asked_paging(2 * CARDS_A_COLUMN)
    work = days_tasks(reading(), reach(), asked, today(), paging)
    open_ones = [card for card in work.cards if card.state is not TaskState.DONE]
    return {
        "day": asked.on,
        "counts": task_counts(reading(), reach(), asked, today()),
        "work": work,
        "paging": paging,
        "taken": [card for card in open_ones if card.assignee_id],
        "untaken": [card for card in open_ones if not card.assignee_id],
        "done": [card for card in work.cards if card.state is TaskState.DONE],
    }


_SHOWN: Final = {BOARD: _board, COLUMN: _column, LIST: _list}
