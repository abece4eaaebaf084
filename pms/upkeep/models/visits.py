"""Tables of what is planned: visits, and the checklists that tasks begin with."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.access.models import Person
from pms.foundation.db import Base, Id, Instant, Json, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import TaskKind


class Visit(OfWorkspace, Base):
    """One trip by one person to one building on one day, bundling tasks."""

    __tablename__ = "visit"
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
    """What a new task of a kind asks for, point by point; a building may have its own.

    `points` are texts in both languages: `{"ja": …, "en": …}`.
    """

    __tablename__ = "checklist_template"
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
