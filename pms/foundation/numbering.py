"""Assigns the next number of a series: each number once, without gaps."""

from datetime import date

from sqlalchemy import String, UniqueConstraint, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.building_paths import shared
from pms.foundation.db import Base
from pms.foundation.tenancy import OfWorkspace

PAYMENT_REFERENCES = "payment-reference"
"""The series that counts a workspace's tenancies; payment references are derived from it."""


class Counter(OfWorkspace, Base):
    """The last number assigned in a series of the workspace; a series has no gaps."""

    __tablename__ = "counter"
    building_path = shared("numbers run through the whole workspace")
    __table_args__ = (UniqueConstraint("workspace_id", "series"),)

    series: Mapped[str] = mapped_column(String)
    value: Mapped[int] = mapped_column(default=0)


def take_number(session: Session, series: str, on: date) -> str:
    """Return the next number of the workspace's series in the year of a day: 2026-000123.

    The counter's row stays locked until the transaction ends: after a rollback the number is
    assigned again, and concurrent callers wait until that is known.
    """
    counter = _lock_counter(session, f"{series}-{on.year}")
    counter.value += 1
    session.flush()
    return f"{on.year}-{counter.value:06}"


def take_count(session: Session, series: str) -> int:
    """Return the next number of a series that does not restart each year: 42."""
    counter = _lock_counter(session, series)
    counter.value += 1
    session.flush()
    return counter.value


def lock_series(session: Session, series: str, on: date) -> None:
    """Lock the series until this transaction ends, after any transaction that is using it."""
    _lock_counter(session, f"{series}-{on.year}")


def _lock_counter(session: Session, series: str) -> Counter:
    wanted = (
        select(Counter)
        .where(Counter.series == series)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    counter = session.scalar(wanted)
    if counter is None:
        _insert_counter(session, series)
        counter = session.scalars(wanted).one()
    return counter


def _insert_counter(session: Session, series: str) -> None:
    """Insert the series' row, unless another transaction inserted it first."""
    try:
        with session.begin_nested():
            session.add(Counter(series=series, value=0))
    except IntegrityError:
        return
