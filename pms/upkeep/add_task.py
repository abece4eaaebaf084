"""Adds a task by hand."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, LONGEST_TEXT, checked_text, needed_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.assignees import known_assignee
from pms.upkeep.checked_place import checked_place
from pms.upkeep.checklist_points import checklist_points
from pms.upkeep.models import Task, TaskItem
from pms.upkeep.upkeep_in_hand import open_project_in_hand

_SAYS_ITSELF: Final = frozenset({TaskKind.TURNOVER, TaskKind.CLEANING, TaskKind.INSPECTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTask:
    """What is to be done where, from which day, by which day, and by whom."""

    kind: TaskKind
    building_id: str
    unit_id: str | None = None
    project_id: str | None = None
    title: str | None = None
    note: str | None = None
    opens_on: date | None = None
    due_on: date | None = None
    assignee_id: str | None = None


def add_task(session: Session, clock: Clock, actor: str, *, wanted: WantedTask) -> str:
    """Store the task with the checklist of its kind and return its id.

    Raises `Refused` for a place, a project or a person of nobody here, for a window that ends
    before it opens, and for a repair or other work that nobody named.
    """
    building_id, unit_id = checked_place(session, wanted.building_id, wanted.unit_id)
    if wanted.project_id:
        refuse_strange_project(session, wanted.project_id, building_id)
    refuse_reversed_window(wanted.opens_on, wanted.due_on)
    row = Task(
        id=new_id(),
        kind=wanted.kind,
        state=TaskState.TODO,
        state_since=clock.now(),
        state_by=actor,
        building_id=building_id,
        unit_id=unit_id,
        project_id=wanted.project_id or None,
        title=checked_title(wanted.kind, wanted.title),
        note=checked_text("note", wanted.note, LONGEST_TEXT),
        opens_on=wanted.opens_on,
        due_on=wanted.due_on,
        assignee_id=known_assignee(session, wanted.assignee_id),
        created_at=clock.now(),
        created_by=actor,
    )
    session.add(row)
    note_change(session, clock, actor, Deed.TASK_ADDED, row)
    session.flush()
    _copy_checklist(session, row)
    return row.id


def checked_title(kind: TaskKind, title: str | None) -> str | None:
    """Return the title; only a kind that says itself what is to be done needs none."""
    if kind in _SAYS_ITSELF:
        return checked_text("title", title, LONGEST_LINE)
    return needed_text("title", title, LONGEST_LINE)


def refuse_reversed_window(opens_on: date | None, due_on: date | None) -> None:
    """Raise `Refused` when the place opens after the day the work has to be done by."""
    if opens_on is not None and due_on is not None and due_on < opens_on:
        raise Refused(
            "dueOn: {due_on} is before {opens_on}, when the place is free.",
            due_on=due_on,
            opens_on=opens_on,
        )


def _copy_checklist(session: Session, row: Task) -> None:
    points = checklist_points(session, row.kind, row.building_id)
    session.add_all(
        TaskItem(id=new_id(), task_id=row.id, position=place, text_ja=point.ja, text_en=point.en)
        for place, point in enumerate(points, start=1)
    )
    session.flush()


def refuse_strange_project(session: Session, project_id: str | None, building_id: str) -> None:
    """Raise `Refused` for a project of nobody here, of another building, or whose work is over."""
    if not project_id:
        return
    try:
        project = open_project_in_hand(session, project_id)
    except NotFound:
        raise Refused("projectId: there is no such project.") from None
    if project.building_id != building_id:
        raise Refused("projectId: this project is in another building.")
