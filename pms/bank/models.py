"""Tables of bank accounts, imported files, their rows, placements, mandates and payout files."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, through
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.sealing import SEALED, opened_column
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import LEDGER
from pms.rules.bank_statements import MoneyMove
from pms.rules.enumerations import (
    AccountKind,
    DebitOutcome,
    MandateState,
    PayoutKind,
    TransferState,
)
from pms.rules.transfer_matching import MatchCertainty


class BankAccountRow(OfWorkspace, Base):
    """One account of the office; `heads` and `columns` describe the lists of its bank.

    `key` is the name that a person gave while the numbers are not known, and the id of the row
    once they are. `heads` has a line of headings for each form of its lists.
    """

    __tablename__ = "bank_account"
    building_path = hidden("the accounts of the office")
    noun = "account"
    __table_args__ = (UniqueConstraint("workspace_id", "key"),)

    key: Mapped[str]
    name: Mapped[str]
    bank_code: Mapped[str | None]
    branch_code: Mapped[str | None]
    kind: Mapped[str | None]
    sealed_number: Mapped[str | None] = mapped_column("number", info=SEALED)
    heads: Mapped[str | None] = mapped_column(Text)
    columns: Mapped[dict[str, Any] | None] = mapped_column(Json)
    added_at: Mapped[datetime] = mapped_column(Instant)
    added_by: Mapped[str]

    @property
    def number(self) -> str | None:
        """The account number, opened; None while it is not known."""
        return opened_column(self, self.sealed_number)


class BankImport(OfWorkspace, Base):
    """One account of an imported file; `gap_yen` is an accepted gap in the balance before it."""

    __tablename__ = "bank_import"
    building_path = hidden("the accounts of the office")
    noun = "import"
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
    """One row of a bank file; the same row in another file has the same `key`.

    `other_keys` are those of rows in other words that a person said were this transfer.
    """

    __tablename__ = "bank_transfer"
    building_path = through(named_by=("bank_placement.transfer_id",))
    noun = "transfer"
    __table_args__ = (
        link("account_id", "bank_account"),
        link("import_id", "bank_import"),
        UniqueConstraint("workspace_id", "account_id", "key"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index("ix_bank_transfer_import_id", "workspace_id", "import_id"),
        Index("ix_bank_transfer_booked_on", "workspace_id", "account_id", "booked_on"),
        Index("ix_bank_transfer_state", "workspace_id", "state", "booked_on"),
    )
    raises_version = LEDGER

    account_id: Mapped[str] = mapped_column(Id)
    import_id: Mapped[str] = mapped_column(Id)
    key: Mapped[str]
    other_keys: Mapped[list[str] | None] = mapped_column(Json)
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


class BankMatching(OfWorkspace, Base):
    """For which day and with which fees the kept verdicts of a workspace were made; one row.

    `id` is the workspace's. `number` counts the renewals, and `people` those who were compared.
    """

    __tablename__ = "bank_matching"
    building_path = hidden("the accounts of the office")

    number: Mapped[int]
    made_on: Mapped[date] = mapped_column(Date)
    fees: Mapped[list[int]] = mapped_column(Json)
    people: Mapped[int]


class BankReading(OfWorkspace, Base):
    """Whose the transfers of one payer may be, as found at the last comparison with everybody.

    From it a transfer is matched again when only bills changed. Many transfers are of one payer.
    """

    __tablename__ = "bank_reading"
    building_path = hidden("the accounts of the office")
    __table_args__ = (UniqueConstraint("workspace_id", "payer", "message", "is_broken"),)

    payer: Mapped[str]
    message: Mapped[str]
    is_broken: Mapped[bool]
    reading: Mapped[list[Any]] = mapped_column(Json)


class BankReadingKey(OfWorkspace, Base):
    """What a reading names: a reservation by its id, or a number after a sharp sign."""

    __tablename__ = "bank_reading_key"
    building_path = hidden("the accounts of the office")
    __table_args__ = (
        link("reading_id", "bank_reading", ondelete="CASCADE"),
        Index("ix_bank_reading_key_reading_id", "workspace_id", "reading_id"),
        Index("ix_bank_reading_key_key", "workspace_id", "key", "reading_id"),
    )

    reading_id: Mapped[str] = mapped_column(Id)
    key: Mapped[str]


class BankVerdict(OfWorkspace, Base):
    """What a waiting transfer would pay, and why; `id` is the transfer's.

    It outlives its transfer until the next renewal, which finds by it whose bills the transfer no
    longer pays. A transfer that pays nobody, such as interest, has no reading.
    """

    __tablename__ = "bank_verdict"
    building_path = hidden("who may have sent a transfer, of all tenants")
    __table_args__ = (
        link("reading_id", "bank_reading"),
        Index("ix_bank_verdict_reading_id", "workspace_id", "reading_id"),
    )

    reading_id: Mapped[str | None] = mapped_column(Id)
    verdict: Mapped[MatchCertainty] = mapped_column(Word(MatchCertainty))
    match: Mapped[list[Any]] = mapped_column(Json)


class BankVerdictPayee(OfWorkspace, Base):
    """A resident whose bills a verdict pays, so that later transfers cannot pay them."""

    __tablename__ = "bank_verdict_payee"
    building_path = hidden("who may have sent a transfer, of all tenants")
    __table_args__ = (
        link("verdict_id", "bank_verdict", ondelete="CASCADE"),
        Index("ix_bank_verdict_payee_verdict_id", "workspace_id", "verdict_id"),
        Index("ix_bank_verdict_payee_payee", "workspace_id", "payee", "verdict_id"),
    )

    verdict_id: Mapped[str] = mapped_column(Id)
    payee: Mapped[str] = mapped_column(Id)


class BankChange(OfWorkspace, Base):
    """Something that verdicts depend on and that was changed since the last renewal.

    Triggers of the database write it, never the program, so that no change is forgotten. `about` is
    what was changed: of `bills` the reservation, of a `transfer` its own id, of `people` the
    workspace. `written_in` is the transaction on PostgreSQL, on SQLite the last renewal: a renewal
    deletes the notes that it has seen, and none that was written meanwhile.
    """

    __tablename__ = "bank_change"
    building_path = hidden("the accounts of the office")
    __table_args__ = (UniqueConstraint("workspace_id", "kind", "about", "written_in"),)

    kind: Mapped[str]
    about: Mapped[str] = mapped_column(Id)
    written_in: Mapped[int]


class BankPlacement(OfWorkspace, Base):
    """The part of a transfer recorded as a payment, with the reason; kept after it is taken off."""

    __tablename__ = "bank_placement"
    building_path = through("reservation_id")
    __table_args__ = (
        link("transfer_id", "bank_transfer"),
        link("reservation_id", "reservation"),
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "payment_id"),
        CheckConstraint("yen > 0", name="some_yen"),
        # Concurrent placements cannot pay a reservation twice from one transfer.
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
    verdict: Mapped[MatchCertainty] = mapped_column(Word(MatchCertainty))
    reason: Mapped[str]
    placed_at: Mapped[datetime] = mapped_column(Instant)
    placed_by: Mapped[str]
    taken_off_at: Mapped[datetime | None] = mapped_column(Instant)
    taken_off_by: Mapped[str | None]


class BankPayer(OfWorkspace, Base):
    """A payer remembered for a reservation: a company, a relative, another spelling of a name."""

    __tablename__ = "bank_payer"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "key", "form", "reservation_id"),
        Index("ix_bank_payer_reservation_id", "workspace_id", "reservation_id"),
    )
    raises_version = LEDGER

    reservation_id: Mapped[str] = mapped_column(Id)
    payer: Mapped[str]
    key: Mapped[str]
    form: Mapped[str]
    learnt_from: Mapped[str | None] = mapped_column(Id)
    learnt_at: Mapped[datetime] = mapped_column(Instant)
    learnt_by: Mapped[str]


class _AccountColumns:
    """A bank account in the form of a bank file; its number is stored sealed."""

    bank_code: Mapped[str]
    bank_name: Mapped[str]
    branch_code: Mapped[str]
    branch_name: Mapped[str]
    kind: Mapped[AccountKind] = mapped_column(Word(AccountKind))
    number: Mapped[str] = mapped_column(info=SEALED)
    holder: Mapped[str]


class _OrderColumns:
    """A file for the bank: its day, the office's account with its number sealed, and its steps."""

    due_on: Mapped[date] = mapped_column(Date)
    office: Mapped[dict[str, Any]] = mapped_column(Json)
    office_number: Mapped[str] = mapped_column(Text, info=SEALED)
    count: Mapped[int]
    total_yen: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(Instant)
    made_by: Mapped[str]
    confirmed_at: Mapped[datetime | None] = mapped_column(Instant)
    confirmed_by: Mapped[str | None]
    handed_over_at: Mapped[datetime | None] = mapped_column(Instant)
    handed_over_by: Mapped[str | None]
    dropped_at: Mapped[datetime | None] = mapped_column(Instant)
    dropped_by: Mapped[str | None]


