"""Signs a member of staff in by address and password; strangers learn nothing from the answer."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.door_tries import Subject, count_try, forgive, has_to_wait
from pms.access.doorway import Doorway, Visitor
from pms.access.models import Person, SignInEvent
from pms.access.open_session import OpenedSession, kind_of, open_staff_session
from pms.access.sign_in_events import note_event
from pms.access.staff import staff_member
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.slowing import PASSWORDS_OF_ADDRESS, TRIES_OF_CLIENT

NOT_YET: Final = timedelta(0)


class PasswordAnswer(NamedTuple):
    """A session, or nothing; `wait` tells a guesser, and everyone alike, to slow down."""

    opened: OpenedSession | None
    wait: timedelta = NOT_YET


def sign_in_with_password(doorway: Doorway, visitor: Visitor, password: str) -> PasswordAnswer:
    """Return a session when the password is right (specification, Surfaces).

    An unknown address, one without a password and a wrong password take the same steps: the try
    is counted and recorded as one that failed, one password is hashed, nothing else is written.
    Only a try that succeeds is recorded anew as what it came to.
    """

    def count(session: Session) -> tuple[timedelta, str | None, str]:
        wait = count_try(session, doorway.clock, _subjects(visitor))
        if wait:
            return wait, None, ""
        event_id = _note_failed(session, doorway, visitor)
        return wait, _kept_hash(session, visitor.address), event_id

    wait, kept, event_id = doorway.write(count)
    if wait:
        return PasswordAnswer(None, wait)
    if not doorway.passwords.matches(kept, password):
        return PasswordAnswer(None)
    fresh = _renewed(doorway, kept, password)
    return PasswordAnswer(
        doorway.write(
            lambda session: _opened(session, doorway, visitor, kept, fresh, event_id=event_id)
        )
    )


def _note_failed(session: Session, doorway: Doorway, visitor: Visitor) -> str:
    """Record the try as failed until it is known better; return the id of the event."""
    of_address, _ = _subjects(visitor)
    is_locked = has_to_wait(session, doorway.clock, of_address)
    kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
    return note_event(session, doorway.clock, kind, visitor, proof=Proof.PASSWORD).id


def _renewed(doorway: Doorway, kept: str | None, password: str) -> str | None:
    """Return the hash by today's costs; the password itself is at hand only now."""
    if kept is None or not doorway.passwords.is_outdated(kept):
        return kept
    return doorway.passwords.hashed(password)


def _opened(
    session: Session,
    doorway: Doorway,
    visitor: Visitor,
    kept: str | None,
    fresh: str | None,
    *,
    event_id: str,
) -> OpenedSession | None:
    person = staff_member(session, visitor.address, for_update=True)
    if person is None or person.password_hash != kept:
        return None  # removed or changed while the password was hashed
    person.password_hash = fresh
    of_address, of_client = _subjects(visitor)
    forgive(session, of_address)
    forgive(session, of_client, tries=1)
    opened = open_staff_session(
        session,
        doorway.clock,
        person,
        proof=Proof.PASSWORD,
        device=visitor.device,
        is_whole=False,
    )
    session.get_one(SignInEvent, event_id).kind = kind_of(opened)
    session.flush()
    return opened


def _kept_hash(session: Session, address: str) -> str | None:
    known = select(Person.password_hash).where(
        Person.email == address, Person.deactivated_at.is_(None)
    )
    return session.scalar(known)


def _subjects(visitor: Visitor) -> tuple[Subject, Subject]:
    who = f"{visitor.address}\x1f{visitor.known_device}"
    return (
        Subject("password", who, PASSWORDS_OF_ADDRESS),
        Subject("password of client", visitor.client, TRIES_OF_CLIENT),
    )
