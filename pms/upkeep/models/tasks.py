"""Tables of tasks: what is to be done where and by when, and everything that was done about it."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.access.models import Person
from pms.foundation.db import Base, Id, Instant, Json, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import HoldReason, TaskKind, TaskState


class Task(OfWorkspace, Base):
    """One piece of work in a building or a unit.

    `opens_on` is the day the place is free for it (the previous check-out), `due_on` the day it
    has to be done by (the next arrival). `leaving_id` names the reservation whose departure made
    a turnover; such a task has no title of its own. `moves` counts its changes of state, so that
    a tap which saw an earlier one is told. `released_at` is set when the departure it was made
    for no longer comes but somebody had begun. A task with `cancelled_at` is done as well, so that
    whatever counts open work finds none.
    """

    __tablename__ = "task"
    __table_args__ = (
        link("building_id", "building"),
        link("unit_id", "unit"),
        link("project_id", "maintenance_project"),
        link("visit_id", "visit"),
        link("leaving_id", "reservation"),
        UniqueConstraint("workspace_id", "leaving_id"),
        Index("ix_task_state", "workspace_id", "state", "due_on", "id"),
        Index("ix_task_assignee_id", "workspace_id", "assignee_id", "state"),
        Index("ix_task_building_id", "workspace_id", "building_id", "state"),
        Index("ix_task_unit_id", "workspace_id", "unit_id"),
        Index("ix_task_project_id", "workspace_id", "project_id"),
        Index("ix_task_visit_id", "workspace_id", "visit_id", "visit_position"),
    )

    kind: Mapped[TaskKind] = mapped_column(Word(TaskKind))
    state: Mapped[TaskState] = mapped_column(Word(TaskState), default=TaskState.TODO)
    hold_reason: Mapped[HoldReason | None] = mapped_column(Word(HoldReason))
    moves: Mapped[int] = mapped_column(default=0)
    state_since: Mapped[datetime] = mapped_column(Instant)
    state_by: Mapped[str]

    building_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id)
    project_id: Mapped[str | None] = mapped_column(Id)
    leaving_id: Mapped[str | None] = mapped_column(Id)
    title: Mapped[str | None]
    note: Mapped[str | None] = mapped_column(Text)
    opens_on: Mapped[date | None] = mapped_column(Date)
    due_on: Mapped[date | None] = mapped_column(Date)
    released_at: Mapped[datetime | None] = mapped_column(Instant)
    cancelled_at: Mapped[datetime | None] = mapped_column(Instant)

    assignee_id: Mapped[str | None] = mapped_column(Id, ForeignKey(Person.id))
    visit_id: Mapped[str | None] = mapped_column(Id)
    visit_position: Mapped[int | None]

    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class TaskItem(OfWorkspace, Base):
    """One point of a task's checklist, in the languages it was written in."""

    __tablename__ = "task_item"
    __table_args__ = (
        link("task_id", "task", ondelete="CASCADE"),
        Index("ix_task_item_task_id", "workspace_id", "task_id", "position"),
    )

    task_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    text_ja: Mapped[str | None]
    text_en: Mapped[str | None]
    ticked_at: Mapped[datetime | None] = mapped_column(Instant)
    ticked_by: Mapped[str | None]


class TaskMove(OfWorkspace, Base):
    """A task went from one state into another."""

    __tablename__ = "task_move"
    __table_args__ = (
        link("task_id", "task", ondelete="CASCADE"),
        Index("ix_task_move_task_id", "workspace_id", "task_id", "at"),
    )

    task_id: Mapped[str] = mapped_column(Id)
    from_state: Mapped[TaskState] = mapped_column(Word(TaskState))
    to_state: Mapped[TaskState] = mapped_column(Word(TaskState))
    hold_reason: Mapped[HoldReason | None] = mapped_column(Word(HoldReason))
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


class TaskNote(OfWorkspace, Base):
    """Something written down about a task by whoever works on it."""

    __tablename__ = "task_note"
    __table_args__ = (
        link("task_id", "task", ondelete="CASCADE"),
        Index("ix_task_note_task_id", "workspace_id", "task_id", "at"),
    )

    task_id: Mapped[str] = mapped_column(Id)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


class Inspection(OfWorkspace, Base):
    """Somebody looked at a finished cleaning and passed it, or gave it back.

    `failed_points` are the points of the checklist that were opened again, as they were worded:
    `{"id": …, "ja": …, "en": …}`.
    """

    __tablename__ = "inspection"
    __table_args__ = (
        link("task_id", "task", ondelete="CASCADE"),
        Index("ix_inspection_task_id", "workspace_id", "task_id", "at"),
    )

    task_id: Mapped[str] = mapped_column(Id)
    has_passed: Mapped[bool]
    note: Mapped[str | None] = mapped_column(Text)
    failed_points: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]
