"""Tables of tasks, visits, projects, tickets and their photos."""

from datetime import date, datetime
from typing import Any, TypedDict

from sqlalchemy import CheckConstraint, Date, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.access.models import Person
from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Json, Word
from pms.foundation.files import HAS_FILES
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import (
    FeeCategory,
    HoldReason,
    ProjectState,
    RequestState,
    TaskKind,
    TaskState,
)


class Task(OfWorkspace, Base):
    """One piece of work in a building or a unit.

    `opens_on` is the day from which the place is free for it (the previous check-out), `due_on` the
    day by which it has to be done (the next arrival). `leaving_id` names the reservation whose
    departure created a turnover; such a task has no title of its own. `moves` counts its changes of
    state, so that a change based on an earlier state is refused. `released_at` is set when its
    departure was called off but the work had begun. A task with `cancelled_at` is in the done state
    as well, so that counts of open work leave it out.
    """

    __tablename__ = "task"
    building_path = through("building_id")
    noun = "task"
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
    building_path = through("task_id")
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
    """A change of a task's state."""

    __tablename__ = "task_move"
    building_path = through("task_id")
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
    """A note on a task by somebody who works on it."""

    __tablename__ = "task_note"
    building_path = through("task_id")
    __table_args__ = (
        link("task_id", "task", ondelete="CASCADE"),
        Index("ix_task_note_task_id", "workspace_id", "task_id", "at"),
    )

    task_id: Mapped[str] = mapped_column(Id)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]


class FailedPoint(TypedDict):
    """A point of a checklist that an inspection opened again."""

    id: str
    ja: str | None
    en: str | None


class Inspection(OfWorkspace, Base):
    """An inspection of a finished cleaning, which passed it or sent it back.

    `failed_points` are the points of the checklist that were opened again, with their texts:
    `{"id": …, "ja": …, "en": …}`.
    """

    __tablename__ = "inspection"
    building_path = through("task_id")
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


class MaintenanceProject(OfWorkspace, Base):
    """A maintenance project, to which reports belong; people call it by its number, `PRJ-0042`."""

    __tablename__ = "maintenance_project"
    building_path = through("building_id")
    noun = "project"
    __table_args__ = (
        link("building_id", "building"),
        link("unit_id", "unit"),
        UniqueConstraint("workspace_id", "number"),
        Index("ix_maintenance_project_state", "workspace_id", "state", "number"),
        Index("ix_maintenance_project_building_id", "workspace_id", "building_id"),
        Index("ix_maintenance_project_unit_id", "workspace_id", "unit_id"),
    )

    number: Mapped[int]
    title: Mapped[str]
    description: Mapped[str | None] = mapped_column(Text)
    state: Mapped[ProjectState] = mapped_column(Word(ProjectState), default=ProjectState.OPEN)
    building_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id)
    opened_at: Mapped[datetime] = mapped_column(Instant)
    opened_by: Mapped[str]
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class MaintenanceRequest(OfWorkspace, Base):
    """One report of one problem; `reservation_id` is the resident who sent it, if one did."""

    __tablename__ = "maintenance_request"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building"),
        link("unit_id", "unit"),
        link("reservation_id", "reservation"),
        link("project_id", "maintenance_project"),
        Index("ix_maintenance_request_state", "workspace_id", "state", "reported_at", "id"),
        Index("ix_maintenance_request_building_id", "workspace_id", "building_id"),
        Index("ix_maintenance_request_unit_id", "workspace_id", "unit_id"),
        Index("ix_maintenance_request_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_maintenance_request_project_id", "workspace_id", "project_id"),
    )

    building_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str | None] = mapped_column(Id)
    reservation_id: Mapped[str | None] = mapped_column(Id)
    what: Mapped[str] = mapped_column(Text)
    may_enter: Mapped[bool | None]
    state: Mapped[RequestState] = mapped_column(Word(RequestState), default=RequestState.REPORTED)
    project_id: Mapped[str | None] = mapped_column(Id)
    reported_at: Mapped[datetime] = mapped_column(Instant)
    reported_by: Mapped[str]
    closed_at: Mapped[datetime | None] = mapped_column(Instant)
    closed_by: Mapped[str | None]
    closed_because: Mapped[str | None] = mapped_column(Text)
    version: Mapped[int] = mapped_column(default=1)


class HoursLog(OfWorkspace, Base):
    """Time a person worked on a project, and the hourly price if it is charged."""

    __tablename__ = "hours_log"
    building_path = through("project_id")
    __table_args__ = (
        link("project_id", "maintenance_project"),
        link("task_id", "task"),
        CheckConstraint("minutes > 0", name="some_minutes"),
        CheckConstraint("hourly_yen >= 0", name="hourly_not_negative"),
        Index("ix_hours_log_project_id", "workspace_id", "project_id", "worked_on"),
        Index("ix_hours_log_task_id", "workspace_id", "task_id"),
    )

    project_id: Mapped[str] = mapped_column(Id)
    task_id: Mapped[str | None] = mapped_column(Id)
    worked_on: Mapped[date] = mapped_column(Date)
    minutes: Mapped[int]
    hourly_yen: Mapped[int | None]
    note: Mapped[str | None] = mapped_column(Text)
    logged_at: Mapped[datetime] = mapped_column(Instant)
    logged_by: Mapped[str]
    removed_at: Mapped[datetime | None] = mapped_column(Instant)
    removed_by: Mapped[str | None]


