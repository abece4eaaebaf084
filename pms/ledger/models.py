"""Tables of the ledger (specification, Ledger entry; Line; Charge; Deposit).

Rows are inserted once. Voiding adds an opposite entry, repricing adds reversing and new lines,
moving a payment adds allocations of both signs; the database refuses to update or delete a row.
"""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ColumnElement, Date, Index, UniqueConstraint, case
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER
from pms.rules.enumerations import (
    DepositMoveKind,
    EntryKind,
    FeeCategory,
    ReturnKind,
    RowKind,
    TaxTreatment,
)


class LedgerEntry(OfWorkspace, Base):
    """One billable event of a reservation; its total is the sum of its lines.

    `period` and `round` are unique, so that repeated runs bill once: a rent entry's period is its
    first day, and a period billed again after its entry was voided is the next round.
    """

    __tablename__ = "ledger_entry"
    building_path = through("reservation_id")
    noun = "ledger entry"
    __table_args__ = (
        link("reservation_id", "reservation"),
        link("arrears_of_id", "ledger_entry"),
        link("opposes_id", "ledger_entry"),
        UniqueConstraint("workspace_id", "reservation_id", "kind", "period", "round"),
        UniqueConstraint("workspace_id", "opposes_id"),
        CheckConstraint("kind = 'opening' OR due_on >= issued_on", name="due_when_issued"),
        CheckConstraint("(kind = 'opposite') = (opposes_id IS NOT NULL)", name="opposite"),
        CheckConstraint("(kind = 'arrears') = (arrears_of_id IS NOT NULL)", name="arrears"),
        Index("ix_ledger_entry_issued_on", "workspace_id", "issued_on"),
        # Few entries oppose another: a full index would let the planner expect many with the same
        # value.
        Index(
            "ix_ledger_entry_opposes_id",
            "workspace_id",
            "opposes_id",
            **only_where("opposes_id IS NOT NULL"),
        ),
        Index(
            "ix_ledger_entry_arrears_of_id",
            "workspace_id",
            "arrears_of_id",
            **only_where("arrears_of_id IS NOT NULL"),
        ),
        # Reports are answered from these three indexes alone (docs/decisions/ledger.md).
        Index(
            "ix_ledger_entry_reservation_id", "workspace_id", "reservation_id", "id", "issued_on"
        ),
    )
    raises_version = LEDGER

    reservation_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[EntryKind] = mapped_column(Word(EntryKind))
    period: Mapped[str]
    round: Mapped[int] = mapped_column(default=1)
    label_ja: Mapped[str]
    label_en: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    due_on: Mapped[date] = mapped_column(Date)
    arrears_of_id: Mapped[str | None] = mapped_column(Id)
    cancelled_yen: Mapped[int] = mapped_column(default=0)
    opposes_id: Mapped[str | None] = mapped_column(Id)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class EntryTotal(OfWorkspace, Base):
    """An entry's billed and paid amounts over all days; its id is the entry's.

    Triggers of the database write it with each entry, line and allocation (migration 0036), never
    the program. `last_on` is the latest day of any of them; from that day on the sums apply.
    """

    __tablename__ = "entry_total"
    building_path = through("id")
    __table_args__ = (
        link("id", "ledger_entry"),
        Index(
            "ix_entry_total_open",
            "workspace_id",
            "id",
            **only_where("billed_yen <> paid_yen OR deposit_yen < 0"),
        ),
        Index("ix_entry_total_last_on", "workspace_id", "last_on"),
        Index(
            "ix_entry_total_deposit",
            "workspace_id",
            "reservation_id",
            "id",
            "deposit_yen",
            **only_where("deposit_yen <> 0"),
        ),
        Index("ix_entry_total_billed_yen", "workspace_id", "billed_yen", "id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    billed_yen: Mapped[int]
    deposit_yen: Mapped[int]
    paid_yen: Mapped[int]
    last_on: Mapped[date] = mapped_column(Date)


class BilledRow(OfWorkspace, Base):
    """A run of days that an entry bills: rent, a stub, or a period of the move-in invoice."""

    __tablename__ = "billed_row"
    building_path = through("reservation_id")
    __table_args__ = (
        link("entry_id", "ledger_entry"),
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "entry_id", "first_on"),
        Index("ix_billed_row_reservation_id", "workspace_id", "reservation_id", "first_on"),
        Index("ix_billed_row_first_on", "workspace_id", "first_on"),
    )

    entry_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[RowKind] = mapped_column(Word(RowKind))
    first_on: Mapped[date] = mapped_column(Date)


class RowExtent(OfWorkspace, Base):
    """The last day of a billed row as of its n-th writing; the latest applies.

    Without a last day the row has netted to 0, and an edit may give it days again. A row that ends
    the day before its first day was replaced on the invoice by an override of the dates.
    """

    __tablename__ = "row_extent"
    building_path = through("row_id")
    __table_args__ = (
        link("row_id", "billed_row"),
        UniqueConstraint("workspace_id", "row_id", "number"),
        # Few rows are written again; a billing run asks which.
        Index(
            "ix_row_extent_written_again",
            "workspace_id",
            "row_id",
            **only_where("number > 1"),
        ),
    )

    row_id: Mapped[str] = mapped_column(Id)
    number: Mapped[int]
    last_on: Mapped[date | None] = mapped_column(Date)
    set_on: Mapped[date] = mapped_column(Date)


class LedgerLine(OfWorkspace, Base):
    """One item of an entry: whole yen, a credit negative, with its category and its days."""

    __tablename__ = "ledger_line"
    building_path = through("entry_id")
    __table_args__ = (
        link("entry_id", "ledger_entry"),
        link("row_id", "billed_row"),
        Index(
            "ix_ledger_line_entry_id",
            "workspace_id",
            "entry_id",
            "posted_on",
            "is_deposit",
            "amount_yen",
        ),
        Index("ix_ledger_line_posted_on", "workspace_id", "posted_on"),
    )
    raises_version = LEDGER

    entry_id: Mapped[str] = mapped_column(Id)
    row_id: Mapped[str | None] = mapped_column(Id, index=True)
    item: Mapped[str]
    label_ja: Mapped[str]
    label_en: Mapped[str]
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory))
    tax_treatment: Mapped[TaxTreatment] = mapped_column(Word(TaxTreatment))
    is_deposit: Mapped[bool] = mapped_column(default=False)
    first_on: Mapped[date | None] = mapped_column(Date)
    last_on: Mapped[date | None] = mapped_column(Date)
    amount_yen: Mapped[int]
    posted_on: Mapped[date] = mapped_column(Date)


