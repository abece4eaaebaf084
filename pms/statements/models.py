"""Tables of invoices, receipts and published owner statements."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Exact, Id, Instant, Json, Word
from pms.foundation.files import HAS_FILES
from pms.foundation.sealing import SEALED, opened_column
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER
from pms.rules.enumerations import FeeCategory, TaxTreatment


class Invoice(OfWorkspace, Base):
    """The numbered paper of an entry.

    `sent_at` is when it was sent, as audit data, and `sent_file_key` the PDF as sent. Lines are
    only ever added: an entry with more than `issued_lines` was changed since the invoice was
    issued, one with more than `sent_lines` since it was sent. Earlier releases counted none.
    """

    __tablename__ = "invoice"
    building_path = through("entry_id")
    noun = "invoice"
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
    sent_file_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    issued_lines: Mapped[int | None]
    sent_lines: Mapped[int | None]
    reminded_at: Mapped[datetime | None] = mapped_column(Instant)
    parties: Mapped[dict[str, Any] | None] = mapped_column(Json)
    """Lessor, agent and registration number; null for papers of earlier releases."""
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class Receipt(OfWorkspace, Base):
    """The numbered paper of a payment."""

    __tablename__ = "receipt"
    building_path = through("payment_id")
    noun = "receipt"
    __table_args__ = (
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "payment_id"),
        UniqueConstraint("workspace_id", "number"),
    )

    payment_id: Mapped[str] = mapped_column(Id)
    number: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    locale: Mapped[str]
    parties: Mapped[dict[str, Any] | None] = mapped_column(Json)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class ReceiptCorrection(OfWorkspace, Base):
    """The numbered paper that voids a receipt, or states how much of its money was returned.

    Its content is in the payment's opposite row, `return_id`; the receipt itself does not change.
    """

    __tablename__ = "receipt_correction"
    building_path = through("receipt_id")
    noun = "receipt"
    __table_args__ = (
        link("receipt_id", "receipt"),
        link("return_id", "payment_return"),
        UniqueConstraint("workspace_id", "return_id"),
        UniqueConstraint("workspace_id", "number"),
        Index("ix_receipt_correction_receipt_id", "workspace_id", "receipt_id"),
    )

    receipt_id: Mapped[str] = mapped_column(Id)
    return_id: Mapped[str] = mapped_column(Id)
    number: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class OwnerStatement(OfWorkspace, Base):
    """The figures of a building's month as published; a correction is the next version."""

    __tablename__ = "owner_statement"
    building_path = through("building_id")
    noun = "statement"
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "building_id", "month_on", "version"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    month_on: Mapped[date] = mapped_column(Date)
    version: Mapped[int]
    figures: Mapped[dict[str, Any]] = mapped_column(Json)
    published_at: Mapped[datetime] = mapped_column(Instant)
    published_by: Mapped[str]


class StatementAccount(OfWorkspace, Base):
    """The account agreed on when a statement was published, sealed.

    It lies apart from the statement, which never changes: it is sealed anew with a new key.
    """

    __tablename__ = "statement_account"
    building_path = through("statement_id")
    __table_args__ = (
        link("statement_id", "owner_statement"),
        UniqueConstraint("workspace_id", "statement_id"),
    )

    statement_id: Mapped[str] = mapped_column(Id)
    account: Mapped[str] = mapped_column(Text, info=SEALED)


