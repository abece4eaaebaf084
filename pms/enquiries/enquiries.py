"""Enquiries: receiving, editing and moving them between states."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    LONGEST_NAME,
    LONGEST_TEXT,
    check_email,
    check_phone,
    check_text,
    needed_text,
)
from pms.catalogue.models import Building, Unit
from pms.enquiries.leads import known_office_person
from pms.enquiries.notes import add_note, note_columns
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.ids import known_once, new_id
from pms.foundation.phrases import any_of
from pms.foundation.work import Work, has_row, locked
from pms.inbox.models import Enquiry, EnquiryNote
from pms.inbox.people import follow_enquiries
from pms.notices.notices import NoticeEvent, notify_staff
from pms.rules.audit_events import AuditEvent
from pms.rules.enquiry_steps import advance_state, may_move, next_states
from pms.rules.enumerations import EnquirySource, EnquiryState, Locale
from pms.rules.notices_to_people import ANSWERING, NoticeKind
from pms.rules.room_names import room_key


def count_change(work: Work, audit_event: AuditEvent, row: Enquiry) -> None:
    """Increment the enquiry's version, with time and actor, and write the audit event."""
    note_change(work, audit_event, row)
    row.version += 1
    row.changed_at, row.changed_by = work.clock.now(), work.actor
    work.session.flush()


def assign_enquiry(work: Work, *, enquiry_id: str, person_id: str | None) -> None:
    """Set the assignee, or clear it with None; raise `Refused` for one who is not office staff."""
    row = locked(work.session, Enquiry, enquiry_id)
    assignee = known_office_person(work.session, "assigneeId", person_id, Enquiry, row.id)
    if assignee == row.assignee_id:
        return
    row.assignee_id = assignee
    count_change(work, AuditEvent.ENQUIRY_ASSIGNED, row)


def move_enquiry(work: Work, *, enquiry_id: str, into: EnquiryState) -> None:
    """Set the state; raise `Refused` if it cannot follow the present one."""
    row = locked(work.session, Enquiry, enquiry_id)
    if not may_move(row.state, into):
        raise Refused(
            "state: this enquiry is {state}. It can be changed to {allowed}.",
            state=row.state,
            allowed=any_of(next_states(row.state)),
        )
    row.state = into
    if into == EnquiryState.ANSWERED and row.answered_at is None:
        row.answered_at = work.clock.now()
    count_change(work, AuditEvent.ENQUIRY_MOVED, row)
    follow_enquiries(work.session, [row.id])


def step_enquiry(work: Work, *, row: Enquiry, step: EnquiryState) -> None:
    """Advance a locked enquiry to a state; one that is further already stays as it is."""
    into = advance_state(row.state, step)
    if into != row.state:
        row.state = into
        count_change(work, AuditEvent.ENQUIRY_MOVED, row)
        follow_enquiries(work.session, [row.id])


def earlier_enquiry(session: Session, row: Enquiry) -> str | None:
    """Return the id of the same person's first enquiry, if it is another one.

    People who share an address look like one person here, so enquiries are linked and never merged.
    """
    keys = Enquiry.derive(vars(row))
    same = [
        column == keys[column.key]
        for column in (Enquiry.email_key, Enquiry.phone_key)
        if keys[column.key]
    ]
    if not same:
        return None
    return session.scalar(
        select(Enquiry.id)
        .where(or_(*same), Enquiry.id != row.id, Enquiry.received_at <= row.received_at)
        .order_by(Enquiry.received_at, Enquiry.id)
        .limit(1)
    )


def wanted_place(
    session: Session, unit_id: str | None, building_id: str | None
) -> tuple[str | None, str | None]:
    """Return the id of a unit or of a building, never both: the unit is more specific.

    Raises `Refused` for an unknown place.
    """
    if unit_id:
        if not has_row(session, Unit, unit_id):
            raise Refused("unitId: this unit was not found.")
        return unit_id, None
    if building_id and not has_row(session, Building, building_id):
        raise Refused("buildingId: this building was not found.")
    return None, building_id or None


