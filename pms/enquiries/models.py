"""Tables of viewings, which the JSON API calls showings, and of those who wait for a unit."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import ViewingStatus, WaitlistState


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


class WaitlistPlace(OfWorkspace, Base):
    """Somebody waits for a unit, for any of a building, or for anything at all."""

    __tablename__ = "waitlist_place"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        link("building_id", "building", ondelete="CASCADE"),
        CheckConstraint("unit_id IS NULL OR building_id IS NULL", name="one_place"),
        Index("ix_waitlist_place_state", "workspace_id", "state", "wanted_from_on", "id"),
        Index("ix_waitlist_place_unit_id", "workspace_id", "unit_id"),
        Index("ix_waitlist_place_building_id", "workspace_id", "building_id"),
    )

    unit_id: Mapped[str | None] = mapped_column(Id)
    building_id: Mapped[str | None] = mapped_column(Id)
    name: Mapped[str]
    email: Mapped[str | None]
    phone: Mapped[str | None]
    wanted_from_on: Mapped[date] = mapped_column(Date)
    note: Mapped[str | None] = mapped_column(Text)
    state: Mapped[WaitlistState] = mapped_column(Word(WaitlistState))
    added_at: Mapped[datetime] = mapped_column(Instant)
    added_by: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(Instant)
    changed_by: Mapped[str]
