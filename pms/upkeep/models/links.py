"""The table of share links: a project handed to an outside contractor."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant
from pms.foundation.tenancy import OfWorkspace, link


class ShareLink(OfWorkspace, Base):
    """A credential of a building: whoever holds the link works on one project.

    The link names this row and carries 128 bits of chance, kept here as a hash; the row decides.
    It works through the whole of `expires_on`, a day in Japan, or without end.
    """

    __tablename__ = "share_link"
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
