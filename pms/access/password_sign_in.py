"""Sign-in with a password."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.auth_tries import Subject, count_try, forgive, has_to_wait
from pms.access.members import staff_member
from pms.access.models import Person, SignInEvent
from pms.access.session_openings import OpenedSession, kind_of, open_staff_session
from pms.access.sessions import AuthContext, Visitor
from pms.access.sign_in_events import note_event
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.request_budget import PASSWORDS_OF_ADDRESS, TRIES_OF_CLIENT

NOT_YET: Final = timedelta(0)


class PasswordAnswer(NamedTuple):
    """A session, or `None`; `wait` is the delay after too many tries."""

    opened: OpenedSession | None
    wait: timedelta = NOT_YET


def sign_in_with_password(auth: AuthContext, visitor: Visitor, password: str) -> PasswordAnswer:
    """Return a session when the password is right (specification, Surfaces).

    An unknown address, one without a password and a wrong password take the same steps: the try is
    counted and recorded as failed, one password is hashed, nothing else is written. Only a
    successful try updates its record afterwards.
    """

    def count(session: Session) -> tuple[timedelta, str | None, str]:
        wait = count_try(session, auth.clock, _subjects_of_visitor(visitor))
        if wait:
            return wait, None, ""
        # Record the try as failed, until it succeeds; return the id of the event.
        of_address, _ = _subjects_of_visitor(visitor)
        is_locked = has_to_wait(session, auth.clock, of_address)
        kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
        event_id = note_event(session, auth.clock, kind, visitor, proof=Proof.PASSWORD).id
        known = select(Person.password_hash).where(
            Person.email == visitor.address, Person.deactivated_at.is_(None)
        )
        return wait, session.scalar(known), event_id

    wait, kept, event_id = auth.write(count)
    if wait:
        return PasswordAnswer(None, wait)
    if not auth.passwords.matches(kept, password):
        return PasswordAnswer(None)
    # A hash with the present parameters; the plain password is available only now.
    if kept is None or not auth.passwords.is_outdated(kept):
        fresh = kept
    else:
        fresh = auth.passwords.hash_password(password)
    return PasswordAnswer(
        auth.write(
            lambda session: _open_session(session, auth, visitor, kept, fresh, event_id=event_id)
        )
    )


def _open_session(
    session: Session,
    auth: AuthContext,
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
    of_address, of_client = _subjects_of_visitor(visitor)
    forgive(session, of_address)
    forgive(session, of_client, tries=1)
    opened = open_staff_session(
        session,
        auth.clock,
        person,
        proof=Proof.PASSWORD,
        device=visitor.device,
        is_whole=False,
    )
    session.get_one(SignInEvent, event_id).kind = kind_of(opened)
    session.flush()
    return opened


def _subjects_of_visitor(visitor: Visitor) -> tuple[Subject, Subject]:
    who = f"{visitor.address}\x1f{visitor.known_device}"
    return (
        Subject("password", who, PASSWORDS_OF_ADDRESS),
        Subject("password of client", visitor.client, TRIES_OF_CLIENT),
    )
