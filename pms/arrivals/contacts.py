"""Contact data of a tenancy's people."""

from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.mail_addresses import check_address
from pms.foundation.work import Work, find_row
from pms.reservations.changes import mark_changed
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.residents import LONGEST_NAME
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Locale

_LONGEST_PHONE: Final = 50
_LONGEST_NOTE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderContact:
    """The contract holder's name, reading, addresses and language, and the office's note."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    note: str | None = None


def check_contact(contact: HolderContact) -> HolderContact:
    """Return the contact with its texts trimmed; raise `Refused` naming what is wrong."""
    name = contact.name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "name: enter the name of the contract holder in 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return replace(
        contact,
        name=name,
        name_kana=_check_text("nameKana", contact.name_kana, LONGEST_NAME),
        email=check_address("email", contact.email)
        if contact.email and contact.email.strip()
        else None,
        phone=_check_text("phone", contact.phone, _LONGEST_PHONE),
        locale=Locale(contact.locale),
        note=_check_text("note", contact.note, _LONGEST_NOTE),
    )


def _check_text(field: str, text: str | None, longest: int) -> str | None:
    text = (text or "").strip()
    if len(text) > longest:
        raise Refused(
            "{field}: this has {found_characters} characters. Enter at most {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=longest,
        )
    return text or None


def change_contact(
    work: Work, *, reservation_id: str, contact: HolderContact, expected_version: int | None = None
) -> Reservation:
    """Replace the contact of a reservation; another occupant is an amendment, not a correction.

    Raises `Refused` for a bad text, and `Collision` when the version is no longer the expected one.
    """
    wanted = check_contact(contact)
    row = reservation_to_change(work.session, reservation_id, expected_version)
    is_renamed = row.name != wanted.name
    for field in fields(HolderContact):
        if getattr(row, field.name) != getattr(wanted, field.name):
            setattr(row, field.name, getattr(wanted, field.name))
    if work.session.is_modified(row):
        note_change(work, AuditEvent.CONTACT_CHANGED, row)
        mark_changed(row, work.clock, work.actor)
    work.session.flush()
    if is_renamed:
        mark_outdated(work, [row.id])
    return row


class RecordedContact(NamedTuple):
    """A contact, and the version of the reservation it was read from."""

    contact: HolderContact
    version: int


def recorded_contact(session: Session, reservation_id: str) -> RecordedContact:
    """Return the recorded contact; raise `NotFound` for an unknown id."""
    row = find_row(session, Reservation, reservation_id)
    contact = HolderContact(
        **{field.name: getattr(row, field.name) for field in fields(HolderContact)}
    )
    return RecordedContact(contact, row.version)


def correct_own_contact(
    work: Work,
    *,
    reservation_id: str,
    phone: str | None,
    name_kana: str | None,
    locale: Locale,
    expected_version: int | None = None,
) -> Reservation:
    """Set the resident's own phone, reading and language (Surfaces, Resident portal).

    The email address signs in to the portal, so it cannot be changed there. Raises `Refused` for a
    bad text, and `Collision` when the version is no longer the expected one.
    """
    recorded = recorded_contact(work.session, reservation_id).contact
    wanted = replace(recorded, phone=phone, name_kana=name_kana, locale=locale)
    return change_contact(
        work, reservation_id=reservation_id, contact=wanted, expected_version=expected_version
    )
