"""Tables of the price of a reservation (specification, Pricing snapshot)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import through
from pms.foundation.db import Base, Id, Instant, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import OCCUPANCY
from pms.rules.enumerations import FeeCategory, TaxTreatment


class _MonthlyAmounts:
    """The recurring monthly amounts of every price, in whole yen."""

    base_rent_yen: Mapped[int]
    utilities_yen: Mapped[int] = mapped_column(default=0)
    building_maintenance_yen: Mapped[int] = mapped_column(default=0)
    short_term_surcharge_yen: Mapped[int] = mapped_column(default=0)
    guest_surcharge_yen: Mapped[int] = mapped_column(default=0)


class PeriodFee(OfWorkspace, Base):
    """A workspace-defined monthly fee of a period, with all that its lines need."""

    __tablename__ = "period_fee"
    building_path = through("period_id")
    __table_args__ = (
        link("period_id", "price_period", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "period_id", "code"),
    )
    raises_version = OCCUPANCY

    period_id: Mapped[str] = mapped_column(Id)
    code: Mapped[str]
    label_ja: Mapped[str]
    label_en: Mapped[str]
    category: Mapped[FeeCategory] = mapped_column(Word(FeeCategory))
    tax_treatment: Mapped[TaxTreatment] = mapped_column(Word(TaxTreatment))
    amount_yen: Mapped[int]


class FrozenDiscount(OfWorkspace, Base):
    """The discount frozen with the price, and its minimum stay.

    The percentage is exact decimal text; either it or the yen a month is set.
    """

    __tablename__ = "frozen_discount"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
        CheckConstraint("(percent IS NULL) <> (monthly_yen IS NULL)", name="one_figure"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    label_ja: Mapped[str]
    label_en: Mapped[str]
    percent: Mapped[str | None]
    monthly_yen: Mapped[int | None]
    is_recurring: Mapped[bool] = mapped_column(default=True)
    minimum_stay_days: Mapped[int] = mapped_column(default=0)


class PricingSnapshot(_MonthlyAmounts, OfWorkspace, Base):
    """The original price: written once at booking, never changed."""

    __tablename__ = "pricing_snapshot"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    frozen_at: Mapped[datetime] = mapped_column(Instant)


class PricePeriod(_MonthlyAmounts, OfWorkspace, Base):
    """A run of days of the current price, both ends included; the last one is open-ended."""

    __tablename__ = "price_period"
    building_path = through("reservation_id")
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id", "first_on"),
        CheckConstraint("last_on IS NULL OR last_on >= first_on", name="days_in_order"),
    )
    raises_version = OCCUPANCY

    reservation_id: Mapped[str] = mapped_column(Id)
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date | None] = mapped_column(Date)