class FeeInvoice(OfWorkspace, Base):
    """The numbered invoice of a management fee to one owner; it never changes once issued.

    `yen` includes the tax. When a corrected statement has another fee, the difference is a separate
    invoice, negative for a reduced fee; together they are the owner's fee.
    """

    __tablename__ = "fee_invoice"
    building_path = through("building_id")
    __table_args__ = (
        link("statement_id", "owner_statement"),
        link("building_id", "building"),
        link("owner_id", "owner"),
        UniqueConstraint("workspace_id", "statement_id", "owner_id"),
        UniqueConstraint("workspace_id", "number"),
        CheckConstraint("yen <> 0", name="not_zero"),
        Index("ix_fee_invoice_building_id", "workspace_id", "building_id", "month_on"),
        Index("ix_fee_invoice_owner_id", "workspace_id", "owner_id", "month_on"),
    )

    statement_id: Mapped[str] = mapped_column(Id)
    building_id: Mapped[str] = mapped_column(Id)
    month_on: Mapped[date] = mapped_column(Date)
    owner_id: Mapped[str] = mapped_column(Id)
    number: Mapped[str]
    issued_on: Mapped[date] = mapped_column(Date)
    yen: Mapped[int]
    tax_yen: Mapped[int]
    facts: Mapped[dict[str, Any]] = mapped_column(Json)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class OwnerTerms(OfWorkspace, Base):
    """The terms between an owner and the operator for a building, from a day on.

    The percentage is what the operator keeps of a month's income; the payout is made on
    `payout_day` of the next month, or on its last day if the month is shorter.
    """

    __tablename__ = "owner_terms"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "building_id", "from_on"),
        CheckConstraint("payout_day BETWEEN 1 AND 31", name="payout_day_of_a_month"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    from_on: Mapped[date] = mapped_column(Date)
    management_percent: Mapped[Decimal] = mapped_column(Exact)
    payout_day: Mapped[int]
    sealed_account: Mapped[str | None] = mapped_column("payout_account", Text, info=SEALED)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]

    @property
    def payout_account(self) -> str | None:
        """The account as statements print it, opened."""
        return opened_column(self, self.sealed_account)


class MasterLease(OfWorkspace, Base):
    """What the operator pays the owner for a building under master lease, from a day on.

    `steps` are those of `pms.rules.master_leases`; a percentage is of the rents of the `categories`.
    """

    __tablename__ = "master_lease"
    building_path = through("building_id")
    noun = "master lease"
    __table_args__ = (
        link("building_id", "building"),
        UniqueConstraint("workspace_id", "building_id", "first_on"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date | None] = mapped_column(Date)
    free_months: Mapped[int]
    steps: Mapped[list[Any]] = mapped_column(Json)
    categories: Mapped[list[Any]] = mapped_column(Json)
    tax_treatment: Mapped[TaxTreatment] = mapped_column(Word(TaxTreatment))
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class OwnerDeduction(OfWorkspace, Base):
    """A cost of a building that the owner bears; a correction is a row with the opposite sign."""

    __tablename__ = "owner_deduction"
    building_path = through("building_id")
    __table_args__ = (
        link("building_id", "building"),
        CheckConstraint("amount_yen <> 0", name="not_zero"),
        Index("ix_owner_deduction_building_id", "workspace_id", "building_id", "deducted_on"),
    )
    raises_version = LEDGER

    building_id: Mapped[str] = mapped_column(Id)
    deducted_on: Mapped[date] = mapped_column(Date)
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory))
    label_ja: Mapped[str]
    label_en: Mapped[str]
    amount_yen: Mapped[int]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class ProjectCharge(OfWorkspace, Base):
    """Links a deduction to the maintenance project whose cost it charges to the owner."""

    __tablename__ = "project_charge"
    building_path = through("deduction_id")
    __table_args__ = (
        link("project_id", "maintenance_project"),
        link("deduction_id", "owner_deduction"),
        UniqueConstraint("workspace_id", "deduction_id"),
        Index("ix_project_charge_project_id", "workspace_id", "project_id"),
    )

    project_id: Mapped[str] = mapped_column(Id)
    deduction_id: Mapped[str] = mapped_column(Id)


class ArrivalReminder(OfWorkspace, Base):
    """One of the two mails around an arrival (specification, Contract dates); each is sent once."""

    __tablename__ = "arrival_reminder"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "reservation_id", "number"),
        CheckConstraint("number IN (1, 2)", name="two"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    number: Mapped[int]
    arrival_on: Mapped[date] = mapped_column(Date)
    sent_at: Mapped[datetime] = mapped_column(Instant)
