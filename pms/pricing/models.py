"""Tables of the price of a reservation (specification, Pricing snapshot)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant
from pms.foundation.tenancy import OfWorkspace, link


class _MonthlyAmounts:
    """The recurring monthly amounts every price holds, whole yen."""

    base_rent_yen: Mapped[int]
    utilities_yen: Mapped[int] = mapped_column(default=0)
    building_maintenance_yen: Mapped[int] = mapped_column(default=0)
    short_term_surcharge_yen: Mapped[int] = mapped_column(default=0)
    guest_surcharge_yen: Mapped[int] = mapped_column(default=0)


class PricingSnapshot(_MonthlyAmounts, OfWorkspace, Base):
    """The original price: written once at booking, never changed."""

    __tablename__ = "pricing_snapshot"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    frozen_at: Mapped[datetime] = mapped_column(Instant)


class PricePeriod(_MonthlyAmounts, OfWorkspace, Base):
    """A run of days of the current price, both ends included; the last one is open-ended."""

    __tablename__ = "price_period"
    __table_args__ = (
        link("reservation_id", "reservation", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "reservation_id", "first_on"),
        CheckConstraint("last_on IS NULL OR last_on >= first_on", name="days_in_order"),
    )

    reservation_id: Mapped[str] = mapped_column(Id)
    first_on: Mapped[date] = mapped_column(Date)
    last_on: Mapped[date | None] = mapped_column(Date)
