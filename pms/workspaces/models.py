"""Tables of the workspace, its policy figures and its fees (specification, Workspace; Money)."""

from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, Date, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, shared
from pms.foundation.db import Base, Exact, Id, Instant, Word
from pms.foundation.files import HAS_FILES
from pms.foundation.sealing import SEALED
from pms.foundation.tenancy import OfWorkspace, WorkspaceItself
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.rules.enumerations import AccountKind, FeeCategory, IntegrationKind, TaxTreatment
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.rules.tax_classes import TaxedItem


class Workspace(WorkspaceItself, Base):
    """One operator's workspace; its counters let a client detect changes of its rows.

    `sample_of` is the workspace for which this one is a sample to try things in.
    """

    __tablename__ = "workspace"
    __table_args__ = (Index("ix_workspace_sample_of", "sample_of", unique=True),)
    raises_version = CATALOGUE

    slug: Mapped[str] = mapped_column(String, unique=True)
    name: Mapped[str]
    name_en: Mapped[str | None]
    default_locale: Mapped[str] = mapped_column(default="ja")
    brand_hue: Mapped[int] = mapped_column(default=250)
    logo_file_key: Mapped[str | None] = mapped_column(info=HAS_FILES)
    qualified_invoice_number: Mapped[str | None]
    bank_details: Mapped[str | None]
    postcode: Mapped[str | None]
    address: Mapped[str | None]
    set_up_hidden_at: Mapped[datetime | None] = mapped_column(Instant)
    sample_of: Mapped[str | None] = mapped_column(Id)
    version: Mapped[int] = mapped_column(default=1)
    catalogue_version: Mapped[int] = mapped_column(default=1)
    occupancy_version: Mapped[int] = mapped_column(default=1)
    ledger_version: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(Instant)


class WorkspaceSlug(OfWorkspace, Base):
    """A short name that a workspace has or had in addresses; no other workspace may take it."""

    __tablename__ = "workspace_slug"
    building_path = shared("the addresses of the workspace")
    __table_args__ = (UniqueConstraint("slug"),)

    slug: Mapped[str]
    held_since: Mapped[datetime] = mapped_column(Instant)


class PolicyRow(OfWorkspace, Base):
    """The policy figures a workspace has set; one row, whose id is the workspace's."""

    __tablename__ = "policy"
    building_path = shared("the rules of every building")
    __table_args__ = (UniqueConstraint("workspace_id"),)
    raises_version = OCCUPANCY

    full_calendar_month_is_long: Mapped[bool] = mapped_column(default=True)
    short_contract_days: Mapped[int] = mapped_column(default=31)
    short_notice_days: Mapped[int] = mapped_column(default=15)
    long_notice_days: Mapped[int] = mapped_column(default=30)
    early_exit_cap_months: Mapped[Decimal] = mapped_column(Exact, default=Decimal(1))
    billing_day: Mapped[int] = mapped_column(default=25)
    turnover_days: Mapped[int] = mapped_column(default=0)
    longest_guest_stay: Mapped[int] = mapped_column(default=180)
    term_lead_days: Mapped[int] = mapped_column(default=240)
    short_term_lead_days: Mapped[int] = mapped_column(default=90)
    overpayments_pay_next_bills: Mapped[bool] = mapped_column(default=False)
    objection_days: Mapped[int] = mapped_column(default=14)
    expiry_reminder_days: Mapped[int] = mapped_column(default=60)
    explanation_by_person: Mapped[bool] = mapped_column(default=True)
    screening_before_contract: Mapped[bool] = mapped_column(default=False)
    quiet_from_hour: Mapped[int] = mapped_column(default=21)
    quiet_until_hour: Mapped[int] = mapped_column(default=8)
    declined_rent_stays: Mapped[bool] = mapped_column(default=True)
    version: Mapped[int] = mapped_column(default=1)


class PersonalDataTermsRow(OfWorkspace, Base):
    """For what a workspace uses personal data, and how long it keeps them; one row, as the policy.

    An empty purpose is the program's own text.
    """

    __tablename__ = "personal_data_terms"
    building_path = shared("printed below every form")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    purpose_ja: Mapped[str | None] = mapped_column(Text)
    purpose_en: Mapped[str | None] = mapped_column(Text)
    fiscal_year_ends_in: Mapped[int] = mapped_column(default=3)
    ledger_years: Mapped[int] = mapped_column(default=7)
    contract_years: Mapped[int] = mapped_column(default=10)
    former_years: Mapped[int] = mapped_column(default=5)
    enquiry_years: Mapped[int] = mapped_column(default=3)
    waitlist_years: Mapped[int] = mapped_column(default=1)
    version: Mapped[int] = mapped_column(default=1)


