"""Tables of settlements and refunds (specification, Deposit 5)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER
from pms.rules.enumerations import TaxTreatment


class Settlement(OfWorkspace, Base):
    """The settlement of a reservation, once; its state follows from the refunds sent."""

    __tablename__ = "settlement"
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "reservation_id"),
        CheckConstraint("remainder_yen >= 0 AND owed_yen >= 0", name="no_negative_end"),
    )
    raises_version = LEDGER

    reservation_id: Mapped[str] = mapped_column(Id)
    settled_on: Mapped[date] = mapped_column(Date)
    held_yen: Mapped[int]
    overpaid_yen: Mapped[int]
    deducted_yen: Mapped[int]
    netted_yen: Mapped[int]
    remainder_yen: Mapped[int]
    owed_yen: Mapped[int]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class DeductionRow(OfWorkspace, Base):
    """One deduction of a settlement: the amount asked for, and the part covered by money held.

    The uncovered part is a charge in the ledger, `charge_id`.
    """

    __tablename__ = "deduction"
    __table_args__ = (
        link("settlement_id", "settlement"),
        link("charge_id", "ledger_entry"),
        CheckConstraint(
            "0 < asked_yen AND 0 <= reached_yen AND reached_yen <= asked_yen", name="in_order"
        ),
        Index("ix_deduction_settlement_id", "workspace_id", "settlement_id", "position"),
    )
    raises_version = LEDGER

    settlement_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    label: Mapped[str]
    asked_yen: Mapped[int]
    reached_yen: Mapped[int]
    tax_treatment: Mapped[TaxTreatment] = mapped_column(
        Word(TaxTreatment), server_default=TaxTreatment.OUT_OF_SCOPE.value
    )
    charge_id: Mapped[str | None] = mapped_column(Id)


class Refund(OfWorkspace, Base):
    """A refund that was sent; a settlement is refunded when all of its remainder was."""

    __tablename__ = "refund"
    __table_args__ = (
        link("settlement_id", "settlement"),
        UniqueConstraint("workspace_id", "settlement_id", "number"),
        CheckConstraint("amount_yen > 0", name="positive"),
    )
    raises_version = LEDGER

    settlement_id: Mapped[str] = mapped_column(Id)
    number: Mapped[int]
    sent_on: Mapped[date] = mapped_column(Date)
    amount_yen: Mapped[int]
    reference: Mapped[str | None]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class Amendment(OfWorkspace, Base):
    """A room or occupant change: the old reservation, the new one, and its last day.

    The held deposit that moves, if any, names this amendment as its transfer.
    """

    __tablename__ = "amendment"
    __table_args__ = (
        link("old_reservation_id", "reservation"),
        link("new_reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "old_reservation_id"),
        UniqueConstraint("workspace_id", "new_reservation_id"),
    )

    old_reservation_id: Mapped[str] = mapped_column(Id)
    new_reservation_id: Mapped[str] = mapped_column(Id)
    last_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class RestorationPrices(OfWorkspace, Base):
    """Useful lives and unit prices of what a settlement deducts, by item; one row per workspace.

    An item that is left out has the life of the guideline and no price.
    """

    __tablename__ = "restoration_prices"
    __table_args__ = (UniqueConstraint("workspace_id"),)

    lives: Mapped[dict[str, int | None]] = mapped_column(Json)
    prices: Mapped[dict[str, int]] = mapped_column(Json)
    version: Mapped[int] = mapped_column(default=1)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
