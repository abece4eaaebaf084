"""The register of guests: registering those of a link, and deleting their entries."""

import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, LONGEST_NAME, check_text, shorten_text
from pms.foundation.audit import note_audit_event, of_reservation, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.ids import is_id, new_id
from pms.foundation.prepared import one_of
from pms.foundation.sealing import opened_text, sealed_text
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import NamedLink
from pms.foundation.work import Work, locked
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_start, inclusive_days
from pms.rules.links import GuestRegisterEntry, is_clock_time, missing_entries, register_kept_from
from pms.stays.models import CheckInLink, GuestRegistration
from pms.stays.stay_links import LINKS, StayLink, shaped_link
from pms.stays.stays import GuestTerms, stay_terms

KEPT_OF_CANCELLED: Final = timedelta(days=30)


def forget_guests(work: Work, files: Files, *, most: int = 200) -> int:
    """Delete entries and passport copies after the retention period; return how many.

    At most `most` are deleted. For a stay without a readable check-out, the period begins on the
    day its link was made. The files are deleted before the rows: if the transaction fails, the next
    run finds the rows again.
    """
    due = work.session.execute(
        select(GuestRegistration.id, GuestRegistration.passport_file_key)
        .join(CheckInLink, refers_to(GuestRegistration.link_id, CheckInLink))
        .join(Reservation, refers_to(CheckInLink.reservation_id, Reservation))
        .where(_is_over(work.session, work.clock))
        .order_by(GuestRegistration.id)
        .limit(most)
    ).all()
    if not due:
        return 0
    for _, key in due:
        if key is not None:
            files.delete(key)
    work.session.execute(
        delete(GuestRegistration)
        .where(one_of(GuestRegistration.id, [id_ for id_, _ in due]))
        .execution_options(synchronize_session=False)
    )
    facts = {"guests": len(due)}
    note_audit_event(work, AuditEvent.REGISTER_FORGOTTEN, of_workspace(work.session), after=facts)
    return len(due)


def _is_over(session: Session, clock: Clock) -> ColumnElement[bool]:
    kept_from = register_kept_from(clock.today(), stay_terms(session).register_kept_years)
    return or_(
        Reservation.ends_on < kept_from,
        # Guests who cancelled never stayed: the law requires no entry of them.
        Reservation.cancelled_at < clock.now() - KEPT_OF_CANCELLED,
        and_(Reservation.ends_on.is_(None), CheckInLink.created_at < day_start(kept_from)),
    )


def open_passport(work: Work, *, link_id: str, guest_id: str) -> str:
    """Return the key of the file; raise `NotFound` if this stay has no such copy."""
    row = None
    if is_id(link_id) and is_id(guest_id):
        row = work.session.execute(
            select(
                GuestRegistration.passport_file_key,
                GuestRegistration.position,
                CheckInLink.reservation_id,
            )
            .join(CheckInLink, refers_to(GuestRegistration.link_id, CheckInLink))
            .where(
                GuestRegistration.id == guest_id,
                CheckInLink.id == link_id,
                GuestRegistration.passport_file_key.is_not(None),
            )
        ).first()
    if row is None:
        raise NotFound("There is no passport copy for '{id}'.", id=guest_id[:60])
    facts = {"guest_number": row.position}
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.PASSPORT_OPENED, about, after=facts)
    return str(row.passport_file_key)


def opened_link(session: Session, today: date, named: NamedLink) -> StayLink | None:
    """Return the link in the session's workspace, or `None` if its nonce has changed."""
    row = session.execute(LINKS.where(CheckInLink.id == named.link_id)).first()
    if row is None or not hmac.compare_digest(row.nonce.encode(), named.nonce.encode()):
        return None
    return shaped_link(row, today)


def lock_guest(
    session: Session, clock: Clock, link: CheckInLink, position: int
) -> GuestRegistration:
    """Return the entry of a guest, a new one if there is none; the link must be locked."""
    if not 1 <= position <= link.guests:
        raise NotFound("This stay has no guest {position}.", position=position)
    row = session.scalar(
        select(GuestRegistration).where(
            GuestRegistration.link_id == link.id, GuestRegistration.position == position
        )
    )
    if row is None:
        row = GuestRegistration(
            id=new_id(),
            link_id=link.id,
            position=position,
            name="",
            lives_in_japan=False,
            extras={},
            written_at=clock.now(),
            updated_at=clock.now(),
        )
        session.add(row)
    return row


