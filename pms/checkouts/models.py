"""Tables of online payments: visits to payment pages, and the provider's payments."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import CheckoutState, MoneyBackState


class Checkout(OfWorkspace, Base):
    """One visit to the provider's payment page, in whole yen.

    It pays one ledger entry, and those of `other_entry_ids` with it.
    """

    __tablename__ = "checkout"
    building_path = through("reservation_id")
    noun = "checkout"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("entry_id", "ledger_entry"),
        UniqueConstraint("workspace_id", "reference"),
        CheckConstraint("amount_yen > 0", name="some_amount"),
        Index("ix_checkout_entry_id", "workspace_id", "entry_id", "asked_at"),
        Index("ix_checkout_reservation_id", "workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    entry_id: Mapped[str] = mapped_column(Id)
    other_entry_ids: Mapped[list[str] | None] = mapped_column(Json)
    amount_yen: Mapped[int]
    state: Mapped[CheckoutState] = mapped_column(Word(CheckoutState))
    return_path: Mapped[str]
    reference: Mapped[str | None]
    url: Mapped[str | None] = mapped_column(Text)
    asked_at: Mapped[datetime] = mapped_column(Instant)
    asked_by: Mapped[str]
    opened_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    failure: Mapped[str | None] = mapped_column(Text)


class ProviderPayment(OfWorkspace, Base):
    """One payment by the provider's records and with its id, in whole yen.

    `payment_id` is the payment on the ledger. The refunded amount is the newest running total that
    the provider named, as of `refund_total_at`; `is_refund_lower` says that it was lowered.
    """

    __tablename__ = "provider_payment"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("entry_id", "ledger_entry"),
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "intent"),
        Index("ix_provider_payment_charge", "workspace_id", "charge"),
        Index("ix_provider_payment_entry_id", "workspace_id", "entry_id"),
        Index("ix_provider_payment_payment_id", "workspace_id", "payment_id"),
        Index("ix_provider_payment_reservation_id", "workspace_id", "reservation_id"),
    )

    intent: Mapped[str]
    charge: Mapped[str | None]
    reservation_id: Mapped[str] = mapped_column(Id)
    entry_id: Mapped[str] = mapped_column(Id)
    payment_id: Mapped[str | None] = mapped_column(Id)
    amount_yen: Mapped[int]
    paid_at: Mapped[datetime | None] = mapped_column(Instant)
    failed_at: Mapped[datetime | None] = mapped_column(Instant)
    failure: Mapped[str | None] = mapped_column(Text)
    refunded_yen: Mapped[int] = mapped_column(default=0)
    refund_total_at: Mapped[datetime | None] = mapped_column(Instant)
    is_refund_lower: Mapped[bool] = mapped_column(default=False)


class MoneyBack(OfWorkspace, Base):
    """One refund or dispute of a payment by the provider's records, in whole yen.

    `state_at` and `newest_at` are the instants of the words that set the state and the rest. A
    dispute recorded before its id was kept has no reference. `seen_at` is when somebody in the
    office said that its state needs nothing more.
    """

    __tablename__ = "money_back"
    building_path = through("reservation_id")
    noun = "refund or dispute"
    __table_args__ = (
        link("provider_payment_id", "provider_payment", ondelete="CASCADE"),
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reference"),
        Index("ix_money_back_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_money_back_provider_payment_id", "workspace_id", "provider_payment_id"),
        Index(
            "ix_money_back_unseen",
            "workspace_id",
            "state_at",
            **only_where("seen_at IS NULL"),
        ),
    )

    provider_payment_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    reference: Mapped[str | None]
    amount_yen: Mapped[int]
    state: Mapped[MoneyBackState] = mapped_column(Word(MoneyBackState))
    state_at: Mapped[datetime] = mapped_column(Instant)
    newest_at: Mapped[datetime] = mapped_column(Instant)
    made_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    reinstated_at: Mapped[datetime | None] = mapped_column(Instant)
    respond_by: Mapped[datetime | None] = mapped_column(Instant)
    reason: Mapped[str | None] = mapped_column(Text)
    seen_at: Mapped[datetime | None] = mapped_column(Instant)
    seen_by: Mapped[str | None]
