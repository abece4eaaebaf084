"""Tables of telemetry: what a website saw, report by report, and the figures of each day."""

from datetime import date, datetime

from sqlalchemy import Date, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Instant, Word
from pms.foundation.tenancy import OfWorkspace
from pms.rules.enumerations import TelemetryAxis


class TelemetryReport(OfWorkspace, Base):
    """Events of one day that came together, kept until the day is counted and no more may come.

    One row for all of them: they are only ever read together, and a row each would cost ten times
    as much to take in. `told` is written and read in `kept_events.py`.
    """

    __tablename__ = "telemetry_report"
    __table_args__ = (Index("ix_telemetry_report_day_on", "workspace_id", "day_on"),)

    day_on: Mapped[date] = mapped_column(Date)
    told: Mapped[str]


class TelemetryOpenDay(OfWorkspace, Base):
    """A day whose events are still kept: the salt its visitors are hashed with goes with it.

    It is `counted` as often as `events` has risen since; once closed it takes no event more.
    """

    __tablename__ = "telemetry_open_day"
    __table_args__ = (UniqueConstraint("workspace_id", "day_on"),)

    day_on: Mapped[date] = mapped_column(Date)
    salt: Mapped[str]
    events: Mapped[int] = mapped_column(default=0)
    counted: Mapped[int] = mapped_column(default=0)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)


class TelemetryDay(OfWorkspace, Base):
    """How often something was seen on one day, by how many visitors, along one axis.

    Figures of different axes are never added up: each counts the same visits another way.
    """

    __tablename__ = "telemetry_day"
    __table_args__ = (UniqueConstraint("workspace_id", "axis", "day_on", "value", "path"),)

    day_on: Mapped[date] = mapped_column(Date)
    axis: Mapped[TelemetryAxis] = mapped_column(Word(TelemetryAxis))
    value: Mapped[str]
    path: Mapped[str]
    times: Mapped[int]
    visitors: Mapped[int]
