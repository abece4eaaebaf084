"""The waitlist: adding and listing people, offering them units, closing their places."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_NAME,
    LONGEST_TEXT,
    check_email,
    check_phone,
    check_text,
    needed_text,
)
from pms.catalogue.models import Building, Unit
from pms.enquiries.enquiries import move_enquiry, wanted_place
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.viewing_lists import Opening
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.inbox.models import Enquiry
from pms.rules.audit_events import AuditEvent
from pms.rules.enquiry_steps import may_move
from pms.rules.enumerations import EnquiryState, WaitlistState


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitlistWish:
    """Who waits, for which unit or building or for any, and from which day."""

    name: str | None
    email: str | None = None
    phone: str | None = None
    wanted_from_on: date
    unit_id: str | None = None
    building_id: str | None = None
    note: str | None = None


def add_to_waitlist(work: Work, *, wanted: WaitlistWish) -> str:
    """Store the place and return its id; with a unit, the building is ignored.

    Raises `Refused` without contact data, for a past day, and for an unknown unit or building. A
    place holds no unit and promises none.
    """
    today = work.clock.today()
    if wanted.wanted_from_on < today:
        raise Refused(
            "wantedFrom: {day} is in the past. Choose {today} or later.",
            day=wanted.wanted_from_on,
            today=today,
        )
    unit_id, building_id = wanted_place(work.session, wanted.unit_id, wanted.building_id)
    email, phone = check_email("email", wanted.email), check_phone("phone", wanted.phone)
    if email is None and phone is None:
        raise Refused("email: enter an email address or a telephone number.")
    row = WaitlistPlace(
        id=new_id(),
        unit_id=unit_id,
        building_id=building_id,
        name=needed_text("name", wanted.name, LONGEST_NAME),
        email=email,
        phone=phone,
        wanted_from_on=wanted.wanted_from_on,
        note=check_text("note", wanted.note, LONGEST_TEXT),
        state=WaitlistState.WAITING,
        added_at=work.clock.now(),
        added_by=work.actor,
        changed_at=work.clock.now(),
        changed_by=work.actor,
    )
    work.session.add(row)
    note_change(work, AuditEvent.WAITLIST_PLACE_ADDED, row)
    work.session.flush()
    return row.id


def move_on(
    work: Work, row: WaitlistPlace, *, audit_event: AuditEvent, into: WaitlistState
) -> None:
    """Set the state, with time and actor; raise `Refused` if it is that already."""
    if row.state in (into, WaitlistState.CLOSED):
        raise Refused("state: this waitlist entry is already {state}.", state=row.state)
    row.state, row.changed_at, row.changed_by = into, work.clock.now(), work.actor
    note_change(work, audit_event, row)
    work.session.flush()


def close_waitlist_place(work: Work, *, place_id: str) -> None:
    """Close the place: the person moved in, found something else, or gave up."""
    row = locked(work.session, WaitlistPlace, place_id)
    audit_event, into = AuditEvent.WAITLIST_PLACE_CLOSED, WaitlistState.CLOSED
    move_on(work, row, audit_event=audit_event, into=into)


def offer_waitlist_place(work: Work, *, place_id: str) -> None:
    """Record that a unit was offered; the office contacts the person, no mail is sent."""
    row = locked(work.session, WaitlistPlace, place_id)
    audit_event, into = AuditEvent.WAITLIST_PLACE_OFFERED, WaitlistState.OFFERED
    move_on(work, row, audit_event=audit_event, into=into)


OPEN: Final = (WaitlistState.WAITING, WaitlistState.OFFERED)
CLOSED: Final = (WaitlistState.CLOSED,)


def note_moving_in(work: Work, *, enquiry_id: str | None, place_id: str | None) -> None:
    """Close the waitlist place and mark the enquiry as won; a closed place stays as it is."""
    place = work.session.scalar(select(WaitlistPlace).where(WaitlistPlace.id == place_id))
    if place is not None and place.state is not WaitlistState.CLOSED:
        close_waitlist_place(work, place_id=place.id)
    if enquiry_id:
        state, won = locked(work.session, Enquiry, enquiry_id).state, EnquiryState.WON
        if may_move(state, won):
            move_enquiry(work, enquiry_id=enquiry_id, into=won)


PATIENCE: Final = timedelta(days=31)
"""How long after the wanted day a unit may become free and still suit."""


class WaitingPerson(NamedTuple):
    """One place on the waitlist; without a building it is for any unit."""

    id: str
    name: str
    email: str | None
    phone: str | None
    wanted_from_on: date
    note: str | None
    state: WaitlistState
    added_at: datetime
    added_by: str
    changed_at: datetime
    changed_by: str
    unit_id: str | None
    unit_name: str | None
    building_id: str | None
    building: Bilingual

    def suits(self, opening: Opening) -> bool:
        """Whether a unit is what this person waits for, and free soon enough."""
        is_in_time = opening.on <= self.wanted_from_on + PATIENCE
        if self.unit_id is not None:
            return is_in_time and opening.unit_id == self.unit_id
        return is_in_time and self.building_id in (None, opening.building_id)


class Waitlist(NamedTuple):
    """One page of the waitlist, and the total."""

    people: Sequence[WaitingPerson]
    total: int


_WHERE = and_(
    Building.workspace_id == WaitlistPlace.workspace_id,
    Building.id == func.coalesce(WaitlistPlace.building_id, Unit.building_id),
)
_PEOPLE = (
    select(
        WaitlistPlace.id,
        WaitlistPlace.name,
        WaitlistPlace.email,
        WaitlistPlace.phone,
        WaitlistPlace.wanted_from_on,
        WaitlistPlace.note,
        WaitlistPlace.state,
        WaitlistPlace.added_at,
        WaitlistPlace.added_by,
        WaitlistPlace.changed_at,
        WaitlistPlace.changed_by,
        WaitlistPlace.unit_id,
        Unit.name,
        Building.id,
        Building.name,
        Building.name_en,
    )
    .select_from(WaitlistPlace)
    .outerjoin(Unit, refers_to(WaitlistPlace.unit_id, Unit))
    .outerjoin(Building, _WHERE)
    .order_by(WaitlistPlace.wanted_from_on, WaitlistPlace.added_at, WaitlistPlace.id)
)


def waitlist(session: Session, states: Sequence[WaitlistState], paging: Paging) -> Waitlist:
    """Return the places in one of the states, by the wanted move-in day."""
    among = WaitlistPlace.state.in_(states)
    total = session.scalar(select(func.count(WaitlistPlace.id)).where(among)) or 0
    rows: Iterable[Any] = session.execute(
        _PEOPLE.where(among).offset(paging.offset).limit(paging.limit)
    )
    people = [WaitingPerson._make((*row[:-2], Bilingual(row[-2], row[-1]))) for row in rows]
    return Waitlist(people, total)


def waiting_person(session: Session, place_id: str) -> WaitingPerson:
    """Return one place; raise `NotFound` for an unknown id."""
    row: Any = None
    if is_id(place_id):
        row = session.execute(_PEOPLE.where(WaitlistPlace.id == place_id)).first()
    if row is None:
        raise no_such("waitlist entry", place_id)
    return WaitingPerson._make((*row[:-2], Bilingual(row[-2], row[-1])))
