"""Tables of guests' links and of the register of guests that the law requires."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import shared, through
from pms.foundation.db import Base, Id, Instant, Json
from pms.foundation.files import HAS_FILES
from pms.foundation.sealing import SEALED
from pms.foundation.tenancy import OfWorkspace, link


class StayTerms(OfWorkspace, Base):
    """A workspace's terms for guests; one row for each workspace, with the workspace's id.

    Times are in Japan, as `15:00`; codes are shown from `release_minutes` before the check-in time.
    `register_fields` names the entries asked for beyond the default set.
    """

    __tablename__ = "stay_terms"
    building_path = shared("one rule for all guests")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    check_in_time: Mapped[str] = mapped_column(String(5), default="15:00")
    check_out_time: Mapped[str] = mapped_column(String(5), default="10:00")
    release_minutes: Mapped[int] = mapped_column(default=0)
    codes_need_register: Mapped[bool] = mapped_column(default=True)
    wants_passport_copy: Mapped[bool] = mapped_column(default=True)
    register_fields: Mapped[list[str]] = mapped_column(Json, default=list)
    register_kept_years: Mapped[int] = mapped_column(default=3)
    rules_ja: Mapped[str] = mapped_column(Text, default="")
    rules_en: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=1)


class CheckInLink(OfWorkspace, Base):
    """The credential of one booking: its guests register and learn how to enter.

    The link is signed and contains `nonce`, 128 random bits; the row decides. The office can copy
    it again; a new nonce invalidates all earlier links. `external_id` is the id used by the program
    that requested the link.
    """

    __tablename__ = "check_in_link"
    building_path = through("reservation_id")
    noun = "check-in link"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
        Index("ix_check_in_link_created_at", "workspace_id", "created_at"),
        Index("uq_check_in_link_external_id", "workspace_id", "external_id", unique=True),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    nonce: Mapped[str] = mapped_column(String(32), index=True)
    guests: Mapped[int] = mapped_column(default=1)
    arrival_time: Mapped[str | None] = mapped_column(String(5))
    rules_accepted_at: Mapped[datetime | None] = mapped_column(Instant)
    registered_at: Mapped[datetime | None] = mapped_column(Instant)
    finished_at: Mapped[datetime | None] = mapped_column(Instant)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_by: Mapped[str | None]
    last_opened_at: Mapped[datetime | None] = mapped_column(Instant)
    external_id: Mapped[str | None]


class GuestRegistration(OfWorkspace, Base):
    """One guest of a stay in the register; kept as long as the law requires, then deleted.

    `extras` has the entries that only some prefectures require, by field name. The passport number
    is stored sealed, its copy is a private file; the audit has who opened it.
    """

    __tablename__ = "guest_registration"
    building_path = through("link_id")
    __table_args__ = (
        link("link_id", "check_in_link", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "link_id", "position"),
    )

    link_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    name: Mapped[str]
    lives_in_japan: Mapped[bool]
    address: Mapped[str | None] = mapped_column(Text)
    contact: Mapped[str | None]
    nationality: Mapped[str | None]
    passport_number: Mapped[str | None] = mapped_column(info=SEALED)
    passport_file_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    passport_sent_at: Mapped[datetime | None] = mapped_column(Instant)
    extras: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    written_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
