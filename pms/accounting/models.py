"""Tables of closed months: their journals, and the accounts in use."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden
from pms.foundation.db import Base, Id, Instant, Json, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER


class AccountChart(OfWorkspace, Base):
    """The accounts by role, and each program's tax classes; one row per workspace."""

    __tablename__ = "account_chart"
    building_path = hidden("the books are of the office as a whole")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    accounts: Mapped[dict[str, Any]] = mapped_column(Json)
    taxes: Mapped[dict[str, Any]] = mapped_column(Json)
    version: Mapped[int] = mapped_column(default=1)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class MonthClosing(OfWorkspace, Base):
    """A closed month with the accounts of that day; it stays unchanged when it is reopened."""

    __tablename__ = "month_closing"
    building_path = hidden("the books are of the office as a whole")
    noun = "closed month"
    __table_args__ = (
        Index(
            "uq_month_closing_in_force",
            "workspace_id",
            "month_on",
            unique=True,
            **only_where("reopened_at IS NULL"),
        ),
    )
    raises_version = LEDGER

    month_on: Mapped[date] = mapped_column(Date)
    accounts: Mapped[dict[str, Any]] = mapped_column(Json)
    taxes: Mapped[dict[str, Any]] = mapped_column(Json)
    journals: Mapped[int]
    total_yen: Mapped[int]
    closed_at: Mapped[datetime] = mapped_column(Instant)
    closed_by: Mapped[str]
    reopened_at: Mapped[datetime | None] = mapped_column(Instant)
    reopened_by: Mapped[str | None]
    reason: Mapped[str | None]


class ClosedJournal(OfWorkspace, Base):
    """One journal of a closed month as exported; `key` identifies its cause.

    `month_on` is the month it belongs to, which for a correction is earlier than the closed one.
    `income_yen` is its part of an owner's income, on which the management fee is charged.
    """

    __tablename__ = "closed_journal"
    building_path = hidden("the books are of the office as a whole")
    __table_args__ = (
        link("closing_id", "month_closing"),
        UniqueConstraint("workspace_id", "closing_id", "number"),
        Index("ix_closed_journal_subject_id", "workspace_id", "subject_id"),
        Index("ix_closed_journal_building_id", "workspace_id", "building_id", "month_on"),
    )

    closing_id: Mapped[str] = mapped_column(Id)
    number: Mapped[int]
    key: Mapped[str]
    subject_id: Mapped[str] = mapped_column(Id)
    building_id: Mapped[str] = mapped_column(Id)
    month_on: Mapped[date] = mapped_column(Date)
    happened_on: Mapped[date] = mapped_column(Date)
    entered_on: Mapped[date] = mapped_column(Date)
    is_late: Mapped[bool]
    memo: Mapped[str] = mapped_column(Text)
    postings: Mapped[list[Any]] = mapped_column(Json)
    income_yen: Mapped[int]
