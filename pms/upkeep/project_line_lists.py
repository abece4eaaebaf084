"""Hours and purchases of a project as they are listed."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import Result, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import hours_cost
from pms.upkeep.models import HoursLog, Purchase


class HoursRecord(NamedTuple):
    """One entry of hours that was not removed."""

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
        """Its cost in whole yen."""
        return hours_cost(self.minutes, self.hourly_yen)


class PurchaseRecord(NamedTuple):
    """One purchase that was not removed, in whole yen as paid."""

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
    """Return the hours of a project, latest day first."""
    rows = _read_lines(session, HoursLog, project_id, HoursRecord._fields, HoursLog.worked_on)
    return [HoursRecord._make(row) for row in rows]


def project_purchases(session: Session, project_id: str) -> Sequence[PurchaseRecord]:
    """Return the purchases of a project, latest day first."""
    rows = _read_lines(session, Purchase, project_id, PurchaseRecord._fields, Purchase.bought_on)
    return [PurchaseRecord._make(row) for row in rows]


def _read_lines(
    session: Session,
    model: type[HoursLog] | type[Purchase],
    project_id: str,
    columns: Sequence[str],
    day: InstrumentedAttribute[date],
) -> Result[Any]:
    return session.execute(
        select(*(getattr(model, column) for column in columns))
        .where(model.project_id == project_id, model.removed_at.is_(None))
        .order_by(day.desc(), model.id.desc())
    )