class Payment(OfWorkspace, Base):
    """Money that was received; `reference` is the sender's or provider's and unique."""

    __tablename__ = "payment"
    building_path = through("reservation_id")
    noun = "payment"
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "method", "reference"),
        CheckConstraint("amount_yen > 0", name="positive"),
        Index("ix_payment_reservation_id", "workspace_id", "reservation_id", "received_on"),
        Index("ix_payment_received_on", "workspace_id", "received_on", "id"),
        Index("ix_payment_amount_yen", "workspace_id", "amount_yen", "received_on", "id"),
    )
    raises_version = LEDGER

    reservation_id: Mapped[str] = mapped_column(Id)
    received_on: Mapped[date] = mapped_column(Date)
    amount_yen: Mapped[int]
    method: Mapped[str]
    reference: Mapped[str | None]
    note: Mapped[str | None]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class PaymentReturn(OfWorkspace, Base):
    """The opposite row of a payment: money returned to its payer, or a reversed wrong payment.

    A restored row is the opposite of returned ones. `reference` is the bank's or the provider's,
    `note` the reason.
    """

    __tablename__ = "payment_return"
    building_path = through("payment_id")
    __table_args__ = (
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "reference"),
        CheckConstraint("amount_yen > 0", name="positive"),
        Index("ix_payment_return_payment_id", "workspace_id", "payment_id"),
        Index("ix_payment_return_reservation_id", "workspace_id", "reservation_id", "returned_on"),
    )
    raises_version = LEDGER

    payment_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[ReturnKind] = mapped_column(Word(ReturnKind), default=ReturnKind.RETURNED)
    returned_on: Mapped[date] = mapped_column(Date)
    amount_yen: Mapped[int]
    reference: Mapped[str]
    note: Mapped[str | None]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]

    @hybrid_property
    def taken_yen(self) -> int:
        """The yen taken off the payment; negative where a return was undone."""
        return -self.amount_yen if self.kind is ReturnKind.RESTORED else self.amount_yen

    @taken_yen.inplace.expression
    @classmethod
    def _select_taken_yen(cls) -> ColumnElement[int]:
        return case((cls.kind == ReturnKind.RESTORED, -cls.amount_yen), else_=cls.amount_yen)


class Allocation(OfWorkspace, Base):
    """Yen added to an entry on a day, or taken off: of a payment, a settlement or a credit.

    Without a payment the yen come from the netting of a settlement (`settlement_id`), or were moved
    by an amendment to the new record (`transfer_id`), with an allocation on either side; without
    any of these they come from a credit, which has the same yen taken off. `return_id` is the
    opposite row of the payment that took yen off or put them back; rows older than it have none.
    """

    __tablename__ = "allocation"
    building_path = through("entry_id")
    __table_args__ = (
        link("entry_id", "ledger_entry"),
        link("payment_id", "payment"),
        Index("ix_allocation_entry_id", "workspace_id", "entry_id", "allocated_on", "amount_yen"),
        Index(
            "ix_allocation_transfer_id",
            "workspace_id",
            "transfer_id",
            **only_where("transfer_id IS NOT NULL"),
        ),
        Index("ix_allocation_allocated_on", "workspace_id", "allocated_on", "entry_id"),
        Index("ix_allocation_written_at", "workspace_id", "written_at", "allocated_on"),
    )
    raises_version = LEDGER

    entry_id: Mapped[str] = mapped_column(Id)
    payment_id: Mapped[str | None] = mapped_column(Id, index=True)
    settlement_id: Mapped[str | None] = mapped_column(Id, index=True)
    transfer_id: Mapped[str | None] = mapped_column(Id)
    return_id: Mapped[str | None] = mapped_column(Id)
    amount_yen: Mapped[int]
    allocated_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)


class DepositMoveRow(OfWorkspace, Base):
    """A ledger line that closes or moves a held deposit: settled, out, or in."""

    __tablename__ = "deposit_move"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "transfer_id", "kind"),
        UniqueConstraint("workspace_id", "settlement_id"),
        CheckConstraint("amount_yen > 0", name="positive"),
        CheckConstraint(
            "(kind = 'settled') = (transfer_id IS NULL)"
            " AND (kind = 'settled') = (settlement_id IS NOT NULL)",
            name="one_cause",
        ),
        Index("ix_deposit_move_reservation_id", "workspace_id", "reservation_id", "moved_on"),
    )
    raises_version = LEDGER

    reservation_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[DepositMoveKind] = mapped_column(Word(DepositMoveKind))
    moved_on: Mapped[date] = mapped_column(Date)
    amount_yen: Mapped[int]
    transfer_id: Mapped[str | None] = mapped_column(Id)
    settlement_id: Mapped[str | None] = mapped_column(Id)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
