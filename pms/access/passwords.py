"""Passwords of staff: setting, changing and signing in with one."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.account_mails import mail_change
from pms.access.auth_tries import Subject, count_try, forgive, has_to_wait
from pms.access.members import staff_member
from pms.access.models import Person, SignInEvent
from pms.access.own_sessions import sign_out_everywhere
from pms.access.sessions import (
    AuthContext,
    FoundSession,
    OpenedSession,
    Visitor,
    kind_of,
    open_staff_session,
)
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords, is_common
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.request_budget import PASSWORDS_OF_ADDRESS, TRIES_OF_CLIENT
from pms.rules.sign_in_codes import (
    LEAST_CHARACTERS,
    MOST_CHARACTERS,
    PasswordProblem,
    problem_of_password,
)


def new_password_hash(
    passwords: Passwords, password: str, address: str, names: Iterable[str | None] = ()
) -> str:
    """Return the hash of a new password; raise `Refused` for one that is easy to guess.

    `names` are those of the person and of the workspace, which others would guess.
    """
    problem = problem_of_password(password, address)
    if problem is None and is_common(password, address, names):
        problem = PasswordProblem.TOO_PLAIN
    match problem:
        case PasswordProblem.TOO_SHORT:
            raise Refused(
                "newPassword: Use at least {least} characters for the password.",
                least=LEAST_CHARACTERS,
            )
        case PasswordProblem.TOO_LONG:
            raise Refused(
                "newPassword: Use at most {most} characters for the password.", most=MOST_CHARACTERS
            )
        case PasswordProblem.TOO_PLAIN:
            raise Refused("newPassword: This password is easy to guess. Choose another one.")
        case PasswordProblem.OWN_ADDRESS:
            raise Refused("newPassword: Your email address cannot be your password.")
    return passwords.hash_password(password)


PROVED_FOR: Final = timedelta(minutes=15)
"""How long after sign-in with a mailed code the current password is not needed."""


def needs_current(held: FoundSession, clock: Clock) -> bool:
    """Whether a change of the sign-in needs the current password: not just after a mailed code."""
    is_fresh = clock.now() - held.created_at < PROVED_FOR
    return not (held.proof in (Proof.CODE, Proof.INVITATION) and is_fresh)


def change_password(
    auth: AuthContext, held: FoundSession, *, current: str | None, new: str, by: Visitor
) -> None:
    """Set the password of the session's person; all their other sessions end.

    Raises `Refused` for a wrong current password, too many tries or a password that is easy to
    guess.
    """
    prove_again(auth, held, current, by=by)
    places = [text for at in held.memberships for text in (at.slug, at.name, at.name_en)]
    hash_ = new_password_hash(auth.passwords, new, held.address, (held.name, *places))

    def change(session: Session) -> None:
        person = session.get_one(Person, held.person_id, with_for_update=True)
        person.password_hash = hash_
        sign_out_everywhere(session, auth.clock, person.id, but=held.id)
        note_event(session, auth.clock, SignInEventKind.PASSWORD_CHANGED, by)
        mail_change(session, auth.clock, person, "password-changed")

    auth.write(change)


def prove_again(auth: AuthContext, held: FoundSession, current: str | None, *, by: Visitor) -> None:
    """Check that the session's person is there, before a change of how they sign in.

    The current password proves it, or a mailed code of the last minutes. Raises `Refused`.
    """
    if not needs_current(held, auth.clock):
        return
    tries = Subject("current password", str(held.person_id), PASSWORDS_OF_ADDRESS)

    def count(session: Session) -> tuple[timedelta, str | None]:
        wait = count_try(session, auth.clock, (tries,))
        return wait, session.get_one(Person, held.person_id).password_hash

    wait, kept = auth.write(count)
    if wait:
        seconds = int(wait.total_seconds())
        raise Refused(
            "currentPassword: Too many tries. Try again in {seconds} seconds.", seconds=seconds
        )
    if kept is not None and not auth.passwords.matches(kept, current or ""):
        auth.write(lambda session: _note_wrong(session, auth, tries, by))
        raise Refused("currentPassword: The password is wrong.")
    if kept is None:
        raise Refused(
            "currentPassword: You have not set a password. Confirm with an emailed code instead."
        )
    auth.write(lambda session: forgive(session, tries))


def _note_wrong(session: Session, auth: AuthContext, tries: Subject, by: Visitor) -> None:
    is_locked = has_to_wait(session, auth.clock, tries)
    kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
    note_event(session, auth.clock, kind, by, proof=Proof.PASSWORD)


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
        event_id = _note_failed(session, auth, visitor)
        return wait, _kept_hash(session, visitor.address), event_id

    wait, kept, event_id = auth.write(count)
    if wait:
        return PasswordAnswer(None, wait)
    if not auth.passwords.matches(kept, password):
        return PasswordAnswer(None)
    fresh = _renew_hash(auth, kept, password)
    return PasswordAnswer(
        auth.write(
            lambda session: _open_session(session, auth, visitor, kept, fresh, event_id=event_id)
        )
    )


def _note_failed(session: Session, auth: AuthContext, visitor: Visitor) -> str:
    """Record the try as failed, until it succeeds; return the id of the event."""
    of_address, _ = _subjects_of_visitor(visitor)
    is_locked = has_to_wait(session, auth.clock, of_address)
    kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
    return note_event(session, auth.clock, kind, visitor, proof=Proof.PASSWORD).id


def _renew_hash(auth: AuthContext, kept: str | None, password: str) -> str | None:
    """Return a hash with the present parameters; the plain password is available only now."""
    if kept is None or not auth.passwords.is_outdated(kept):
        return kept
    return auth.passwords.hash_password(password)


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


def _kept_hash(session: Session, address: str) -> str | None:
    known = select(Person.password_hash).where(
        Person.email == address, Person.deactivated_at.is_(None)
    )
    return session.scalar(known)


def _subjects_of_visitor(visitor: Visitor) -> tuple[Subject, Subject]:
    who = f"{visitor.address}\x1f{visitor.known_device}"
    return (
        Subject("password", who, PASSWORDS_OF_ADDRESS),
        Subject("password of client", visitor.client, TRIES_OF_CLIENT),
    )
