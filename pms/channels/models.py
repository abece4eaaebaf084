"""Tables of reply templates, events and orders."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, shared, through
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.files import HAS_FILES
from pms.foundation.sealing import SEALED
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import FeeCategory
from pms.rules.message_words import (
    InboundState,
    OrderState,
    WebhookSource,
)
from pms.rules.upkeep_cost import known_order


class ReplyTemplate(OfWorkspace, Base):
    """A text that the office often replies with, in both languages."""

    __tablename__ = "reply_template"
    building_path = shared("texts that answers of every building begin with")
    noun = "reply template"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    name: Mapped[str]
    text_ja: Mapped[str] = mapped_column(Text)
    text_en: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    archived_at: Mapped[datetime | None] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)


class SupplierOrder(OfWorkspace, Base):
    """An order as reported by a supplier, with the project number it names, known here or not.

    `repeats_id` is an earlier order of the same supplier and number, whatever the spelling:
    `known_as` is the same for both.
    """

    __tablename__ = "supplier_order"
    building_path = through("building_id", "project_id")
    noun = "order"
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
    """One line of an order, in whole yen; `purchase_id` is the project cost it became."""

    __tablename__ = "supplier_order_line"
    building_path = through("order_id")
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


class InboundEvent(OfWorkspace, Base):
    """One event of a source, stored once for all its deliveries; `event_key` is the source's id.

    `due_at` is when it is applied next, and None once it ended; while a worker has it, it is the
    end of the lease.
    """

    __tablename__ = "inbound_event"
    building_path = hidden("what providers sent, before it is known of whom")
    noun = "notification"
    __table_args__ = (
        UniqueConstraint("workspace_id", "source", "event_key"),
        Index("ix_inbound_event_due_at", "due_at", **only_where("due_at IS NOT NULL")),
        Index("ix_inbound_event_received_at", "workspace_id", "source", "received_at", "id"),
        Index("ix_inbound_event_state", "workspace_id", "state", "received_at"),
        Index("ix_inbound_event_subject_id", "workspace_id", "subject_id"),
    )

    source: Mapped[WebhookSource] = mapped_column(Word(WebhookSource))
    event_key: Mapped[str]
    kind: Mapped[str]
    body: Mapped[dict[str, Any]] = mapped_column(Json, info=HAS_FILES)
    key_id: Mapped[str | None] = mapped_column(Id)
    occurred_at: Mapped[datetime | None] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    state: Mapped[InboundState] = mapped_column(Word(InboundState))
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_by: Mapped[str | None]
    subject_kind: Mapped[str | None]
    subject_id: Mapped[str | None] = mapped_column(Id)


class Mailbox(OfWorkspace, Base):
    """The mailbox of the workspace, whose mails come into the inbox.

    Mails after `last_uid` are new while the server's `uid_validity` is the same; both are null
    before the first reading. `has_plus` says whether mail to `office+…@` arrives there too.
    """

    __tablename__ = "mailbox"
    noun = "mailbox"
    building_path = hidden("the mailbox is set up by those who see every building")
    __table_args__ = (UniqueConstraint("workspace_id"), Index("ix_mailbox_due_at", "due_at"))

    address: Mapped[str]
    host: Mapped[str]
    port: Mapped[int]
    username: Mapped[str]
    sealed_password: Mapped[str] = mapped_column(Text, info=SEALED)
    folder: Mapped[str]
    has_plus: Mapped[bool]
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)
    uid_validity: Mapped[int | None]
    last_uid: Mapped[int | None]
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    last_read_at: Mapped[datetime | None] = mapped_column(Instant)
    failing_since: Mapped[datetime | None] = mapped_column(Instant)
    failures: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    is_failure_mailed: Mapped[bool] = mapped_column(default=False)
