"""Tables of collected bills: offered ways, residents' choices, and each collection."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import shared, through
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import ChoiceState, CollectionState, PaymentWay


class CollectionTermsRow(OfWorkspace, Base):
    """What a workspace offers, and when it collects; one row, with the workspace's id."""

    __tablename__ = "collection_terms"
    building_path = shared("one rule for all tenants")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    offers_cards: Mapped[bool] = mapped_column(default=False)
    offers_stores: Mapped[bool] = mapped_column(default=False)
    attempts: Mapped[int]
    retry_days: Mapped[int]
    notice_days: Mapped[int]
    store_days: Mapped[int]
    version: Mapped[int] = mapped_column(default=1)


class PaymentChoice(OfWorkspace, Base):
    """How a tenancy's bills are collected, with the consent; the provider keeps the card."""

    __tablename__ = "payment_choice"
    building_path = through("reservation_id")
    noun = "payment choice"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        Index(
            "uq_payment_choice_active",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("state = 'active'"),
        ),
        Index("ix_payment_choice_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_payment_choice_state", "workspace_id", "state"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    way: Mapped[PaymentWay] = mapped_column(Word(PaymentWay))
    state: Mapped[ChoiceState] = mapped_column(Word(ChoiceState))
    consent: Mapped[str]
    consented_at: Mapped[datetime] = mapped_column(Instant)
    consented_by: Mapped[str]
    return_path: Mapped[str | None]
    reference: Mapped[str | None]
    url: Mapped[str | None] = mapped_column(Text)
    customer: Mapped[str | None]
    method: Mapped[str | None]
    brand: Mapped[str | None]
    last_digits: Mapped[str | None]
    expires: Mapped[str | None]
    failure: Mapped[str | None] = mapped_column(Text)
    active_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_by: Mapped[str | None]


class Collection(OfWorkspace, Base):
    """One attempt to collect one bill, in whole yen; `intent` is the provider's id of it.

    `stores` are the numbers for payment at a store, valid until `expires_at`.
    """

    __tablename__ = "collection"
    building_path = through("reservation_id")
    noun = "collection"
    __table_args__ = (
        link("choice_id", "payment_choice"),
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("entry_id", "ledger_entry"),
        UniqueConstraint("workspace_id", "entry_id", "attempt"),
        CheckConstraint("amount_yen > 0", name="some_amount"),
        Index(
            "uq_collection_under_way",
            "workspace_id",
            "entry_id",
            unique=True,
            **only_where("state IN ('planned', 'asked', 'waiting')"),
        ),
        Index("ix_collection_choice_id", "workspace_id", "choice_id"),
        Index("ix_collection_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_collection_state", "workspace_id", "state", "due_on"),
    )

    choice_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    entry_id: Mapped[str] = mapped_column(Id)
    way: Mapped[PaymentWay] = mapped_column(Word(PaymentWay))
    attempt: Mapped[int]
    amount_yen: Mapped[int]
    due_on: Mapped[date] = mapped_column(Date)
    state: Mapped[CollectionState] = mapped_column(Word(CollectionState))
    intent: Mapped[str | None]
    failure: Mapped[str | None] = mapped_column(Text)
    stores: Mapped[dict[str, Any] | None] = mapped_column(Json)
    url: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime | None] = mapped_column(Instant)
    planned_at: Mapped[datetime] = mapped_column(Instant)
    asked_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
