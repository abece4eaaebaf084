"""Where a card stands: on the board, in a column or in a list, under which filters."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from flask import request, url_for

from pms.rules.enumerations import TaskState
from pms.surfaces.dashboard.desk import desk, today
from pms.surfaces.dashboard.work.work_form import WorkForm
from pms.upkeep.reach import Reach

BOARD: Final = "board"
LIST: Final = "list"
COLUMN: Final = "column"
_VIEWS: Final = (BOARD, LIST, COLUMN)
_FILTERS: Final = ("day", "buildingId", "personId", "kind")


class Place(NamedTuple):
    """One way to look at the work, as the address tells it."""

    view: str
    state: TaskState
    filters: Mapping[str, str]

    @property
    def day(self) -> date | None:
        """The day that is meant when no filter names one: a list is always one of a day."""
        return today() if self.view == LIST else None

    @property
    def arguments(self) -> dict[str, Any]:
        """Return what an address carries to come back here."""
        shown = {"state": self.state.value} if self.view != LIST else {}
        return {"view": self.view, **shown, **self.filters}

    def at(self, **changed: str | int | None) -> str:
        """Return the address of the same work looked at in another way."""
        said: dict[str, Any] = {**self.arguments, **changed}
        return url_for("dashboard.work", **{name: text for name, text in said.items() if text})

    def move(self, task_id: str) -> str:
        """Return the address that moves a task and comes back here."""
        return url_for("dashboard.move_task", task_id=task_id, **self.arguments)


def asked_place() -> Place:
    """Return where the reader looks; the office begins at the board, others with their day."""
    given = request.args.get("view", "")
    first = BOARD if desk().is_office else LIST
    state = request.args.get("state", "")
    filters = {name: text for name in _FILTERS if (text := request.args.get(name, ""))}
    return Place(
        view=given if given in _VIEWS else first,
        state=TaskState(state) if state in list(TaskState) else TaskState.TODO,
        filters=filters,
    )


def asked_filters() -> WorkForm:
    """Return the filters of the address, not offered any choices yet."""
    return WorkForm(request.args)


def reach() -> Reach:
    """Return which tasks this person meets."""
    return Reach.of_staff(desk().role, desk().person_id)
