"""Passwords of staff: setting and changing them, and asking for them again."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from sqlalchemy.orm import Session

from pms.access.account_mails import mail_change
from pms.access.auth_tries import Subject, count_try, forgive, has_to_wait
from pms.access.models import Person
from pms.access.own_sessions import sign_out_everywhere
from pms.access.sessions import AuthContext, FoundSession, Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords, is_common
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.request_budget import PASSWORDS_OF_ADDRESS
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
