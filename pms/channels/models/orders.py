"""Tables of suppliers' orders, which become purchases of projects."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.channel_words import OrderState
from pms.rules.enumerations import FeeCategory
from pms.rules.order_matching import known_order


class SupplierOrder(OfWorkspace, Base):
    """What a supplier says was ordered, and the number of the project it names, known here or not.

    `repeats_id` is an earlier order of the same supplier and number, however either was typed:
    `known_as` is the same for both.
    """

    __tablename__ = "supplier_order"
    __table_args__ = (
        link("building_id", "building"),
        link("project_id", "maintenance_project"),
        link("key_id", "api_key"),
        link("repeats_id", "supplier_order"),
        UniqueConstraint("workspace_id", "external_id"),
        Index("ix_supplier_order_state", "workspace_id", "state", "received_at", "id"),
        Index("ix_supplier_order_known_as", "workspace_id", "known_as"),
        Index("ix_supplier_order_project_id", "workspace_id", "project_id"),
    )
    derived_from = frozenset(("supplier", "order_number"))

    supplier: Mapped[str]
    order_number: Mapped[str]
    known_as: Mapped[str]
    ordered_on: Mapped[date] = mapped_column(Date)
    building_id: Mapped[str | None] = mapped_column(Id)
    named_number: Mapped[int | None]
    project_id: Mapped[str | None] = mapped_column(Id)
    total_yen: Mapped[int]
    external_id: Mapped[str | None]
    key_id: Mapped[str | None] = mapped_column(Id)
    repeats_id: Mapped[str | None] = mapped_column(Id)
    state: Mapped[OrderState] = mapped_column(Word(OrderState))
    received_at: Mapped[datetime] = mapped_column(Instant)
    received_by: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(Instant)
    changed_by: Mapped[str]
    note: Mapped[str | None] = mapped_column(Text)
    version: Mapped[int] = mapped_column(default=1)

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {"known_as": known_order(row["supplier"], row["order_number"])}


class SupplierOrderLine(OfWorkspace, Base):
    """One thing of an order, in whole yen; `purchase_id` is the cost it became in a project."""

    __tablename__ = "supplier_order_line"
    __table_args__ = (
        link("order_id", "supplier_order", ondelete="CASCADE"),
        link("purchase_id", "purchase"),
        UniqueConstraint("workspace_id", "order_id", "position"),
        Index("ix_supplier_order_line_purchase_id", "workspace_id", "purchase_id"),
    )

    order_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    description: Mapped[str]
    quantity: Mapped[int]
    unit_price_yen: Mapped[int]
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory))
    purchase_id: Mapped[str | None] = mapped_column(Id)
