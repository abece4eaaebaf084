"""Tells who somebody on a channel is, by number or booking, where only one person fits."""

import re
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.enquiries.models import Enquiry
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.telephone_key import telephone_key
from pms.stays.models import CheckInLink

LIVE: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
"""Whoever left is nobody's certain guess any more: their number may be another's."""
_SHORTEST_REFERENCE: Final = 6


class CertainPerson(NamedTuple):
    """A person of the records, by their stay or by what they asked."""

    name: str
    locale: str
    email: str | None
    reservation_id: str | None = None
    enquiry_id: str | None = None


def certain_person(
    session: Session, *, phone: str | None = None, booking_reference: str | None = None
) -> CertainPerson | None:
    """Return whose number or booking it is, when it is exactly one person's.

    A stay that is found is locked, so that two first messages of its person, on two channels at
    once, begin one conversation. Two stays with one number, or two open enquiries, tell nothing.
    """
    found: set[str] = set()
    if booking_reference and len(booking_reference) >= _SHORTEST_REFERENCE:
        found = _stays_of_booking(session, booking_reference)
    key = telephone_key(phone)
    if not found and key is not None:
        found = _stays_of_number(session, key)
    if len(found) == 1:
        return _of_stay(session, found.pop())
    if found or key is None:
        return None
    return _of_enquiry(session, key)


def _stays_of_booking(session: Session, reference: str) -> set[str]:
    """Stays whose link or note names the booking, or whose nights a channel's calendar gives it."""
    live = _live(Reservation.kind == ReservationKind.GUEST)
    linked = select(CheckInLink.reservation_id).where(CheckInLink.external_id == reference)
    found = set(session.scalars(select(Reservation.id).where(live, Reservation.id.in_(linked))))
    noted = session.execute(
        select(Reservation.id, Reservation.note).where(
            live, Reservation.note.contains(reference, autoescape=True)
        )
    )
    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(reference)}(?![A-Za-z0-9])")
    found |= {id_ for id_, note in noted if word.search(note or "")}
    blocks = select(ExternalBlock.unit_id, ExternalBlock.first_on).where(
        ExternalBlock.booking_reference == reference
    )
    for unit_id, first_on in session.execute(blocks).all():
        same = and_(Reservation.unit_id == unit_id, Reservation.starts_on == first_on)
        found |= set(session.scalars(select(Reservation.id).where(live, same)))
    return found


def _stays_of_number(session: Session, key: str) -> set[str]:
    rows = session.execute(
        select(Reservation.id, Reservation.phone).where(_live(Reservation.phone.is_not(None)))
    )
    return {id_ for id_, phone in rows if telephone_key(phone) == key}


def _live(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(Reservation.lifecycle.in_(LIVE), condition)


def _of_stay(session: Session, reservation_id: str) -> CertainPerson:
    lock_reservations(session, [reservation_id])
    name, locale, email = session.execute(
        select(Reservation.name, Reservation.locale, Reservation.email).where(
            Reservation.id == reservation_id
        )
    ).one()
    # An address that two stays have tells no more than a number that two have.
    sharing = select(Reservation.id).where(
        _live(Reservation.email_key == (email or "").strip().casefold()),
        Reservation.id != reservation_id,
    )
    is_own = email is not None and session.scalar(sharing.limit(1)) is None
    return CertainPerson(name, locale, email if is_own else None, reservation_id=reservation_id)


def _of_enquiry(session: Session, key: str) -> CertainPerson | None:
    rows = session.execute(
        select(Enquiry.id, Enquiry.name, Enquiry.locale, Enquiry.email)
        .where(Enquiry.phone_key == key, Enquiry.state.in_(OPEN))
        .limit(2)
    ).all()
    if len(rows) != 1:
        return None
    id_, name, locale, email = rows[0]
    return CertainPerson(name, locale, email, enquiry_id=id_)