def has_begun(session: Session, clock: Clock, link: CheckInLink, terms: GuestTerms) -> bool:
    """Whether the check-in time, in Japan, has passed."""
    asked = select(Reservation.starts_on).where(Reservation.id == link.reservation_id)
    arrival = terms.arrives_at(session.scalar(asked))
    return arrival is not None and clock.now() >= arrival


def begun_stay() -> Refused:
    """Return the refusal to change an entry after the stay has begun."""
    return Refused("The stay has started, so only the office can change the details now.")


def settle_check_in(work: Work, link: CheckInLink, terms: GuestTerms) -> None:
    """Record when the register became complete, and when the check-in was finished."""
    work.session.flush()
    rows = work.session.scalars(
        select(GuestRegistration).where(GuestRegistration.link_id == link.id)
    )
    complete = sum(entry_of(work.session, row, terms).is_complete for row in rows)
    if complete < link.guests:
        link.registered_at = None
    elif link.registered_at is None:
        link.registered_at = work.clock.now()
    is_agreed = link.rules_accepted_at is not None or not terms.has_rules
    is_done = link.registered_at is not None and link.arrival_time is not None and is_agreed
    if is_done and link.finished_at is None:
        link.finished_at = work.clock.now()
        about = of_reservation(link.reservation_id)
        note_audit_event(work, AuditEvent.CHECK_IN_FINISHED, about)
    work.session.flush()


def send_passport(work: Work, *, link_id: str, position: int, file_key: str) -> str | None:
    """Save a passport copy; return the key of the one it replaces, to be deleted, or None.

    A missing copy may be sent later, also during the stay; after its beginning none is replaced.
    Only guests who do not live in Japan send one.
    """
    link = locked(work.session, CheckInLink, link_id)
    terms = stay_terms(work.session)
    row = lock_guest(work.session, work.clock, link, position)
    freed = row.passport_file_key
    is_written = freed is not None or row.lives_in_japan
    if is_written and has_begun(work.session, work.clock, link, terms):
        raise begun_stay()
    row.lives_in_japan = False
    row.passport_file_key, row.passport_sent_at = file_key, work.clock.now()
    row.updated_at = work.clock.now()
    facts = {"guest_number": position}
    about = of_reservation(link.reservation_id)
    note_audit_event(work, AuditEvent.PASSPORT_SENT, about, after=facts)
    settle_check_in(work, link, terms)
    return freed


_LONGEST_ADDRESS: Final = 500


def register_guest(
    work: Work, *, link_id: str, position: int, guest: GuestRegisterEntry
) -> str | None:
    """Save a guest's entry; return the key of a passport copy to be deleted, or None.

    The register has no passport of guests who live in Japan. Raises `Refused` for an incomplete
    entry, and, after the stay has begun, for a change of a complete one.
    """
    link = locked(work.session, CheckInLink, link_id)
    terms = stay_terms(work.session)
    row = lock_guest(work.session, work.clock, link, position)
    if (
        has_begun(work.session, work.clock, link, terms)
        and entry_of(work.session, row, terms).is_complete
    ):
        raise begun_stay()
    freed = _write_registration(work.session, row, guest, terms)
    missing = missing_entries(entry_of(work.session, row, terms).facts, terms.register_fields)
    if missing:
        raise Refused("{field}: this is required for the guest register.", field=missing[0])
    row.updated_at = work.clock.now()
    facts = {"guest_number": position}
    about = of_reservation(link.reservation_id)
    note_audit_event(work, AuditEvent.GUEST_REGISTERED, about, after=facts)
    settle_check_in(work, link, terms)
    return freed


def _write_registration(
    session: Session, row: GuestRegistration, guest: GuestRegisterEntry, terms: GuestTerms
) -> str | None:
    row.name = check_text("name", guest.name, LONGEST_NAME) or ""
    row.lives_in_japan = guest.lives_in_japan
    row.address = check_text("address", guest.address, _LONGEST_ADDRESS)
    row.contact = check_text("contact", guest.contact)
    row.extras = {
        field.value: text
        for field in terms.register_fields
        if (text := check_text(field.value, guest.extras.get(field.value), LONGEST_LINE))
    }
    if not guest.lives_in_japan:
        row.nationality = check_text("nationality", guest.nationality, LONGEST_NAME)
        number = check_text("passportNumber", guest.passport_number, 40)
        row.passport_number = sealed_text(session, number)
        return None
    freed = row.passport_file_key
    row.nationality = row.passport_number = None
    row.passport_file_key = row.passport_sent_at = None
    return freed


