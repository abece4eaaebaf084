"""Tables of online payments: visits to payment pages, and the provider's payments."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.enumerations import CheckoutState


class Checkout(OfWorkspace, Base):
    """One visit to the provider's payment page, in whole yen.

    It pays one ledger entry, and those of `other_entry_ids` with it.
    """

    __tablename__ = "checkout"
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

    `payment_id` is the payment on the ledger. The refunded amount is a running total.
    """

    __tablename__ = "provider_payment"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        link("entry_id", "ledger_entry"),
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "intent"),
        Index("ix_provider_payment_charge", "workspace_id", "charge"),
        Index("ix_provider_payment_entry_id", "workspace_id", "entry_id"),
        Index("ix_provider_payment_payment_id", "workspace_id", "payment_id"),
        Index("ix_provider_payment_reservation_id", "workspace_id", "reservation_id"),
        Index(
            "ix_provider_payment_disputed_at",
            "workspace_id",
            "disputed_at",
            **only_where("disputed_at IS NOT NULL"),
        ),
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
    disputed_at: Mapped[datetime | None] = mapped_column(Instant)
    dispute_reason: Mapped[str | None]
