"""Tables of imported and taken-over tenancies, of keys handed over, and of condition reports."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, through
from pms.foundation.db import Base, Exact, Id, Instant, Json, Recorded, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    CheckedRoom,
    ConditionState,
    RoomVerdict,
    SheetKind,
    TakeoverState,
)
from pms.rules.wear import DeductionBearer, WornItem


class SentSheet(OfWorkspace, Base):
    """A sheet that was sent: its file as received, and the answers given about it.

    `titles` are the chosen titles of columns, `sheet_name` is the chosen sheet of a workbook, and
    `confirmed` are the lines that are accepted despite their oddities.
    """

    __tablename__ = "sent_sheet"
    building_path = hidden("a file of rows of any building")

    kind: Mapped[SheetKind] = mapped_column(Word(SheetKind))
    name: Mapped[str]
    file_key: Mapped[str] = mapped_column(info=HAS_FILES)
    titles: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    sheet_name: Mapped[str] = mapped_column(default="")
    confirmed: Mapped[list[int]] = mapped_column(Json, default=list)
    sent_at: Mapped[datetime] = mapped_column(Instant)
    sent_by: Mapped[str]


class RentRollTenancy(OfWorkspace, Base):
    """The occupant of a unit according to an imported rent roll; its days are an external block."""

    __tablename__ = "rent_roll_tenancy"
    building_path = through("unit_id")
    __table_args__ = (
        link("block_id", "external_block", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "block_id"),
        UniqueConstraint("workspace_id", "unit_id", "contract_start_date"),
    )

    block_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str] = mapped_column(Id)
    status: Mapped[str | None]
    name: Mapped[str]
    name_kana: Mapped[str | None]
    email: Mapped[str | None]
    phone: Mapped[str | None]
    contract_start_date: Mapped[RecordedDay] = mapped_column(Recorded)
    contract_end_date: Mapped[RecordedDay] = mapped_column(Recorded)
    rent_yen: Mapped[int]
    common_fee_yen: Mapped[int | None]
    utilities_yen: Mapped[int | None]
    deposit_yen: Mapped[int | None]
    payment_method: Mapped[str | None]
    remark: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)


class KeyHandover(OfWorkspace, Base):
    """Keys that staff handed over for a tenancy, once or again; taken back with a reason if wrong.

    `key_count` is None where the number was not noted, and `handed_to` where the resident took them.
    """

    __tablename__ = "key_handover"
    building_path = through("reservation_id")
    noun = "handover"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        CheckConstraint("key_count > 0", name="some_keys"),
        Index("ix_key_handover_reservation_id", "workspace_id", "reservation_id", "handed_on"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    handed_on: Mapped[date] = mapped_column(Date)
    key_count: Mapped[int | None]
    items: Mapped[str | None]
    handed_to: Mapped[str | None]
    note: Mapped[str | None] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_by: Mapped[str | None]
    withdrawn_because: Mapped[str | None]


class ConditionReport(OfWorkspace, Base):
    """The condition a resident found on arrival; the rooms can be edited until it is sent."""

    __tablename__ = "condition_report"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
        Index("ix_condition_report_sent_at", "workspace_id", "sent_at", "id"),
        Index(
            "ix_condition_report_unseen",
            "workspace_id",
            "sent_at",
            "id",
            **only_where("seen_at IS NULL"),
        ),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    remark: Mapped[str | None] = mapped_column(Text)
    started_at: Mapped[datetime] = mapped_column(Instant)
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    seen_at: Mapped[datetime | None] = mapped_column(Instant)
    seen_by: Mapped[str | None]


class ConditionRoom(OfWorkspace, Base):
    """One part of the unit in a report: in order, or marked, or with something missing."""

    __tablename__ = "condition_room"
    building_path = through("report_id")
    __table_args__ = (
        link("report_id", "condition_report", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "report_id", "room"),
    )

    report_id: Mapped[str] = mapped_column(Id)
    room: Mapped[str]
    state: Mapped[ConditionState] = mapped_column(Word(ConditionState))
    note: Mapped[str | None] = mapped_column(Text)


class ConditionPhoto(OfWorkspace, Base):
    """A photo of a part of the unit; `files` names the stored file of each width."""

    __tablename__ = "condition_photo"
    building_path = through("report_id")
    __table_args__ = (
        link("report_id", "condition_report", ondelete="CASCADE"),
        Index("ix_condition_photo_report_id", "workspace_id", "report_id"),
    )

    report_id: Mapped[str] = mapped_column(Id)
    room: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    files: Mapped[dict[str, str]] = mapped_column(Json, info=HAS_FILES)
    added_at: Mapped[datetime] = mapped_column(Instant)


class Takeover(OfWorkspace, Base):
    """A guide that takes tenancies over from files: the answers so far, and what going live wrote.

    `answers` are about the files as a whole, `columns` are meanings by folded titles, `totals` are
    the sums that the office expects, `accepted` are accepted differences of the next bill, by place
    with a reason. `made` names the rows that going live wrote, until it is undone.
    """

    __tablename__ = "takeover"
    building_path = hidden("the files of a whole workspace")
    __table_args__ = (Index("ix_takeover_state", "workspace_id", "state", "started_at"),)

    state: Mapped[TakeoverState] = mapped_column(Word(TakeoverState))
    name: Mapped[str]
    blank_rows: Mapped[int] = mapped_column(default=0)
    answers: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    columns: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    totals: Mapped[dict[str, int]] = mapped_column(Json, default=dict)
    accepted: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    made: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    started_at: Mapped[datetime] = mapped_column(Instant)
    started_by: Mapped[str]
    live_at: Mapped[datetime | None] = mapped_column(Instant)
    undone_at: Mapped[datetime | None] = mapped_column(Instant)


class TakeoverFile(OfWorkspace, Base):
    """A file of a guide, as received."""

    __tablename__ = "takeover_file"
    building_path = hidden("the files of a whole workspace")
    __table_args__ = (
        link("takeover_id", "takeover", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "takeover_id", "position"),
    )

    takeover_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    name: Mapped[str]
    file_key: Mapped[str] = mapped_column(info=HAS_FILES)


class TakeoverRow(OfWorkspace, Base):
    """What was entered for one row of a guide: fields by name, and answers by question."""

    __tablename__ = "takeover_row"
    building_path = hidden("the files of a whole workspace")
    __table_args__ = (
        link("takeover_id", "takeover", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "takeover_id", "at"),
    )

    takeover_id: Mapped[str] = mapped_column(Id)
    at: Mapped[str]
    edits: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    answers: Mapped[dict[str, str]] = mapped_column(Json, default=dict)


class MoveOutInspection(OfWorkspace, Base):
    """The inspection of a home at move-out, place by place, beside what was found on arrival."""

    __tablename__ = "move_out_inspection"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    started_at: Mapped[datetime] = mapped_column(Instant)
    started_by: Mapped[str]
    finished_at: Mapped[datetime | None] = mapped_column(Instant)
    finished_by: Mapped[str | None]
    left_out_because: Mapped[str | None] = mapped_column(Text)
    """Why it was finished although places were not recorded."""


class InspectedRoom(OfWorkspace, Base):
    """One part of a home at move-out: the same as on arrival, or worse."""

    __tablename__ = "inspected_room"
    building_path = through("inspection_id")
    __table_args__ = (
        link("inspection_id", "move_out_inspection", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "inspection_id", "room"),
    )

    inspection_id: Mapped[str] = mapped_column(Id)
    room: Mapped[CheckedRoom] = mapped_column(Word(CheckedRoom))
    verdict: Mapped[RoomVerdict] = mapped_column(Word(RoomVerdict))
    note: Mapped[str | None] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class InspectionPhoto(OfWorkspace, Base):
    """A photo of a part of a home at move-out; `files` names the stored file of each width."""

    __tablename__ = "inspection_photo"
    building_path = through("inspection_id")
    __table_args__ = (
        link("inspection_id", "move_out_inspection", ondelete="CASCADE"),
        Index("ix_inspection_photo_inspection_id", "workspace_id", "inspection_id"),
    )
    noun = "photo"

    inspection_id: Mapped[str] = mapped_column(Id)
    room: Mapped[CheckedRoom] = mapped_column(Word(CheckedRoom))
    width: Mapped[int]
    height: Mapped[int]
    files: Mapped[dict[str, str]] = mapped_column(Json, info=HAS_FILES)
    taken_at: Mapped[datetime] = mapped_column(Instant)
    taken_by: Mapped[str]


class InspectedDamage(OfWorkspace, Base):
    """What is worse than on arrival and costs something: a line of the settlement to come."""

    __tablename__ = "inspected_damage"
    building_path = through("inspection_id")
    __table_args__ = (
        link("inspection_id", "move_out_inspection", ondelete="CASCADE"),
        Index("ix_inspected_damage_inspection_id", "workspace_id", "inspection_id"),
    )
    noun = "damage"

    inspection_id: Mapped[str] = mapped_column(Id)
    room: Mapped[CheckedRoom] = mapped_column(Word(CheckedRoom))
    item: Mapped[WornItem] = mapped_column(Word(WornItem))
    note: Mapped[str | None]
    quantity: Mapped[Decimal] = mapped_column(Exact)
    bearer: Mapped[DeductionBearer] = mapped_column(Word(DeductionBearer))
    fitted_on: Mapped[date | None] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
