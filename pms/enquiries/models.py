"""Tables of enquiries, viewings, the waitlist and leads."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, through
from pms.foundation.db import Base, Id, Instant, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.lists import fold_columns
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import ViewingStatus, WaitlistState
from pms.rules.message_words import LeadState

_SEARCHED: Final = ("name", "email", "phone", "message")


class Viewing(OfWorkspace, Base):
    """An appointment to show a unit to a visitor."""

    __tablename__ = "viewing"
    building_path = through("unit_id")
    noun = "viewing"
    __table_args__ = (
        link("unit_id", "unit", ondelete="CASCADE"),
        Index("ix_viewing_host_id", "workspace_id", "host_id", "starts_at"),
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
    host_id: Mapped[str | None] = mapped_column(Id)
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class ViewingOfEnquiry(OfWorkspace, Base):
    """The enquiry that a viewing comes from."""

    __tablename__ = "viewing_of_enquiry"
    building_path = through("viewing_id")
    __table_args__ = (
        link("viewing_id", "viewing", ondelete="CASCADE"),
        link("enquiry_id", "enquiry", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "viewing_id"),
        Index("ix_viewing_of_enquiry_enquiry_id", "workspace_id", "enquiry_id"),
    )

    viewing_id: Mapped[str] = mapped_column(Id)
    enquiry_id: Mapped[str] = mapped_column(Id)


class WaitlistPlace(OfWorkspace, Base):
    """A person who waits for a unit, for any unit of a building, or for any unit."""

    __tablename__ = "waitlist_place"
    building_path = through("building_id", "unit_id")
    noun = "waitlist entry"
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


class Lead(OfWorkspace, Base):
    """An applicant for a position; the résumé is a private file, and is deleted with the lead."""

    __tablename__ = "lead"
    building_path = hidden("applicants for a job of the office")
    noun = "application"
    __table_args__ = (
        link("position_id", "position"),
        UniqueConstraint("workspace_id", "external_id"),
        Index("ix_lead_state", "workspace_id", "state", "received_at", "id"),
        Index("ix_lead_position_id", "workspace_id", "position_id"),
        Index("ix_lead_email_key", "workspace_id", "email_key"),
        Index("ix_lead_declined_at", "workspace_id", "declined_at"),
    )
    derived_from = frozenset(_SEARCHED)

    name: Mapped[str]
    email: Mapped[str]
    email_key: Mapped[str]
    phone: Mapped[str | None]
    message: Mapped[str] = mapped_column(Text, default="")
    locale: Mapped[str] = mapped_column(default="ja")
    position_id: Mapped[str | None] = mapped_column(Id)
    resume_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    resume_name: Mapped[str | None]
    resume_type: Mapped[str | None]
    state: Mapped[LeadState] = mapped_column(Word(LeadState))
    assignee_id: Mapped[str | None] = mapped_column(Id)
    external_id: Mapped[str | None]
    declined_at: Mapped[datetime | None] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    received_by: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(Instant)
    changed_by: Mapped[str]
    search_text: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        email = row.get("email") or ""
        return {"email_key": email.strip().casefold(), "search_text": fold_columns(row, _SEARCHED)}


class LeadNote(OfWorkspace, Base):
    """An answer to a lead or a note about it; `mail_id` is the mail of an answer."""

    __tablename__ = "lead_note"
    building_path = hidden("applicants for a job of the office")
    __table_args__ = (
        link("lead_id", "lead", ondelete="CASCADE"),
        Index("ix_lead_note_lead_id", "workspace_id", "lead_id", "at"),
        Index(
            "ix_lead_note_mail_id",
            "workspace_id",
            "mail_id",
            **only_where("mail_id IS NOT NULL"),
        ),
    )

    lead_id: Mapped[str] = mapped_column(Id)
    is_answer: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    mail_id: Mapped[str | None] = mapped_column(Id)
    at: Mapped[datetime] = mapped_column(Instant)
    by: Mapped[str]
