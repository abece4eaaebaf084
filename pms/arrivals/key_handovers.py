"""Keys handed over for a tenancy: once or again, to whom, and a record taken back."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.models import KeyHandover
from pms.catalogue.checks import LONGEST_NAME, LONGEST_TEXT, check_text, needed_text
from pms.deposits.models import Amendment
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, find_row, locked
from pms.reservations.changes import mark_changed
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ReservationKind
from pms.rules.tenancy_way import ENDED

MOST_KEYS: Final = 99


class HandedKeys(NamedTuple):
    """What was handed over on a day: how many keys or what else, to whom, and a note."""

    handed_on: date
    key_count: int | None = None
    items: str | None = None
    handed_to: str | None = None
    note: str | None = None


def hand_over_keys(
    work: Work, *, reservation_id: str, keys: HandedKeys, expected_version: int | None = None
) -> KeyHandover:
    """Record keys that were handed over, also before the move-in.

    Raises `Refused` for a guest, who gets codes, for a tenancy that has ended, for a day to come,
    and for neither a number of keys nor what else was handed over.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if keys.key_count is None and not keys.items:
        raise Refused("keyCount: Enter how many keys, or what else was handed over.")
    return write_handover(work, row, keys)


def write_handover(work: Work, row: Reservation, keys: HandedKeys) -> KeyHandover:
    """Record keys for a locked reservation; the number is empty where nobody noted it."""
    if row.kind == ReservationKind.GUEST:
        raise Refused("keys: A guest of a check-in link gets codes, not keys.")
    if row.lifecycle in ENDED:
        raise Refused("keys: The tenancy has ended.")
    today = work.clock.today()
    if keys.handed_on > today:
        raise Refused(
            "handedKeysOn: {day} is still to come. Choose a day up to {today}.",
            day=keys.handed_on,
            today=today,
        )
    if keys.key_count is not None and not 1 <= keys.key_count <= MOST_KEYS:
        raise Refused(
            "keyCount: '{count}' is not possible. Enter a number from 1 to {most}.",
            count=keys.key_count,
            most=MOST_KEYS,
        )
    handover = KeyHandover(
        id=new_id(),
        reservation_id=row.id,
        handed_on=keys.handed_on,
        key_count=keys.key_count,
        items=check_text("items", keys.items),
        handed_to=check_text("handedTo", keys.handed_to, LONGEST_NAME),
        note=check_text("keyNote", keys.note, LONGEST_TEXT),
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(handover)
    row.keys_on = max(row.keys_on or handover.handed_on, handover.handed_on)
    mark_changed(row, work.clock, work.actor)
    facts = {
        "handed_on": handover.handed_on,
        "key_count": handover.key_count,
        "items": handover.items,
        "handed_to": handover.handed_to,
        "note": handover.note,
    }
    note_audit_event(work, AuditEvent.KEYS_HANDED_OVER, of_reservation(row.id), after=facts)
    work.session.flush()
    return handover


def withdraw_handover(work: Work, *, handover_id: str, because: str) -> KeyHandover:
    """Take back a record that is wrong, with a reason; it stays readable, and no longer counts.

    Raises `NotFound`, and `Refused` once the tenancy has ended or the record is taken back.
    """
    found = find_row(work.session, KeyHandover, handover_id)
    row = reservation_to_change(work.session, found.reservation_id)
    handover = locked(work.session, KeyHandover, handover_id)
    if handover.withdrawn_at is not None:
        raise Refused("keys: This record is withdrawn already.")
    if row.lifecycle in ENDED:
        raise Refused("keys: The tenancy has ended.")
    handover.withdrawn_because = needed_text("reason", because)
    handover.withdrawn_at, handover.withdrawn_by = work.clock.now(), work.actor
    work.session.flush()
    left = handovers_in_force(work.session, row.id)
    row.keys_on = left[-1].handed_on if left else None
    mark_changed(row, work.clock, work.actor)
    note_audit_event(
        work,
        AuditEvent.KEY_HANDOVER_WITHDRAWN,
        of_reservation(row.id),
        before={"handed_on": handover.handed_on, "key_count": handover.key_count},
        after={"reason": handover.withdrawn_because},
    )
    work.session.flush()
    return handover


def key_handover(session: Session, handover_id: str) -> KeyHandover:
    """Return a record of keys; raise `NotFound`."""
    return find_row(session, KeyHandover, handover_id)


def handovers_in_force(session: Session, reservation_id: str) -> Sequence[KeyHandover]:
    """Return the handovers of a reservation that were not withdrawn, in their order."""
    asked = select(KeyHandover).where(
        KeyHandover.reservation_id == reservation_id, KeyHandover.withdrawn_at.is_(None)
    )
    return session.scalars(asked.order_by(KeyHandover.handed_on, KeyHandover.id)).all()


class TenancyKeys(NamedTuple):
    """The keys of one tenancy, and of those in the same unit that it continues.

    `handovers` include what was withdrawn; `has_earlier` keys are known by no record.
    """

    handovers: Sequence[KeyHandover]
    has_earlier: bool

    @property
    def in_force(self) -> Sequence[KeyHandover]:
        """The handovers that were not withdrawn."""
        return [each for each in self.handovers if each.withdrawn_at is None]

    @property
    def key_count(self) -> int | None:
        """How many keys were handed over; None where the number of some is not known."""
        counts = [each.key_count for each in self.in_force]
        if self.has_earlier or not counts or None in counts:
            return None
        return sum(count for count in counts if count is not None)


def keys_of_tenancy(session: Session, reservation_id: str) -> TenancyKeys:
    """Return the keys that are given back when this tenancy ends; raise `NotFound`."""
    row = find_row(session, Reservation, reservation_id)
    ids = [row.id]
    asked = select(Reservation).join(Amendment, Amendment.old_reservation_id == Reservation.id)
    while before := session.scalar(
        asked.where(Amendment.new_reservation_id == row.id, Reservation.unit_id == row.unit_id)
    ):
        row = before
        ids.append(row.id)
    handovers = session.scalars(
        select(KeyHandover)
        .where(KeyHandover.reservation_id.in_(ids))
        .order_by(KeyHandover.handed_on, KeyHandover.id)
    )
    # Keys that came with the first of these tenancies were handed over before they were recorded.
    return TenancyKeys(handovers.all(), row.has_earlier_keys)
