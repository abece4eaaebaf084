"""Tables of move-out notices (specification, Move-out penalties)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import OCCUPANCY
from pms.rules.enumerations import PenaltyKind
from pms.rules.notices import LeavingReason


class MoveOutNotice(OfWorkspace, Base):
    """A filed notice in its present state: the days and the penalty in one pair of fields.

    `penalty_yen` and `penalty_days` belong together; `basis` is the computation that won, and
    `runs_until_on` the end date of a capped early exit. `forfeit_yen` is always 0 on new ones.
    `reason` is why leaving cannot be helped, as the resident states it; it counts once staff accept
    it (`is_reason_accepted`), and is open while that is null.
    """

    __tablename__ = "move_out_notice"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("penalty_entry_id", "ledger_entry"),
        Index(
            "uq_move_out_notice_in_force",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("withdrawn_at IS NULL"),
        ),
        Index("ix_move_out_notice_filed_on", "workspace_id", "filed_on"),
        CheckConstraint("penalty_yen >= 0 AND penalty_days >= 0", name="penalty_not_negative"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    filed_on: Mapped[date] = mapped_column(Date)
    move_out_on: Mapped[date] = mapped_column(Date)
    notice_owed_days: Mapped[int]
    notice_given_days: Mapped[int]
    notice_missing_days: Mapped[int]
    early_exit_yen: Mapped[int]
    short_notice_yen: Mapped[int]
    penalty_yen: Mapped[int]
    penalty_days: Mapped[int]
    kind: Mapped[PenaltyKind] = mapped_column(Word(PenaltyKind))
    basis: Mapped[PenaltyKind] = mapped_column(Word(PenaltyKind))
    is_capped: Mapped[bool] = mapped_column(default=False)
    runs_until_on: Mapped[date | None] = mapped_column(Date)
    forfeit_yen: Mapped[int] = mapped_column(default=0)
    penalty_entry_id: Mapped[str | None] = mapped_column(Id)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_by: Mapped[str | None]
    reason: Mapped[LeavingReason | None] = mapped_column(Word(LeavingReason))
    reason_words: Mapped[str | None] = mapped_column(Text)
    reason_stated_at: Mapped[datetime | None] = mapped_column(Instant)
    is_reason_accepted: Mapped[bool | None]
    reason_decision: Mapped[str | None] = mapped_column(Text)
    reason_decided_at: Mapped[datetime | None] = mapped_column(Instant)
    reason_decided_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class MoveOutRecord(OfWorkspace, Base):
    """What staff recorded at the door: the day, whether all keys are back, and the meter."""

    __tablename__ = "move_out_record"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    left_on: Mapped[date] = mapped_column(Date)
    has_keys: Mapped[bool]
    meter_reading: Mapped[str | None]
    note: Mapped[str | None] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class NoticeFiling(OfWorkspace, Base):
    """Every day requested by a notice, the first and each edit, in their order."""

    __tablename__ = "notice_filing"
    building_path = through("notice_id")
    __table_args__ = (
        link("notice_id", "move_out_notice"),
        UniqueConstraint("workspace_id", "notice_id", "number"),
    )
    raises_version = OCCUPANCY

    notice_id: Mapped[str] = mapped_column(Id)
    number: Mapped[int]
    filed_on: Mapped[date] = mapped_column(Date)
    move_out_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