class Purchase(OfWorkspace, Base):
    """A purchase for a project, in whole yen as paid; its receipt is a photo of it."""

    __tablename__ = "purchase"
    building_path = through("project_id")
    __table_args__ = (
        link("project_id", "maintenance_project"),
        link("task_id", "task"),
        CheckConstraint("amount_yen > 0", name="some_amount"),
        Index("ix_purchase_project_id", "workspace_id", "project_id", "bought_on"),
        Index("ix_purchase_task_id", "workspace_id", "task_id"),
    )

    project_id: Mapped[str] = mapped_column(Id)
    task_id: Mapped[str | None] = mapped_column(Id)
    bought_on: Mapped[date] = mapped_column(Date)
    shop: Mapped[str | None]
    what: Mapped[str]
    amount_yen: Mapped[int]
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory), default=FeeCategory.REPAIR)
    logged_at: Mapped[datetime] = mapped_column(Instant)
    logged_by: Mapped[str]
    removed_at: Mapped[datetime | None] = mapped_column(Instant)
    removed_by: Mapped[str | None]


class Visit(OfWorkspace, Base):
    """One trip by one person to one building on one day, with its tasks."""

    __tablename__ = "visit"
    building_path = through("building_id")
    noun = "visit"
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "on_day", "person_id", "building_id"),
        Index("ix_visit_building_id", "workspace_id", "building_id"),
    )

    person_id: Mapped[str] = mapped_column(Id, ForeignKey(Person.id), index=True)
    building_id: Mapped[str] = mapped_column(Id)
    on_day: Mapped[date] = mapped_column(Date)
    note: Mapped[str | None] = mapped_column(Text)
    planned_at: Mapped[datetime] = mapped_column(Instant)
    planned_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class ChecklistTemplate(OfWorkspace, Base):
    """The points of new tasks of a kind; a building may have its own.

    `points` are texts in both languages: `{"ja": …, "en": …}`.
    """

    __tablename__ = "checklist_template"
    building_path = through("building_id", or_shared=True)
    __table_args__ = (
        link("building_id", "building", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "kind", "building_id"),
        Index("ix_checklist_template_building_id", "workspace_id", "building_id"),
    )

    kind: Mapped[TaskKind] = mapped_column(Word(TaskKind))
    building_id: Mapped[str | None] = mapped_column(Id)
    points: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class ShareLink(OfWorkspace, Base):
    """A link that lets its holder work on one project.

    The link contains 128 random bits that identify this row and are stored here as a hash; the row
    decides whether it is valid. It is valid through `expires_on`, a day in Japan, or without end.
    """

    __tablename__ = "share_link"
    building_path = through("project_id")
    noun = "share link"
    __table_args__ = (
        link("project_id", "maintenance_project"),
        CheckConstraint("hourly_yen >= 0", name="hourly_not_negative"),
        Index("ix_share_link_project_id", "workspace_id", "project_id"),
    )

    project_id: Mapped[str] = mapped_column(Id)
    contractor_name: Mapped[str]
    contractor_phone: Mapped[str | None]
    locale: Mapped[str] = mapped_column(default="ja")
    hourly_yen: Mapped[int | None]
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    expires_on: Mapped[date | None] = mapped_column(Date)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str]
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_by: Mapped[str | None]
    last_opened_at: Mapped[datetime | None] = mapped_column(Instant)


class UpkeepPhoto(OfWorkspace, Base):
    """A picture of a report, a task or a purchase; `files` names the stored file of each width."""

    __tablename__ = "upkeep_photo"
    building_path = through("purchase_id", "request_id", "task_id")
    __table_args__ = (
        link("request_id", "maintenance_request", ondelete="CASCADE"),
        link("task_id", "task", ondelete="CASCADE"),
        link("purchase_id", "purchase", ondelete="CASCADE"),
        CheckConstraint(
            "(request_id IS NOT NULL AND task_id IS NULL AND purchase_id IS NULL)"
            " OR (request_id IS NULL AND task_id IS NOT NULL AND purchase_id IS NULL)"
            " OR (request_id IS NULL AND task_id IS NULL AND purchase_id IS NOT NULL)",
            name="one_subject",
        ),
        Index("ix_upkeep_photo_request_id", "workspace_id", "request_id"),
        Index("ix_upkeep_photo_task_id", "workspace_id", "task_id"),
        Index("ix_upkeep_photo_purchase_id", "workspace_id", "purchase_id"),
    )

    request_id: Mapped[str | None] = mapped_column(Id)
    task_id: Mapped[str | None] = mapped_column(Id)
    purchase_id: Mapped[str | None] = mapped_column(Id)
    width: Mapped[int]
    height: Mapped[int]
    files: Mapped[dict[str, str]] = mapped_column(Json, info=HAS_FILES)
    taken_at: Mapped[datetime] = mapped_column(Instant)
    taken_by: Mapped[str]
