"""Tables of invoices, receipts and published owner statements."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json
from pms.foundation.tenancy import OfWorkspace, link


class Counter(OfWorkspace, Base):
    """The last number given out of a series of the workspace; gaps never happen within one."""

    __tablename__ = "counter"
    __table_args__ = (UniqueConstraint("workspace_id", "series"),)

    series: Mapped[str] = mapped_column(String)
    value: Mapped[int] = mapped_column(default=0)


class Invoice(OfWorkspace, Base):
    """The numbered paper of an entry; `sent_at` is the instant it left, audit data."""

    __tablename__ = "invoice"
    __table_args__ = (
        link("entry_id", "ledger_entry"),
        UniqueConstraint("workspace_id", "entry_id"),
        UniqueConstraint("workspace_id", "number"),
    )

    entry_id: Mapped[str] = mapped_column(Id)
    number: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    locale: Mapped[str]
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    reminded_at: Mapped[datetime | None] = mapped_column(Instant)
    written_at: Mapped[datetime] = mapped_column(Instant)


class Receipt(OfWorkspace, Base):
    """The numbered paper of a payment."""

    __tablename__ = "receipt"
    __table_args__ = (
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "payment_id"),
        UniqueConstraint("workspace_id", "number"),
    )

    payment_id: Mapped[str] = mapped_column(Id)
    number: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)


class OwnerStatement(OfWorkspace, Base):
    """The figures of a building's month as published; a correction is the next version."""

    __tablename__ = "owner_statement"
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "building_id", "month_on", "version"),
    )

    building_id: Mapped[str] = mapped_column(Id)
    month_on: Mapped[date] = mapped_column(Date)
    version: Mapped[int]
    figures: Mapped[dict[str, Any]] = mapped_column(Json)
    published_at: Mapped[datetime] = mapped_column(Instant)
    published_by: Mapped[str]