class DebitMandate(_AccountColumns, OfWorkspace, Base):
    """A payer's mandate to debit a tenancy's bills; `is_first` until it was used."""

    __tablename__ = "debit_mandate"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "customer"),
        Index(
            "uq_debit_mandate_in_force",
            "workspace_id",
            "reservation_id",
            unique=True,
            **only_where("state <> 'ended'"),
        ),
        Index("ix_debit_mandate_reservation_id", "workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    customer: Mapped[str]
    state: Mapped[MandateState] = mapped_column(Word(MandateState))
    from_on: Mapped[date] = mapped_column(Date)
    is_first: Mapped[bool] = mapped_column(default=True)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class DebitFile(_OrderColumns, OfWorkspace, Base):
    """A request to collect the bills of a month on a day, with the totals of its result."""

    __tablename__ = "debit_file"
    building_path = through(named_by=("debit.file_id",))
    noun = "file"
    __table_args__ = (
        CheckConstraint("total_yen > 0", name="some_yen"),
        Index("ix_debit_file_due_on", "workspace_id", "due_on"),
    )

    answered_at: Mapped[datetime | None] = mapped_column(Instant)
    answered_by: Mapped[str | None]
    collected_yen: Mapped[int | None]
    failed: Mapped[int | None]


class Debit(_AccountColumns, OfWorkspace, Base):
    """One record of a request: the yen of one mandate, and the bank's answer."""

    __tablename__ = "debit"
    building_path = through("reservation_id")
    __table_args__ = (
        link("file_id", "debit_file"),
        link("mandate_id", "debit_mandate"),
        link("reservation_id", "reservation"),
        link("payment_id", "payment"),
        UniqueConstraint("workspace_id", "file_id", "customer"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index("ix_debit_reservation_id", "workspace_id", "reservation_id"),
        Index("ix_debit_mandate_id", "workspace_id", "mandate_id"),
    )

    file_id: Mapped[str] = mapped_column(Id)
    mandate_id: Mapped[str] = mapped_column(Id)
    reservation_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    customer: Mapped[str]
    yen: Mapped[int]
    is_first: Mapped[bool]
    code: Mapped[str | None]
    outcome: Mapped[DebitOutcome | None] = mapped_column(Word(DebitOutcome))
    payment_id: Mapped[str | None] = mapped_column(Id)


class DebitBill(OfWorkspace, Base):
    """A bill that a debit collects; while the answer is awaited, it is in no other file."""

    __tablename__ = "debit_bill"
    building_path = through("debit_id")
    __table_args__ = (
        link("debit_id", "debit"),
        link("entry_id", "ledger_entry"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index(
            "uq_debit_bill_awaited",
            "workspace_id",
            "entry_id",
            unique=True,
            **only_where("is_awaited"),
        ),
        Index("ix_debit_bill_debit_id", "workspace_id", "debit_id"),
        Index("ix_debit_bill_entry_id", "workspace_id", "entry_id"),
    )

    debit_id: Mapped[str] = mapped_column(Id)
    entry_id: Mapped[str] = mapped_column(Id)
    yen: Mapped[int]
    is_awaited: Mapped[bool] = mapped_column(default=True)


class PayeeAccount(_AccountColumns, OfWorkspace, Base):
    """The account for an owner's payouts or a tenancy's refund."""

    __tablename__ = "payee_account"
    building_path = through("reservation_id", "owner_id")
    __table_args__ = (
        link("owner_id", "owner"),
        link("reservation_id", "reservation"),
        UniqueConstraint("workspace_id", "owner_id"),
        UniqueConstraint("workspace_id", "reservation_id"),
        CheckConstraint("(owner_id IS NULL) <> (reservation_id IS NULL)", name="one_payee"),
    )

    owner_id: Mapped[str | None] = mapped_column(Id)
    reservation_id: Mapped[str | None] = mapped_column(Id)
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class PayoutFile(_OrderColumns, OfWorkspace, Base):
    """A file of payouts for a day; a second person confirms it if the office requires that."""

    __tablename__ = "payout_file"
    building_path = through(named_by=("payout.file_id",))
    noun = "file"
    __table_args__ = (
        CheckConstraint("total_yen > 0", name="some_yen"),
        Index("ix_payout_file_due_on", "workspace_id", "due_on"),
    )

    needs_second_person: Mapped[bool]


class PayoutRow(_AccountColumns, OfWorkspace, Base):
    """One payout of a file; `source` is the owner's month or the settlement that it pays."""

    __tablename__ = "payout"
    building_path = through("payee_id:reservation", "payee_id:owner")
    __table_args__ = (
        link("file_id", "payout_file"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index(
            "uq_payout_in_force",
            "workspace_id",
            "payout_kind",
            "source",
            unique=True,
            **only_where("is_in_force"),
        ),
        Index("ix_payout_file_id", "workspace_id", "file_id", "position"),
    )

    file_id: Mapped[str] = mapped_column(Id)
    position: Mapped[int]
    payout_kind: Mapped[PayoutKind] = mapped_column(Word(PayoutKind))
    source: Mapped[str]
    payee: Mapped[str]
    detail: Mapped[str]
    yen: Mapped[int]
    is_in_force: Mapped[bool] = mapped_column(default=True)
    payee_id: Mapped[str | None] = mapped_column(Id)
    """The owner, or the reservation of a refund; None for payouts of earlier releases."""
    is_first: Mapped[bool] = mapped_column(default=False)
    """Whether the bank got no earlier payout to the payee; False in files of earlier releases."""
    account_changed_at: Mapped[datetime | None] = mapped_column(Instant)
    """When the account was changed since the last payout to the payee; None if it was not.

    Of a first payout it is when the account was entered.
    """
    account_changed_by: Mapped[str | None]


class FeeWriteOff(OfWorkspace, Base):
    """A bank fee missing from a transfer, written off in favour of the payer."""

    __tablename__ = "bank_fee_write_off"
    building_path = through("entry_id")
    __table_args__ = (
        link("transfer_id", "bank_transfer"),
        link("entry_id", "ledger_entry"),
        link("credit_id", "ledger_entry"),
        UniqueConstraint("workspace_id", "credit_id"),
        CheckConstraint("yen > 0", name="some_yen"),
        Index("ix_bank_fee_write_off_transfer_id", "workspace_id", "transfer_id"),
        Index("ix_bank_fee_write_off_yen", "workspace_id", "yen"),
    )
    raises_version = LEDGER

    transfer_id: Mapped[str] = mapped_column(Id)
    entry_id: Mapped[str] = mapped_column(Id)
    credit_id: Mapped[str] = mapped_column(Id)
    yen: Mapped[int]
    reason: Mapped[str]
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]
    undone_at: Mapped[datetime | None] = mapped_column(Instant)
