"""The table of pictures taken of reports, tasks and receipts."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json
from pms.foundation.tenancy import OfWorkspace, link


class UpkeepPhoto(OfWorkspace, Base):
    """A picture of one report, one task or one purchase; `files` names the file of each width."""

    __tablename__ = "upkeep_photo"
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
    files: Mapped[dict[str, str]] = mapped_column(Json)
    taken_at: Mapped[datetime] = mapped_column(Instant)
    taken_by: Mapped[str]
