"""Hours and purchases of projects: adding, listing and reversing them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Result, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    LONGEST_NAME,
    check_number,
    check_text,
    needed_text,
)
from pms.foundation.audit import note_change
from pms.foundation.errors import NotFound, Refused
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES, hours_cost
from pms.rules.yen import LARGEST_YEN
from pms.upkeep.models import HoursLog, Purchase, Task
from pms.upkeep.task_visibility import refuse_if_cancelled
from pms.upkeep.tasks import lock_open_project


def refuse_coming(field: str, day: date, today: date) -> None:
    """Raise `Refused` for a day after today."""
    if day > today:
        raise Refused(
            "{field}: {day} is in the future. Enter today or earlier.", field=field, day=day
        )


def task_of_project(session: Session, project_id: str, task_id: str | None) -> str | None:
    """Return the id of the project's task, or `None`; raise `Refused` for another project's.

    Nothing can be logged on a cancelled task: that is a `Collision`.
    """
    if not task_id:
        return None
    wanted = select(Task).where(Task.id == task_id, Task.project_id == project_id)
    # Locked, so that nobody cancels it until the entry is stored.
    locked = wanted.with_for_update().execution_options(populate_existing=True)
    task = session.scalar(locked) if is_id(task_id) else None
    if task is None:
        raise Refused("taskId: this task was not found in the project.")
    refuse_if_cancelled(task)
    return task_id


MOST_YEN: Final = min(100_000_000, LARGEST_YEN)
"""The highest price of a purchase; a figure above it is a typing error."""


def add_purchase(
    work: Work,
    *,
    project_id: str,
    bought_on: date,
    what: str | None,
    amount_yen: int,
    shop: str | None = None,
    category: FeeCategory = FeeCategory.REPAIR,
    task_id: str | None = None,
    key: str | None = None,
) -> str | None:
    """Return the id of the purchase in whole yen as paid; `None` when this key arrived before.

    Raises `Refused` for a future day, no amount, no description, and for a project that is over.
    """
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    lock_open_project(work.session, project_id)
    refuse_coming("boughtOn", bought_on, work.clock.today())
    if category not in PURCHASE_CATEGORIES:
        raise Refused("category: '{category}' is not a cost category.", category=category)
    if type(amount_yen) is not int or not 1 <= amount_yen <= MOST_YEN:
        raise Refused("amountYen: enter whole yen from 1 to {most}.", most=MOST_YEN)
    row = Purchase(
        id=new_id(),
        project_id=project_id,
        task_id=task_of_project(work.session, project_id, task_id),
        bought_on=bought_on,
        shop=check_text("shop", shop, LONGEST_NAME),
        what=needed_text("what", what, LONGEST_LINE),
        amount_yen=amount_yen,
        category=category,
        logged_at=work.clock.now(),
        logged_by=work.actor,
    )
    work.session.add(row)
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.PURCHASE_ADDED, row, subject=about)
    work.session.flush()
    return row.id


MOST_MINUTES: Final = 24 * 60
MOST_HOURLY_YEN: Final = 100_000


def log_hours(
    work: Work,
    *,
    project_id: str,
    worked_on: date,
    minutes: int,
    task_id: str | None = None,
    hourly_yen: int | None = None,
    note: str | None = None,
    key: str | None = None,
) -> str | None:
    """Return the id of the logged hours; `None` when this key arrived before.

    Without an hourly price in whole yen the time costs nothing. Raises `Refused` for a future day,
    for less than a minute or more than a day, and for a project that is over.
    """
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    lock_open_project(work.session, project_id)
    refuse_coming("workedOn", worked_on, work.clock.today())
    if check_number("minutes", minutes, 1, MOST_MINUTES) is None:
        raise Refused("minutes: enter the time worked.")
    row = HoursLog(
        id=new_id(),
        project_id=project_id,
        task_id=task_of_project(work.session, project_id, task_id),
        worked_on=worked_on,
        minutes=minutes,
        hourly_yen=check_number("hourlyYen", hourly_yen, 0, MOST_HOURLY_YEN),
        note=check_text("note", note, LONGEST_LINE),
        logged_at=work.clock.now(),
        logged_by=work.actor,
    )
    work.session.add(row)
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.HOURS_LOGGED, row, subject=about)
    work.session.flush()
    return row.id


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


Line = TypeVar("Line", HoursLog, Purchase)


def _line_to_remove(
    work: Work, model: type[Line], project_id: str, line_id: str, *, only_own: bool
) -> Line | None:
    lock_open_project(work.session, project_id)
    wanted = select(model).where(model.id == line_id, model.project_id == project_id)
    if only_own:
        wanted = wanted.where(model.logged_by == work.actor)
    return work.session.scalar(wanted) if is_id(line_id) else None


def remove_hours(work: Work, *, project_id: str, hours_id: str, only_own: bool = False) -> None:
    """Remove an entry of hours; one that is removed already is left unchanged.

    With `only_own` only entries of the actor are found. Raises `NotFound`, and `Refused` when the
    project is over.
    """
    row = _line_to_remove(work, HoursLog, project_id, hours_id, only_own=only_own)
    if row is None:
        raise NotFound("This project has no hours '{hours_id}'.", hours_id=hours_id[:60])
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = work.clock.now(), work.actor
    facts = {"minutes": row.minutes, "worked_on": row.worked_on}
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.HOURS_REMOVED, row, subject=about, also=facts)
    work.session.flush()


def remove_purchase(
    work: Work, *, project_id: str, purchase_id: str, only_own: bool = False
) -> None:
    """Remove a purchase; one that is removed already is left unchanged.

    With `only_own` only purchases of the actor are found. Raises `NotFound`, and `Refused` when the
    project is over.
    """
    row = _line_to_remove(work, Purchase, project_id, purchase_id, only_own=only_own)
    if row is None:
        raise NotFound(
            "This project has no purchase '{purchase_id}'.", purchase_id=purchase_id[:60]
        )
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = work.clock.now(), work.actor
    facts = {"what": row.what, "amount_yen": row.amount_yen}
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.PURCHASE_REMOVED, row, subject=about, also=facts)
    work.session.flush()
