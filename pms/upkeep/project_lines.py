"""The hours and purchases of a project that were not taken back."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import hours_cost
from pms.upkeep.models import HoursLog, Purchase


class HoursRecord(NamedTuple):
    """One log of hours that was not taken back."""

    id: str
    task_id: str | None
    worked_on: date
    minutes: int
    hourly_yen: int | None
    note: str | None
    logged_at: datetime
    logged_by: str

    @property
    def yen(self) -> int:
        """What it costs, in whole yen."""
        return hours_cost(self.minutes, self.hourly_yen)


class PurchaseRecord(NamedTuple):
    """One purchase that was not taken back, in whole yen as paid."""

    id: str
    task_id: str | None
    bought_on: date
    shop: str | None
    what: str
    amount_yen: int
    category: FeeCategory
    logged_at: datetime
    logged_by: str


def project_hours(session: Session, project_id: str) -> Sequence[HoursRecord]:
    """Return the hours of a project, the latest day first."""
    rows = session.execute(
        select(
            HoursLog.id,
            HoursLog.task_id,
            HoursLog.worked_on,
            HoursLog.minutes,
            HoursLog.hourly_yen,
            HoursLog.note,
            HoursLog.logged_at,
            HoursLog.logged_by,
        )
        .where(HoursLog.project_id == project_id, HoursLog.removed_at.is_(None))
        .order_by(HoursLog.worked_on.desc(), HoursLog.id.desc())
    )
    return [HoursRecord._make(row) for row in rows]


def project_purchases(session: Session, project_id: str) -> Sequence[PurchaseRecord]:
    """Return the purchases of a project, the latest day first."""
    rows = session.execute(
        select(
            Purchase.id,
            Purchase.task_id,
            Purchase.bought_on,
            Purchase.shop,
            Purchase.what,
            Purchase.amount_yen,
            Purchase.category,
            Purchase.logged_at,
            Purchase.logged_by,
        )
        .where(Purchase.project_id == project_id, Purchase.removed_at.is_(None))
        .order_by(Purchase.bought_on.desc(), Purchase.id.desc())
    )
    return [PurchaseRecord._make(row) for row in rows]
