"""Check-in links: creating, renewing, revoking and listing them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import and_, func, not_, select, union_all
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book_once
from pms.availability.vacancies import refuse_unless_free
from pms.catalogue.checks import check_email
from pms.catalogue.models import Building, Unit
from pms.catalogue.units import known_unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.db import as_indexed
from pms.foundation.errors import Refused, whole_number
from pms.foundation.ids import known_once, new_id
from pms.foundation.lists import Paging
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import new_token
from pms.foundation.work import Work, locked
from pms.reservations.locks import lock_units
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import CheckInLinkState, Lifecycle, Locale, ReservationKind
from pms.rules.links import check_in_link_state
from pms.rules.unit_stays import Stay
from pms.stays.guests import GuestEntry, guests_of_many
from pms.stays.models import CheckInLink
from pms.stays.stay_links import LINKS, StayLink, shaped_link, stay_link
from pms.stays.stays import GuestTerms, stay_terms
from pms.workspaces.queries import branding

MOST_GUESTS: Final = 20


def link_stay(
    work: Work, *, reservation_id: str, guests: int = 1, external_id: str | None = None
) -> str:
    """Return the id of the new link; a booking has only one, so a second is refused."""
    check_guests(guests)
    stay = locked(work.session, Reservation, reservation_id)
    if stay.kind != ReservationKind.GUEST:
        raise Refused("reservationId: only a guest's booking can have a check-in link.")
    state = check_in_link_state(
        today=work.clock.today(),
        revoked_at=None,
        cancelled_at=stay.cancelled_at,
        lifecycle=stay.lifecycle,
        check_out_on=stay.ends_on,
    )
    if state is not CheckInLinkState.LIVE:
        raise Refused("reservationId: this stay has ended or was cancelled.")
    known = select(CheckInLink.id).where(CheckInLink.reservation_id == stay.id)
    if work.session.scalar(known) is not None:
        raise Refused("reservationId: this booking already has a check-in link.")
    link = CheckInLink(
        id=new_id(),
        reservation_id=stay.id,
        nonce=new_token(),
        guests=guests,
        created_at=work.clock.now(),
        created_by=work.actor,
        external_id=external_id,
    )
    work.session.add(link)
    facts = {"guests": guests}
    note_audit_event(work, AuditEvent.CHECK_IN_LINK_CREATED, of_reservation(stay.id), after=facts)
    work.session.flush()
    return link.id


def check_guests(guests: int) -> int:
    """Return the number of guests, or raise `Refused`."""
    return whole_number("guests", guests, 1, MOST_GUESTS)


_FIELDS: Final = {
    "dates": "checkIn",
    "moveInDate": "checkIn",
    "contractEndDate": "checkOut",
    "name": "guestName",
}
"""The names of a stay's fields by those of a booking."""


def create_check_in_link(
    work: Work,
    *,
    unit_id: str,
    check_in: date,
    check_out: date,
    guest_name: str,
    guests: int = 1,
    email: str | None = None,
    locale: str = Locale.JA,
    new_reservation_id: str | None = None,
    external_id: str | None = None,
) -> str | None:
    """Return the id of the link of a new booking, or None if this form has booked it before.

    The nights are those between the two days. Raises `NotFound` for an unknown unit; `Refused` for
    invalid facts, for nights that another reservation holds (with its dates), and for a unit that
    is not free because of a resident without a notice; and `Collision` for an `external_id` that
    was used before.
    """
    check_guests(guests)
    _check_days(work, check_in, check_out)
    reservation_id = new_reservation_id or new_id()
    known_unit(work.session, unit_id)
    lock_units(work.session, [unit_id])
    wanted = Stay(reservation_id, check_in, check_out, kind=ReservationKind.GUEST)
    refuse_unless_free(work.session, unit_id, wanted, work.clock.today())
    with known_once(work.session, CheckInLink.external_id, external_id):
        try:
            booked = book_once(
                work,
                new_reservation_id=reservation_id,
                unit_id=unit_id,
                kind=ReservationKind.GUEST,
                name=guest_name,
                move_in_date=check_in,
                contract_end_date=check_out,
                email=email,
                locale=Locale(locale),
            )
        except Refused as refusal:
            field = _FIELDS.get(refusal.field or "")
            raise refusal.beside(field) if field else refusal from refusal
        if booked is None:
            return None
        return link_stay(
            work, reservation_id=reservation_id, guests=guests, external_id=external_id
        )


def _check_days(work: Work, check_in: date, check_out: date) -> None:
    if check_out < work.clock.today():
        raise Refused("checkOut: {day} is in the past.", day=check_out)
    if check_out <= check_in:
        raise Refused("checkOut: the check-out must be after the check-in on {day}.", day=check_in)


