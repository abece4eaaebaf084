"""Signs of life of the workers, and the slots that let a period of timed work run once."""

from datetime import datetime, timedelta

from sqlalchemy import String, delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import Base, Instant
from pms.foundation.tenancy import OfEveryone


class Heartbeat(OfEveryone, Base):
    """When a kind of process was last seen alive."""

    __tablename__ = "heartbeat"

    name: Mapped[str] = mapped_column(String, primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(Instant)


class JobSlot(OfEveryone, Base):
    """A period of timed work that some worker has taken."""

    __tablename__ = "job_slot"

    schedule: Mapped[str] = mapped_column(String, primary_key=True)
    slot: Mapped[str] = mapped_column(String, primary_key=True)
    taken_at: Mapped[datetime] = mapped_column(Instant)


def beat(session: Session, name: str, clock: Clock) -> None:
    """Record that `name` is alive now."""
    session.merge(Heartbeat(name=name, beat_at=clock.now()))


def last_beat(session: Session, name: str) -> datetime | None:
    """Return when `name` was last seen alive."""
    heartbeat = session.get(Heartbeat, name)
    return heartbeat.beat_at if heartbeat else None


def take_slot(database: Database, schedule: str, slot: str, clock: Clock) -> bool:
    """Tell whether this worker is the first to take the slot; each is taken once."""
    try:
        database.write_across_workspaces(
            lambda session: session.add(JobSlot(schedule=schedule, slot=slot, taken_at=clock.now()))
        )
    except IntegrityError:
        return False
    return True


def forget_slots(session: Session, clock: Clock, older_than: timedelta) -> None:
    """Delete slots that were taken longer ago; the session writes across workspaces."""
    session.execute(delete(JobSlot).where(JobSlot.taken_at < clock.now() - older_than))