def plan_arrival(
    work: Work, *, link_id: str, arrival_time: str | None, accepts_rules: bool
) -> None:
    """Save the time of arrival, and finish the check-in if the register is complete too.

    An acceptance of the rules is kept. Raises `Refused` if there are rules and they are not
    accepted, and, after the stay has begun, for a change of the time of arrival.
    """
    link = locked(work.session, CheckInLink, link_id)
    terms = stay_terms(work.session)
    if arrival_time is None or not is_clock_time(arrival_time):
        raise Refused(
            "arrivalTime: '{value}' is not a time such as 15:00.",
            value=shorten_text(arrival_time or ""),
        )
    is_moved = link.arrival_time not in (None, arrival_time)
    if is_moved and has_begun(work.session, work.clock, link, terms):
        raise begun_stay()
    if terms.has_rules and not accepts_rules and link.rules_accepted_at is None:
        raise Refused("acceptsRules: please agree to the house rules to stay.")
    link.arrival_time = arrival_time
    if terms.has_rules and link.rules_accepted_at is None:
        link.rules_accepted_at = work.clock.now()
    settle_check_in(work, link, terms)


class GuestEntry(NamedTuple):
    """One guest's entry in the register, without the file of the passport."""

    id: str
    position: int
    facts: GuestRegisterEntry
    passport_sent_at: datetime | None
    missing: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether the entry lacks nothing."""
        return not self.missing

    @property
    def waits_for_copy(self) -> bool:
        """Whether a copy of the passport may still be sent."""
        return not self.facts.lives_in_japan and not self.facts.has_passport_copy


class RegisterLine(NamedTuple):
    """One guest in the register, with the stay."""

    link: StayLink
    guest: GuestEntry


def guests_of(session: Session, link_id: str, terms: GuestTerms) -> Sequence[GuestEntry]:
    """Return the entries of a stay's guests, in their order."""
    return guests_of_many(session, [link_id], terms)[link_id]


def guests_of_many(
    session: Session, link_ids: Iterable[str], terms: GuestTerms
) -> Mapping[str, Sequence[GuestEntry]]:
    """Return the entries of the guests of each link, in one query."""
    found: dict[str, list[GuestEntry]] = defaultdict(list)
    rows = session.scalars(
        select(GuestRegistration)
        .where(one_of(GuestRegistration.link_id, list(link_ids)))
        .order_by(GuestRegistration.link_id, GuestRegistration.position)
    )
    for row in rows:
        found[row.link_id].append(entry_of(session, row, terms))
    return found


def register_lines(
    session: Session, terms: GuestTerms, *, first_on: date, last_on: date, today: date
) -> Sequence[RegisterLine]:
    """Return every guest who stayed on one of the days, both ends included, by check-in."""
    rows = session.execute(
        LINKS.where(
            Reservation.starts_on <= last_on,
            Reservation.ends_on >= first_on,
            Reservation.cancelled_at.is_(None),
        ).order_by(Reservation.starts_on, CheckInLink.id)
    )
    links = [shaped_link(row, today) for row in rows]
    guests = guests_of_many(session, [link.id for link in links], terms)
    return [RegisterLine(link, guest) for link in links for guest in guests[link.id]]


def entry_of(session: Session, row: GuestRegistration, terms: GuestTerms) -> GuestEntry:
    """Return a row as an entry, with what it lacks."""
    facts = GuestRegisterEntry(
        name=row.name or None,
        lives_in_japan=row.lives_in_japan,
        address=row.address,
        contact=row.contact,
        nationality=row.nationality,
        passport_number=opened_text(session, row.passport_number),
        has_passport_copy=row.passport_file_key is not None,
        extras=row.extras,
    )
    missing = missing_entries(facts, terms.register_fields)
    return GuestEntry(row.id, row.position, facts, row.passport_sent_at, missing)


MOST_DAYS: Final = 400


def export_register(work: Work, *, first_on: date, last_on: date) -> Sequence[RegisterLine]:
    """Return every guest who stayed on one of the days, both ends included, and audit it."""
    days = inclusive_days(first_on, last_on)
    if not 1 <= days <= MOST_DAYS:
        raise Refused(
            "through: {count} days from {first_on} are too many. Export 1 to {most} days at once.",
            count=days,
            first_on=first_on,
            most=MOST_DAYS,
        )
    lines = register_lines(
        work.session,
        stay_terms(work.session),
        first_on=first_on,
        last_on=last_on,
        today=work.clock.today(),
    )
    facts = {"first_on": first_on, "last_on": last_on, "guests": len(lines)}
    note_audit_event(work, AuditEvent.REGISTER_EXPORTED, of_workspace(work.session), after=facts)
    return lines
