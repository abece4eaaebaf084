"""Tables of viewings; the JSON API calls them showings."""

from datetime import datetime

from sqlalchemy import Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import ViewingStatus


class Viewing(OfWorkspace, Base):
    """A visitor is shown a unit at an instant."""

    __tablename__ = "viewing"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        Index("ix_viewing_starts_at", "workspace_id", "starts_at", "id"),
        Index("ix_viewing_unit_id", "workspace_id", "unit_id"),
    )

    unit_id: Mapped[str] = mapped_column(Id)
    status: Mapped[ViewingStatus] = mapped_column(Word(ViewingStatus))
    starts_at: Mapped[datetime] = mapped_column(Instant)
    duration_minutes: Mapped[int] = mapped_column(default=30)
    visitor_name: Mapped[str]
    visitor_email: Mapped[str | None]
    visitor_phone: Mapped[str | None]
    visitor_locale: Mapped[str] = mapped_column(default="ja")
    note: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
