"""Gives the next number of a series out: each once, none left out."""

from datetime import date

from sqlalchemy import String, UniqueConstraint, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.db import Base
from pms.foundation.tenancy import OfWorkspace

PAYMENT_REFERENCES = "payment-reference"
"""The series that counts the tenancies of a workspace, whose payment references follow from it."""


class Counter(OfWorkspace, Base):
    """The last number given out of a series of the workspace; gaps never happen within one."""

    __tablename__ = "counter"
    __table_args__ = (UniqueConstraint("workspace_id", "series"),)

    series: Mapped[str] = mapped_column(String)
    value: Mapped[int] = mapped_column(default=0)


def take_number(session: Session, series: str, on: date) -> str:
    """Return the next number of the workspace's series in the year of a day: 2026-000123.

    The counter's row is locked until the transaction ends, so that a number is given out again
    when it is rolled back, and the next one waits until it is known.
    """
    counter = _locked(session, f"{series}-{on.year}")
    counter.value += 1
    session.flush()
    return f"{on.year}-{counter.value:06}"


def take_count(session: Session, series: str) -> int:
    """Return the next number of a series that runs on over the years: 42."""
    counter = _locked(session, series)
    counter.value += 1
    session.flush()
    return counter.value


def lock_series(session: Session, series: str, on: date) -> None:
    """Wait for everybody who is giving out a number of the series, and keep others waiting."""
    _locked(session, f"{series}-{on.year}")


def _locked(session: Session, series: str) -> Counter:
    wanted = (
        select(Counter)
        .where(Counter.series == series)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    counter = session.scalar(wanted)
    if counter is None:
        _begin(session, series)
        counter = session.scalars(wanted).one()
    return counter


def _begin(session: Session, series: str) -> None:
    """Begin the series, unless somebody else has meanwhile."""
    try:
        with session.begin_nested():
            session.add(Counter(series=series, value=0))
    except IntegrityError:
        return
