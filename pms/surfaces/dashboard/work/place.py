"""Where a card stands: on the board, in a column or in a list, under which filters."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

from flask import url_for

from pms.rules.enumerations import TaskState
from pms.surfaces.dashboard.desk import desk, today
from pms.surfaces.dashboard.work.work_form import WorkForm
from pms.surfaces.here import asked_here
from pms.upkeep.reach import Reach

BOARD: Final = "board"
LIST: Final = "list"
COLUMN: Final = "column"
_VIEWS: Final = (BOARD, LIST, COLUMN)
_STATES: Final = {state.value: state for state in TaskState}
_ANY: Final = "~any-task~"
Arguments = tuple[tuple[str, str], ...]
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
    def arguments(self) -> dict[str, str]:
        """Return what an address carries to come back here."""
        shown = {"state": self.state.value} if self.view != LIST else {}
        return {"view": self.view, **shown, **self.filters}

    def at(self, **changed: str | int | None) -> str:
        """Return the address of the same work looked at in another way."""
        said: dict[str, Any] = {**self.arguments, **changed}
        return url_for("dashboard.work", **{name: text for name, text in said.items() if text})

    def move(self, task_id: str) -> str:
        """Return the address that moves a task and comes back here."""
        return _address("dashboard.move_task", task_id, tuple(self.arguments.items()))

    def task(self, task_id: str) -> str:
        """Return the address of a task's own page."""
        return _address("dashboard.task", task_id, ())


def _address(endpoint: str, task_id: str, arguments: Arguments) -> str:
    # A board asks for two addresses a card, all alike but for the task.
    before, after = _around(asked_here().script_root, desk().slug, endpoint, arguments)
    return f"{before}{task_id}{after}"


@lru_cache(maxsize=256)
def _around(_root: str, _slug: str, endpoint: str, arguments: Arguments) -> tuple[str, str]:
    """Return what stands before and after the task's id in an address of this workspace."""
    said: dict[str, Any] = dict(arguments)
    before, here, after = url_for(endpoint, task_id=_ANY, **said).partition(_ANY)
    assert here, "the address of a task names the task"
    return before, after


def asked_place() -> Place:
    """Return where the reader looks; the office begins at the board, others with their day."""
    asked = asked_here().args
    given = asked.get("view", "")
    first = BOARD if desk().is_office else LIST
    state = asked.get("state", "")
    return Place(
        view=given if given in _VIEWS else first,
        state=_STATES.get(state, TaskState.TODO),
        filters={name: asked[name] for name in _FILTERS if asked.get(name)},
    )


def asked_filters() -> WorkForm:
    """Return the filters of the address, not offered any choices yet."""
    return WorkForm(asked_here().args)


def reach() -> Reach:
    """Return which tasks this person meets."""
    return Reach.of_staff(desk().role, desk().person_id)