LOCALES: Final = tuple(locale.value for locale in Locale)
_SAID: Final = frozenset({"name", "email", "message"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEnquiry:
    """Who asks, about which unit or building or in general, and what they wrote."""

    name: str | None
    source: EnquirySource
    email: str | None = None
    phone: str | None = None
    message: str | None = None
    unit_id: str | None = None
    building_id: str | None = None
    move_in_on: date | None = None
    locale: str = Locale.JA


def check_enquiry(session: Session, written: WrittenEnquiry) -> dict[str, Any]:
    """Return the columns; raise `Refused` without contact data, or for an unknown place."""
    unit_id, building_id = wanted_place(session, written.unit_id, written.building_id)
    email, phone = check_email("email", written.email), check_phone("phone", written.phone)
    if email is None and phone is None:
        raise Refused("email: enter an email address or a telephone number.")
    if written.locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=written.locale[:20])
    return {
        "source": written.source,
        "name": needed_text("name", written.name, LONGEST_NAME),
        "email": email,
        "phone": phone,
        "message": check_text("message", written.message, LONGEST_TEXT) or "",
        "unit_id": unit_id,
        "building_id": building_id,
        "move_in_on": written.move_in_on,
        "locale": written.locale,
    }


def edit_enquiry(work: Work, *, enquiry_id: str, version: int, written: WrittenEnquiry) -> int:
    """Save the edited enquiry and return its version; `Collision` if it changed in the meantime.

    A corrected address or number may belong to an earlier enquiry: the link to it is updated.
    """
    row = locked(work.session, Enquiry, enquiry_id, version)
    columns = check_enquiry(work.session, written)
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    if not changed:
        return row.version
    for name, value in changed.items():
        setattr(row, name, value)
    if {"email", "phone"} & changed.keys():
        with work.session.no_autoflush:
            row.duplicate_of_id = earlier_enquiry(work.session, row)
    count_change(work, AuditEvent.ENQUIRY_EDITED, row)
    if changed.keys() & _SAID:
        follow_enquiries(work.session, [row.id])
    return row.version


def receive_enquiry(work: Work, *, enquiry: WrittenEnquiry, external_id: str | None = None) -> str:
    """Store the enquiry and return its id; it is linked to an earlier one of the same person.

    Raises `Refused` as `check_enquiry` does, and `Collision` for an `external_id` that was used
    before: nothing is stored twice.
    """
    known_as = check_text("externalId", external_id, LONGEST_LINE)
    row = Enquiry(
        id=new_id(),
        **check_enquiry(work.session, enquiry),
        state=EnquiryState.NEW,
        external_id=known_as,
        received_at=work.clock.now(),
        received_by=work.actor,
        changed_at=work.clock.now(),
        changed_by=work.actor,
        version=1,
    )
    row.duplicate_of_id = earlier_enquiry(work.session, row)
    with known_once(work.session, Enquiry.external_id, known_as):
        work.session.add(row)
        note_change(work, AuditEvent.ENQUIRY_RECEIVED, row)
    follow_enquiries(work.session, [row.id])
    event = NoticeEvent(
        row.id, f"/enquiries/{row.id}", {"name": row.name}, occasion="received", model=Enquiry
    )
    notify_staff(work, NoticeKind.ENQUIRY_RECEIVED, event, roles=ANSWERING)
    return row.id


def note_enquiry(work: Work, *, enquiry_id: str, text: str | None, key: str | None = None) -> None:
    """Store a note with time and actor; a `key` that was used before changes nothing."""
    row = locked(work.session, Enquiry, enquiry_id)
    words = needed_text("note", text, LONGEST_TEXT)
    note = EnquiryNote(enquiry_id=row.id, **note_columns(work, words))
    if add_note(work, row, note, key, AuditEvent.ENQUIRY_NOTED):
        follow_enquiries(work.session, [row.id])


def room_of(session: Session, building_id: str | None, room: str | None) -> str | None:
    """Return the unit's id, or None without a room; raise `Refused` for an unknown room.

    Without a building, the room's number must be unique in the workspace.
    """
    if not room:
        return None
    question = select(Unit.id).where(Unit.name_key == room_key(room)).limit(2)
    if building_id:
        question = question.where(Unit.building_id == building_id)
    found = session.scalars(question).all()
    if not found:
        raise Refused("unit: room '{room}' was not found.", room=room[:60])
    if len(found) > 1:
        raise Refused("unit: several buildings have a room '{room}'. Choose one.", room=room[:60])
    return found[0]