def renew_check_in_link(work: Work, *, link_id: str) -> None:
    """Make a new nonce for the link, even if it was revoked; the guests' entries stay."""
    link = locked(work.session, CheckInLink, link_id)
    link.nonce = new_token()
    link.revoked_at = link.revoked_by = link.sent_at = None
    note_audit_event(work, AuditEvent.CHECK_IN_LINK_RENEWED, of_reservation(link.reservation_id))
    work.session.flush()


def revoke_check_in_link(work: Work, *, link_id: str) -> None:
    """Revoke the link; repeats change nothing, and the booking stays."""
    link = locked(work.session, CheckInLink, link_id)
    if link.revoked_at is None:
        link.revoked_at, link.revoked_by = work.clock.now(), work.actor
        note_audit_event(
            work, AuditEvent.CHECK_IN_LINK_REVOKED, of_reservation(link.reservation_id)
        )
        work.session.flush()


def mail_check_in_link(work: Work, *, link_id: str, email: str | None, address: str) -> str:
    """Mail the link; return the recipient: the address given, else that of the booking.

    `address` is the link itself; the mail is in the booking's language and contains no code.
    """
    row = locked(work.session, CheckInLink, link_id)
    link = stay_link(work.session, link_id, work.clock.today())
    if link.state is not CheckInLinkState.LIVE:
        raise Refused("email: the link is not valid; nothing was sent.")
    recipient = check_email("email", email) or link.email
    if recipient is None:
        raise Refused("email: the booking has no email address. Enter one.")
    terms, locale = stay_terms(work.session), link.locale
    brand = branding(work.session)
    mail = mail_text(
        "check-in-link",
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=link.guest_name,
        home=f"{link.building.in_language(locale)} {link.unit_name}",
        check_in_on=link.check_in_on,
        check_in_time=terms.check_in_time,
        check_out_on=link.check_out_on,
        check_out_time=terms.check_out_time,
        address=address,
    )
    put_mail(work.session, work.clock, recipient=recipient, **mail._asdict())
    row.sent_at = work.clock.now()
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.CHECK_IN_LINK_SENT, about, after={"email": recipient})
    work.session.flush()
    return recipient


MOST_WITHOUT: int = 20
_STAYING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING)


class ListedLinks(NamedTuple):
    """One page of links, their guests' entries, and the total."""

    links: Sequence[StayLink]
    guests: Mapping[str, Sequence[GuestEntry]]
    total: int


class UnlinkedStay(NamedTuple):
    """A guest's booking without a link."""

    reservation_id: str
    name: str
    check_in_on: date | None
    check_out_on: date | None
    building: Bilingual
    unit_name: str


def listed_links(
    session: Session, terms: GuestTerms, today: date, paging: Paging, *, is_past: bool
) -> ListedLinks:
    """Return current and future stays by check-in, or past ones, newest first."""
    current = and_(
        Reservation.cancelled_at.is_(None), func.coalesce(Reservation.ends_on, today) >= today
    )
    wanted = not_(current) if is_past else current
    order = Reservation.starts_on.desc() if is_past else Reservation.starts_on
    rows = session.execute(
        LINKS.where(wanted)
        .order_by(order, CheckInLink.id)
        .limit(paging.limit)
        .offset(paging.offset)
    )
    links = [shaped_link(row, today) for row in rows]
    guests = guests_of_many(session, [link.id for link in links], terms)
    total = session.scalar(
        select(func.count(CheckInLink.id))
        .join(Reservation, refers_to(CheckInLink.reservation_id, Reservation))
        .where(wanted)
    )
    return ListedLinks(links, guests, total or 0)


def unlinked_stays(session: Session, today: date) -> Sequence[UnlinkedStay]:
    """Return the next guests' bookings that have no link yet."""
    linked = select(CheckInLink.id).where(refers_to(CheckInLink.reservation_id, Reservation))
    guests = select(Reservation.id).where(as_indexed("reservation.kind = 'guest'"))
    # Found by their last day: of all reservations few are guests who have not left.
    staying = union_all(
        guests.where(Reservation.ends_on >= today), guests.where(Reservation.ends_on.is_(None))
    )
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.starts_on,
            Reservation.ends_on,
            Building.name.label("building_ja"),
            Building.name_en,
            Unit.name.label("unit_name"),
        )
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Unit.building)
        .where(
            Reservation.id.in_(staying),
            Reservation.cancelled_at.is_(None),
            Reservation.lifecycle.in_(_STAYING),
            Reservation.starts_on.is_not(None),
            ~linked.exists(),
        )
        .order_by(Reservation.starts_on, Reservation.id)
        .limit(MOST_WITHOUT)
    )
    return [
        UnlinkedStay(id_, name, begins, ends, Bilingual(ja, en), unit)
        for id_, name, begins, ends, ja, en, unit in rows
    ]
