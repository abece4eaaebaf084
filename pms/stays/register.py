"""The register of guests."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.sealing import opened_text
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.check_in import GuestFacts, missing_entries
from pms.rules.days import inclusive_days
from pms.stays.models import CheckInLink, GuestRegistration
from pms.stays.stays import LINKS, StayLink, Terms, shaped_link, stay_terms


class GuestEntry(NamedTuple):
    """One guest's entry in the register, without the file of the passport."""

    id: str
    position: int
    facts: GuestFacts
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


def guests_of(session: Session, link_id: str, terms: Terms) -> Sequence[GuestEntry]:
    """Return the entries of a stay's guests, in their order."""
    return guests_of_many(session, [link_id], terms)[link_id]


def guests_of_many(
    session: Session, link_ids: Iterable[str], terms: Terms
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
    session: Session, terms: Terms, *, first_on: date, last_on: date, today: date
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


def entry_of(session: Session, row: GuestRegistration, terms: Terms) -> GuestEntry:
    """Return a row as an entry, with what it lacks."""
    facts = GuestFacts(
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
