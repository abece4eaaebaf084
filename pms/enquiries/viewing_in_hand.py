"""Takes a viewing in hand to change it, and looks who else is where at the time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Unit
from pms.enquiries.models import Viewing
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import ViewingStatus
from pms.rules.viewing_steps import LONGEST_MINUTES, SHORTEST_MINUTES, may_change

_LONGEST: Final = timedelta(minutes=LONGEST_MINUTES)


class Overlap(NamedTuple):
    """Another viewing at the same time, of the same unit or with the same host."""

    viewing_id: str
    starts_at: datetime
    ends_at: datetime
    unit_id: str
    unit_name: str
    visitor: str
    host_id: str | None
    host: str | None


class Slot(NamedTuple):
    """A unit, a time, and who shows it."""

    unit_id: str
    starts_at: datetime
    minutes: int
    host_id: str | None


def viewing_in_hand(session: Session, viewing_id: str, version: int | None = None) -> Viewing:
    """Return the viewing, locked; raise `NotFound`, or `Collision` when it is not as it was seen."""
    found = None
    if is_id(viewing_id):
        session.flush()
        question = select(Viewing).where(Viewing.id == viewing_id).with_for_update()
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise no_viewing(viewing_id)
    if version is not None and found.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=found.version,
        )
    return found


def changeable_viewing(session: Session, viewing_id: str, version: int | None = None) -> Viewing:
    """Return the viewing in hand; raise `Refused` for one that is over or called off."""
    row = viewing_in_hand(session, viewing_id, version)
    if not may_change(row.status):
        raise Refused("status: this viewing is {status}.", status=row.status)
    return row


def checked_minutes(minutes: int | None) -> int:
    """Return how long a viewing takes; raise `Refused` for what is none."""
    if type(minutes) is not int or not SHORTEST_MINUTES <= minutes <= LONGEST_MINUTES:
        raise Refused(
            "minutes: '{minutes}' is not from {least} to {most}.",
            minutes=minutes,
            least=SHORTEST_MINUTES,
            most=LONGEST_MINUTES,
        )
    return minutes


def overlaps(session: Session, slot: Slot, *, but: str | None = None) -> Sequence[Overlap]:
    """Return the viewings still to come that meet a slot's unit or host at its time."""
    ends_at = slot.starts_at + timedelta(minutes=slot.minutes)
    is_met = Viewing.unit_id == slot.unit_id
    if slot.host_id:
        is_met = or_(is_met, Viewing.host_id == slot.host_id)
    rows = session.execute(
        select(
            Viewing.id,
            Viewing.starts_at,
            Viewing.duration_minutes,
            Viewing.unit_id,
            Unit.name,
            Viewing.visitor_name,
            Viewing.host_id,
            Person.name,
        )
        .join(Unit, (Unit.workspace_id == Viewing.workspace_id) & (Unit.id == Viewing.unit_id))
        .outerjoin(Person, Person.id == Viewing.host_id)
        .where(
            is_met,
            Viewing.status == ViewingStatus.SCHEDULED,
            # No viewing is longer, so none that began earlier still lasts.
            Viewing.starts_at > slot.starts_at - _LONGEST,
            Viewing.starts_at < ends_at,
        )
        .order_by(Viewing.starts_at, Viewing.id)
    )
    found = (
        Overlap(id_, at, at + timedelta(minutes=minutes), unit_id, unit, visitor, host_id, host)
        for id_, at, minutes, unit_id, unit, visitor, host_id, host in rows
    )
    return [one for one in found if one.ends_at > slot.starts_at and one.viewing_id != but]


def refuse_overlap(session: Session, slot: Slot, *, but: str | None = None) -> None:
    """Raise `Refused` when the unit is shown to others, or the host is elsewhere, at the time."""
    for one in overlaps(session, slot, but=but):
        if one.unit_id == slot.unit_id:
            raise Refused(
                "mayOverlap: the unit is shown to {visitor} from {starts_at}. Tick this to book it"
                " all the same.",
                visitor=one.visitor,
                starts_at=one.starts_at,
            )
        raise Refused(
            "mayOverlap: {host} shows {unit} from {starts_at}. Tick this to book it all the same.",
            host=one.host,
            unit=one.unit_name,
            starts_at=one.starts_at,
        )


def count_change(session: Session, clock: Clock, actor: str, deed: Deed, row: Viewing) -> None:
    """Count the change of a viewing and note it."""
    note_change(session, clock, actor, deed, row)
    row.version += 1
    row.updated_at = clock.now()
    session.flush()


def no_viewing(viewing_id: str) -> NotFound:
    """Return the refusal of a viewing that is not here."""
    return NotFound("There is no viewing '{viewing_id}'.", viewing_id=viewing_id[:60])