class ForgottenRecord(OfWorkspace, Base):
    """A record of a person who was forgotten; `next_on` is the day on which more of it can go.

    It is null when nothing is left that names the person.
    """

    __tablename__ = "forgotten_record"
    building_path = hidden("only operators delete personal data")
    __table_args__ = (
        UniqueConstraint("workspace_id", "subject_kind", "subject_id"),
        Index("ix_forgotten_record_next_on", "workspace_id", "next_on"),
    )

    subject_kind: Mapped[str]
    subject_id: Mapped[str] = mapped_column(Id)
    forgotten_at: Mapped[datetime] = mapped_column(Instant)
    forgotten_by: Mapped[str]
    next_on: Mapped[date | None] = mapped_column(Date)


class OfficeBank(OfWorkspace, Base):
    """The office's bank account and its codes at the bank; one row, whose id is the workspace's.

    The number is stored sealed.
    """

    __tablename__ = "office_bank"
    building_path = shared("printed on the invoices of every building")
    __table_args__ = (
        UniqueConstraint("workspace_id"),
        CheckConstraint("debit_attempts BETWEEN 1 AND 3", name="some_attempts"),
    )

    bank_code: Mapped[str]
    bank_name: Mapped[str]
    branch_code: Mapped[str]
    branch_name: Mapped[str]
    kind: Mapped[AccountKind] = mapped_column(Word(AccountKind))
    number: Mapped[str] = mapped_column(info=SEALED)
    holder: Mapped[str]
    debit_client: Mapped[str | None]
    payout_client: Mapped[str | None]
    needs_second_person: Mapped[bool] = mapped_column(default=False)
    second_person_ends_at: Mapped[datetime | None] = mapped_column(Instant)
    """When the rule of the second person ends, a day after it was turned off."""
    debit_attempts: Mapped[int] = mapped_column(default=2)
    version: Mapped[int] = mapped_column(default=1)


class Fee(OfWorkspace, Base):
    """A charge of the workspace; the code survives relabelling (specification, Fee catalogue)."""

    __tablename__ = "fee"
    building_path = shared("what can be charged in every building")
    noun = "fee"
    is_referred_to = True
    __table_args__ = (
        UniqueConstraint("workspace_id", "code"),
        CheckConstraint("(amount_yen IS NULL) <> (percent IS NULL)", name="one_figure"),
    )
    raises_version = CATALOGUE

    code: Mapped[str]
    label_ja: Mapped[str]
    label_en: Mapped[str]
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory))
    is_monthly: Mapped[bool]
    amount_yen: Mapped[int | None]
    percent: Mapped[str | None]
    tax_treatment: Mapped[TaxTreatment] = mapped_column(Word(TaxTreatment))
    version: Mapped[int] = mapped_column(default=1)


class TaxClassRow(OfWorkspace, Base):
    """The class of consumption tax that the workspace decided for an item, from a day on.

    Without a treatment the default of the law applies again.
    """

    __tablename__ = "tax_class"
    building_path = shared("the rules of every building")
    noun = "tax class"
    __table_args__ = (UniqueConstraint("workspace_id", "item", "from_on"),)
    raises_version = LEDGER

    item: Mapped[TaxedItem] = mapped_column(Word(TaxedItem))
    from_on: Mapped[date] = mapped_column(Date)
    treatment: Mapped[TaxTreatment | None] = mapped_column(Word(TaxTreatment))
    written_at: Mapped[datetime] = mapped_column(Instant)
    written_by: Mapped[str]


class Integration(OfWorkspace, Base):
    """A provider of the workspace: its address, the account there, and the sealed credential."""

    __tablename__ = "integration"
    building_path = shared("how messages and payments of every building leave")
    __table_args__ = (UniqueConstraint("workspace_id", "kind"),)

    kind: Mapped[IntegrationKind] = mapped_column(Word(IntegrationKind))
    address: Mapped[str]
    account: Mapped[str | None]
    sealed_secret: Mapped[str] = mapped_column(Text, info=SEALED)
    hint: Mapped[str]
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class WebhookSecret(OfWorkspace, Base):
    """A secret for verifying a source's events; during a rotation two are valid.

    From `retires_at` on it is invalid.
    """

    __tablename__ = "webhook_secret"
    building_path = hidden("only operators see how providers sign")
    noun = "webhook secret"
    __table_args__ = (Index("ix_webhook_secret_source", "workspace_id", "source", "purpose"),)

    source: Mapped[WebhookSource] = mapped_column(Word(WebhookSource))
    purpose: Mapped[SecretPurpose] = mapped_column(Word(SecretPurpose))
    sealed_secret: Mapped[str] = mapped_column(Text, info=SEALED)
    hint: Mapped[str]
    added_at: Mapped[datetime] = mapped_column(Instant)
    added_by: Mapped[str]
    retires_at: Mapped[datetime | None] = mapped_column(Instant)
    version: Mapped[int] = mapped_column(default=1)
