"""Tables of money at the bank: accounts, files read in, their rows, and what each row pays."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.bank_statements import MoneyMove
from pms.rules.enumerations import TransferState
from pms.rules.transfer_matching import Verdict


class BankAccountRow(OfWorkspace, Base):
    """One account of the office; `heads` and `columns` are how its bank's lists look.

    `key` is made of the numbers of bank, branch and account, or is the name that a person gave.
    """

    __tablename__ = "bank_account"
    __table_args__ = (UniqueConstraint("workspace_id", "key"),)

    key: Mapped[str]
    name: Mapped[str]
    heads: Mapped[str | None] = mapped_column(Text)
    columns: Mapped[dict[str, Any] | None] = mapped_column(Json)
    added_at: Mapped[datetime] = mapped_column(Instant)
    added_by: Mapped[str]


class BankImport(OfWorkspace, Base):
    """One account of one file that was read in; `gap_yen` was missing before it, with consent."""

    __tablename__ = "bank_import"
    __table_args__ = (
        link("account_id", "bank_account"),
        Index("ix_bank_import_account_id", "workspace_id", "account_id", "last_on"),
    )

    account_id: Mapped[str] = mapped_column(Id)
    file_name: Mapped[str]
    form: Mapped[str]
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date] = mapped_column(Date)
    opening_yen: Mapped[int | None]
    closing_yen: Mapped[int | None]
    gap_yen: Mapped[int] = mapped_column(default=0)
    rows: Mapped[int]
    new_rows: Mapped[int]
    imported_at: Mapped[datetime] = mapped_column(Instant)
    imported_by: Mapped[str]
    undone_at: Mapped[datetime | None] = mapped_column(Instant)
    undone_by: Mapped[str | None]


class BankTransfer(OfWorkspace, Base):
    """One row of a bank; `key` makes the same row of another file the same, `likeness` a file
    of another form.
    """

    __tablename__ = "bank_transfer"
    __table_args__ = (
        link("account_id", "bank_account"),
        link("import_id", "bank_import"),
        UniqueConstraint("workspace_id", "account_id", "key"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index("ix_bank_transfer_import_id", "workspace_id", "import_id"),
        Index("ix_bank_transfer_booked_on", "workspace_id", "account_id", "booked_on"),
        Index("ix_bank_transfer_state", "workspace_id", "state", "booked_on"),
    )

    account_id: Mapped[str] = mapped_column(Id)
    import_id: Mapped[str] = mapped_column(Id)
    key: Mapped[str]
    likeness: Mapped[str]
    line: Mapped[int]
    number: Mapped[str]
    booked_on: Mapped[date] = mapped_column(Date)
    is_deposit: Mapped[bool]
    move: Mapped[MoneyMove] = mapped_column(Word(MoneyMove))
    yen: Mapped[int]
    payer: Mapped[str]
    message: Mapped[str]
    text: Mapped[str]
    bank_name: Mapped[str]
    branch_name: Mapped[str]
    balance_yen: Mapped[int | None]
    is_broken: Mapped[bool] = mapped_column(default=False)
    state: Mapped[TransferState] = mapped_column(Word(TransferState))


class BankPlacement(OfWorkspace, Base):
    """What of a transfer was recorded as a payment of a reservation, and why; taken off, it stays."""

    __tablename__ = "bank_placement"
    __table_args__ = (
        link("transfer_id", "bank_transfer"),
        link("reservation_id", "reservation"),
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "payment_id"),
        CheckConstraint("yen > 0", name="some_yen"),
        # One transfer pays a reservation once, whoever tries it twice.
        Index(
            "uq_bank_placement_in_force",
            "workspace_id",
            "transfer_id",
            "reservation_id",
            unique=True,
            **only_where("taken_off_at IS NULL"),
        ),
        Index("ix_bank_placement_transfer_id", "workspace_id", "transfer_id"),
        Index("ix_bank_placement_reservation_id", "workspace_id", "reservation_id"),
    )

    transfer_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    payment_id: Mapped[str] = mapped_column(Id)
    yen: Mapped[int]
    verdict: Mapped[Verdict] = mapped_column(Word(Verdict))
    reason: Mapped[str]
    placed_at: Mapped[datetime] = mapped_column(Instant)
    placed_by: Mapped[str]
    taken_off_at: Mapped[datetime | None] = mapped_column(Instant)
    taken_off_by: Mapped[str | None]


class BankPayer(OfWorkspace, Base):
    """A payer remembered for a reservation: a company, a relative, another way to write a name."""

    __tablename__ = "bank_payer"
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "key", "form", "reservation_id"),
        Index("ix_bank_payer_reservation_id", "workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    payer: Mapped[str]
    key: Mapped[str]
    form: Mapped[str]
    learnt_from: Mapped[str | None] = mapped_column(Id)
    learnt_at: Mapped[datetime] = mapped_column(Instant)
    learnt_by: Mapped[str]
