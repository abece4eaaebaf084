"""Tables of settlements and refunds (specification, Deposit 5)."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, Date, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import shared, through
from pms.foundation.db import Base, Exact, Id, Instant, Json, Word
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER
from pms.rules.enumerations import CheckedRoom, TaxTreatment
from pms.rules.wear import DeductionBearer, WornItem


class Settlement(OfWorkspace, Base):
    """The settlement of a reservation, once; its state follows from the refunds sent."""

    __tablename__ = "settlement"
    building_path = through("reservation_id")
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
    building_path = through("settlement_id")
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
    label_en: Mapped[str | None]
    asked_yen: Mapped[int]
    reached_yen: Mapped[int]
    tax_treatment: Mapped[TaxTreatment] = mapped_column(
        Word(TaxTreatment), server_default=TaxTreatment.OUT_OF_SCOPE.value
    )
    charge_id: Mapped[str | None] = mapped_column(Id)

    @property
    def words(self) -> Bilingual:
        """The label in both languages; one that was typed is the same in both."""
        return Bilingual(self.label, self.label_en)


class SettlementLine(OfWorkspace, Base):
    """One line of a settlement's paper: the cost, and what of it is the resident's by the rule.

    A line whose part is 0 is on the paper and no deduction. `used_months` is null where age does
    not count; `note` is what was typed beside the item. `room` is the place of its photos.
    """

    __tablename__ = "settlement_line"
    building_path = through("settlement_id")
    __table_args__ = (
        link("settlement_id", "settlement"),
        CheckConstraint(
            "0 <= resident_yen AND resident_yen <= cost_yen AND 0 < unit_yen", name="in_order"
        ),
        UniqueConstraint("workspace_id", "settlement_id", "position"),
    )
    raises_version = LEDGER

    settlement_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    item: Mapped[WornItem] = mapped_column(Word(WornItem))
    note: Mapped[str | None]
    room: Mapped[CheckedRoom | None] = mapped_column(Word(CheckedRoom))
    quantity: Mapped[Decimal] = mapped_column(Exact)
    unit_yen: Mapped[int]
    bearer: Mapped[DeductionBearer] = mapped_column(Word(DeductionBearer))
    life_months: Mapped[int | None]
    fitted_on: Mapped[date] = mapped_column(Date)
    used_months: Mapped[int | None]
    cost_yen: Mapped[int]
    resident_yen: Mapped[int]


class SettlementPaper(OfWorkspace, Base):
    """How far the paper of a settlement is: sent, agreed to or objected to, released.

    A settlement without one is older than these papers, and its refund waits for no answer. The
    link in the mail is signed and contains `nonce`; the row decides.
    """

    __tablename__ = "settlement_paper"
    building_path = through("settlement_id")
    __table_args__ = (
        link("settlement_id", "settlement"),
        UniqueConstraint("workspace_id", "settlement_id"),
    )
    raises_version = LEDGER

    settlement_id: Mapped[str] = mapped_column(Id)
    nonce: Mapped[str] = mapped_column(String(32), index=True)
    sent_on: Mapped[date | None] = mapped_column(Date)
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    sent_by: Mapped[str | None]
    agreed_at: Mapped[datetime | None] = mapped_column(Instant)
    agreed_by: Mapped[str | None]
    released_at: Mapped[datetime | None] = mapped_column(Instant)
    released_by: Mapped[str | None]
    released_because: Mapped[str | None]
    last_opened_at: Mapped[datetime | None] = mapped_column(Instant)


class PaperObjection(OfWorkspace, Base):
    """What a resident objected to: one line of a paper, or all of it, in their words."""

    __tablename__ = "settlement_objection"
    building_path = through("paper_id")
    __table_args__ = (
        link("paper_id", "settlement_paper"),
        Index("ix_settlement_objection_paper_id", "workspace_id", "paper_id", "written_at"),
    )
    raises_version = LEDGER

    paper_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int | None]
    """The position of the line; null where it is about the settlement as a whole."""
    words: Mapped[str] = mapped_column(Text)
    objected_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class Refund(OfWorkspace, Base):
    """A refund that was sent; a settlement is refunded when all of its remainder was."""

    __tablename__ = "refund"
    building_path = through("settlement_id")
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
    building_path = through("old_reservation_id", "new_reservation_id")
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
    building_path = shared("one price list for all homes")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    lives: Mapped[dict[str, int | None]] = mapped_column(Json)
    prices: Mapped[dict[str, int]] = mapped_column(Json)
    version: Mapped[int] = mapped_column(default=1)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
