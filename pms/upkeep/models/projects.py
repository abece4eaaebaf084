"""Tables of maintenance: reports, the projects they fold into, and what those cost."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import FeeCategory, ProjectState, RequestState


class MaintenanceProject(OfWorkspace, Base):
    """Work that reports fold into; people call it by its number, `PRJ-0042`."""

    __tablename__ = "maintenance_project"
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
    """Time somebody worked on a project, and the price of an hour where it costs anything."""

    __tablename__ = "hours_log"
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
    """Something bought for a project, in whole yen as paid; its receipt is a photo of it."""

    __tablename__ = "purchase"
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
