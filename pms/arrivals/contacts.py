"""Contact data and statuses of a tenancy's people."""

from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.lifecycles import StatusChange, confirm_when_ready
from pms.arrivals.sheets.cells import Unreadable, email
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.reservations.changes import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.residents import LONGEST_NAME
from pms.rules.cancellation import esign_status_after, payment_status_after
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus, Locale, PaymentStatus

_LONGEST_PHONE: Final = 50
_LONGEST_NOTE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """The contract holder's name with its reading, addresses, language, and the office's note."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    note: str | None = None


def checked_contact(contact: Contact) -> Contact:
    """Return the contact with its texts trimmed, or raise `Refused` naming what is wrong."""
    return replace(
        contact,
        name=_name(contact.name),
        name_kana=_text("nameKana", contact.name_kana, LONGEST_NAME),
        email=_email(contact.email),
        phone=_text("phone", contact.phone, _LONGEST_PHONE),
        locale=Locale(contact.locale),
        note=_text("note", contact.note, _LONGEST_NOTE),
    )


def _name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "name: a reservation is in a name of 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return name


def _text(field: str, text: str | None, longest: int) -> str | None:
    text = (text or "").strip()
    if len(text) > longest:
        raise Refused(
            "{field}: {found_characters} characters are more than {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=longest,
        )
    return text or None


def _email(address: str | None) -> str | None:
    try:
        return email(address) if address and address.strip() else None
    except Unreadable as refusal:
        raise Refused("email: '{address}' is not an e-mail address.", address=address) from refusal


def change_contact(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    contact: Contact,
    expected_version: int | None = None,
) -> Reservation:
    """Write the contact as stated; another occupant is an amendment, not a correction.

    Raises `Refused` for a bad text, `Collision` when somebody else was faster.
    """
    wanted = checked_contact(contact)
    row = reservation_to_change(session, reservation_id, expected_version)
    for field in fields(Contact):
        if getattr(row, field.name) != getattr(wanted, field.name):
            setattr(row, field.name, getattr(wanted, field.name))
    if session.is_modified(row):
        note_change(session, clock, actor, Deed.CONTACT_CHANGED, row)
        mark_changed(row, clock, actor)
    session.flush()
    return row


class RecordedContact(NamedTuple):
    """A contact, and the version of the reservation it was read from."""

    contact: Contact
    version: int


def recorded_contact(session: Session, reservation_id: str) -> RecordedContact:
    """Return the contact as it is recorded; raise `NotFound` for an id of nobody here."""
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    contact = Contact(**{field.name: getattr(row, field.name) for field in fields(Contact)})
    return RecordedContact(contact, row.version)


def correct_own_contact(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    phone: str | None,
    name_kana: str | None,
    locale: Locale,
    expected_version: int | None = None,
) -> Reservation:
    """Write phone, reading and language as stated (Surfaces, Resident portal).

    The address opens the portal, so it is not changed from inside it. Raises `Refused` for a bad
    text, `Collision` when somebody else was faster.
    """
    recorded = recorded_contact(session, reservation_id).contact
    wanted = replace(recorded, phone=phone, name_kana=name_kana, locale=locale)
    return change_contact(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        contact=wanted,
        expected_version=expected_version,
    )


def change_esign_status(
    session: Session, clock: Clock, actor: str, *, reservation_id: str, status: EsignStatus
) -> StatusChange[EsignStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(session, reservation_id)
    before, after = row.esign_status, esign_status_after(row.esign_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.esign_status = after
    is_confirmed = confirm_when_ready(session, clock, row)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.SIGNATURE_CHANGED, row, since=seen)
    session.flush()
    return StatusChange(before, after, is_confirmed)


def change_payment_status(
    session: Session, clock: Clock, actor: str, *, reservation_id: str, status: PaymentStatus
) -> StatusChange[PaymentStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(session, reservation_id)
    before, after = row.payment_status, payment_status_after(row.payment_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.payment_status = after
    is_confirmed = confirm_when_ready(session, clock, row)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.PAYMENT_STATUS_CHANGED, row, since=seen)
    session.flush()
    return StatusChange(before, after, is_confirmed)
