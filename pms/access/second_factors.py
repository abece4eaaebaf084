"""Second factors: setting one up, checking its codes, and removing it."""

from base64 import b32encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final, NamedTuple

import pyotp
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from pms.access.account_mails import mail_change
from pms.access.auth_tries import Subject, count_try, forgive, has_to_wait
from pms.access.models import AuthSession, Person
from pms.access.own_sessions import sign_out, sign_out_everywhere
from pms.access.session_openings import OpenedSession, open_staff_session
from pms.access.sessions import AuthContext, Visitor
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sealing import SealedAnew, UnreadableSecretError, seal, unseal
from pms.foundation.tokens import Signer, new_token, token_hash
from pms.rules.enumerations import SignInEventKind
from pms.rules.request_budget import FACTORS_OF_PERSON
from pms.rules.sign_in_codes import read_code

_STEP_SECONDS: Final = 30
_PURPOSE: Final = "second factor"
_SECRET_BYTES: Final = 20


def make_factor(signer: Signer, person: Person) -> None:
    """Give the person a new secret for their authenticator app."""
    secret = bytes.fromhex(new_token() + new_token())
    _seal_secret(signer, person, b32encode(secret[:_SECRET_BYTES]).decode())
    person.factor_step = 0


def drop_factor(person: Person) -> None:
    """Delete the person's secret, its confirmation and the recovery codes."""
    person.sealed_factor = person.factor_salt = person.factor_confirmed_at = None
    person.factor_step, person.recovery_hashes = 0, []


def has_factor(person: Person) -> bool:
    """Whether the person has a secret, confirmed or not."""
    return person.sealed_factor is not None or person.factor_salt is not None


def factor_secret(signer: Signer, person: Person) -> str:
    """Return the secret for the authenticator; raise `UnreadableSecretError` without its key."""
    for secret in _factor_secrets(signer, person):
        return secret
    raise UnreadableSecretError("there is no secret, or no key opens it")


def factor_address(signer: Signer, person: Person, issuer: str) -> str:
    """Return the otpauth URL of the QR code for an authenticator."""
    totp = pyotp.TOTP(factor_secret(signer, person), interval=_STEP_SECONDS)
    return totp.provisioning_uri(name=person.email, issuer_name=issuer)


def take_factor(signer: Signer, person: Person, digits: str, now: datetime) -> bool:
    """Whether the digits are those of the current, last or next time step, which is then used up.

    Each step is accepted once: digits that somebody else saw cannot be used again.
    """
    this_step = int(now.timestamp()) // _STEP_SECONDS
    for secret in _factor_secrets(signer, person):
        totp = pyotp.TOTP(secret, interval=_STEP_SECONDS)
        for step in (this_step - 1, this_step, this_step + 1):
            is_right = compare_digest(totp.generate_otp(step).encode(), digits.encode())
            if is_right and step > person.factor_step:
                person.factor_step = step
                if person.sealed_factor is None:
                    _seal_secret(signer, person, secret)
                return True
    return False


def take_recovery_code(person: Person, typed: str) -> bool:
    """Whether this is one of the person's recovery codes, which is then used up."""
    wanted = recovery_hash(person.id, typed)
    if wanted not in person.recovery_hashes:
        return False
    person.recovery_hashes = [kept for kept in person.recovery_hashes if kept != wanted]
    return True


def seal_factors_anew(session: Session, signer: Signer) -> SealedAnew:
    """Reseal the secrets that are not under the first key; the session spans all workspaces.

    A secret of earlier releases is derived from the only key of that time: the last of several.
    """
    asked = select(Person).where(_is_under_another_key(signer))
    people = session.scalars(asked.order_by(Person.id).with_for_update()).all()
    done = 0
    for person in people:
        found = _factor_secrets(signer, person)
        if found:
            _seal_secret(signer, person, found[-1])
            done += 1
    return SealedAnew(done, len(people) - done)


def count_unsealed_factors(session: Session, signer: Signer) -> int:
    """Return how many secrets are not under the first key; the session spans all workspaces."""
    asked = select(func.count()).select_from(Person).where(_is_under_another_key(signer))
    return session.scalar(asked) or 0


def _is_under_another_key(signer: Signer) -> ColumnElement[bool]:
    return and_(
        or_(Person.sealed_factor.is_not(None), Person.factor_salt.is_not(None)),
        or_(
            Person.sealed_factor.is_(None),
            Person.sealed_factor.not_like(f"{signer.key_ids[0]}.%"),
        ),
    )


def _factor_secrets(signer: Signer, person: Person) -> Sequence[str]:
    """Return the secret; of earlier releases, the secret derived from each key."""
    if person.sealed_factor is not None:
        try:
            return [unseal(signer, person.id, person.sealed_factor)]
        except UnreadableSecretError:
            return []
    if person.factor_salt is None:
        return []
    derived = signer.derived_from_each(_PURPOSE, person.id, person.factor_salt)
    return [b32encode(secret[:_SECRET_BYTES]).decode() for secret in derived]


def _seal_secret(signer: Signer, person: Person, secret: str) -> None:
    person.sealed_factor, person.factor_salt = seal(signer, person.id, secret), None


def recovery_hash(person_id: str, code: str) -> str:
    """Return the hash of a recovery code; blanks and dashes do not matter."""
    plain = "".join(letter for letter in code.casefold() if letter.isalnum())
    return token_hash(f"{person_id}\x1f{plain}")


NOT_YET: Final = timedelta(0)


class FactorAnswer(NamedTuple):
    """A complete session, or `None`; `wait` is the delay after too many tries."""

    opened: OpenedSession | None
    wait: timedelta = NOT_YET


def check_second_factor(
    auth: AuthContext, visitor: Visitor, waiting_session_id: str, typed: str
) -> FactorAnswer:
    """Return a complete session in place of the waiting one, for digits or a recovery code."""

    def check(session: Session) -> FactorAnswer:
        waiting = session.get(AuthSession, waiting_session_id, with_for_update=True)
        if waiting is None or waiting.revoked_at is not None or not waiting.waits_for_factor:
            return FactorAnswer(None)
        person = session.get(Person, waiting.person_id, with_for_update=True)
        if person is None:
            return FactorAnswer(None)
        tries = Subject("second factor", person.id, FACTORS_OF_PERSON)
        wait = count_try(session, auth.clock, (tries,))
        if wait:
            return FactorAnswer(None, wait)
        digits = read_code(typed)
        if digits is not None:
            is_shown = take_factor(auth.signer, person, digits, auth.clock.now())
        else:
            is_shown = take_recovery_code(person, typed)
        if not is_shown:
            is_locked = has_to_wait(session, auth.clock, tries)
            kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FACTOR_FAILED
            note_event(session, auth.clock, kind, visitor, proof=waiting.proof)
            return FactorAnswer(None)
        forgive(session, tries)
        kind = SignInEventKind.SIGNED_IN
        note_event(session, auth.clock, kind, visitor, proof=waiting.proof)
        return FactorAnswer(_open_session(session, auth, waiting, person))

    return auth.write(check)


def _open_session(
    session: Session, auth: AuthContext, waiting: AuthSession, person: Person
) -> OpenedSession:
    sign_out(session, auth.clock, waiting.id)
    return open_staff_session(
        session,
        auth.clock,
        person,
        proof=waiting.proof,
        device=waiting.device,
        is_whole=True,
    )


RECOVERY_CODES: Final = 10
_LETTERS: Final = 12


def confirm_second_factor(
    session: Session, clock: Clock, signer: Signer, person_id: str, typed: str, *, by: Visitor
) -> tuple[str, ...]:
    """Confirm the factor; return the recovery codes, shown once and stored only as hashes."""
    person = session.get_one(Person, person_id, with_for_update=True)
    if person.factor_confirmed_at is not None:
        raise Refused("Two-step sign-in is already set up. Remove it first.")
    digits = read_code(typed)
    if digits is None or not take_factor(signer, person, digits, clock.now()):
        raise Refused("code: This is not the code your app shows now.")
    codes = tuple(_group_letters(new_token()[:_LETTERS]) for _ in range(RECOVERY_CODES))
    person.recovery_hashes = [recovery_hash(person.id, code) for code in codes]
    person.factor_confirmed_at = clock.now()
    note_event(session, clock, SignInEventKind.FACTOR_SET_UP, by)
    mail_change(session, clock, person, "factor-set-up")
    return codes


def _group_letters(letters: str) -> str:
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))


def remove_second_factor(
    session: Session, clock: Clock, signer: Signer, person_id: str, typed: str, *, by: Visitor
) -> None:
    """Remove a person's second factor, after its digits or a recovery code."""
    person = session.get_one(Person, person_id, with_for_update=True)
    digits = read_code(typed)
    is_shown = (
        take_factor(signer, person, digits, clock.now())
        if digits is not None
        else take_recovery_code(person, typed)
    )
    if not is_shown:
        raise Refused("code: This is neither the code in your app nor a recovery code.")
    drop_factor(person)
    note_event(session, clock, SignInEventKind.FACTOR_REMOVED, by)
    mail_change(session, clock, person, "factor-removed")


class FactorSecret(NamedTuple):
    """The secret for an authenticator, as text and as the URL in its QR code."""

    secret: str
    address: str


def start_second_factor(
    session: Session, signer: Signer, person_id: str, *, issuer: str
) -> FactorSecret:
    """Return a new secret, which has to be confirmed.

    Raises `Refused` once a second factor is set up: its secret is never shown again.
    """
    person = session.get_one(Person, person_id, with_for_update=True)
    if person.factor_confirmed_at is not None:
        raise Refused("Two-step sign-in is already set up. Remove it first.")
    make_factor(signer, person)
    session.flush()
    return _secret_of_person(signer, person, issuer)


def waiting_factor(
    session: Session, signer: Signer, person_id: str, *, issuer: str
) -> FactorSecret | None:
    """Return the secret that waits to be confirmed; `None` before and after."""
    person = session.get_one(Person, person_id)
    if not has_factor(person) or person.factor_confirmed_at is not None:
        return None
    try:
        return _secret_of_person(signer, person, issuer)
    except UnreadableSecretError:
        return None  # its key is missing, so a new secret is needed


def _secret_of_person(signer: Signer, person: Person, issuer: str) -> FactorSecret:
    return FactorSecret(factor_secret(signer, person), factor_address(signer, person, issuer))


def forget_second_factor(
    session: Session, clock: Clock, person_id: str, *, workspace_id: str, by: str
) -> None:
    """Remove a person's second factor and end their sessions, as somebody else may have the app.

    It is recorded in the name of a workspace, as done by `by`.
    """
    person = session.get_one(Person, person_id, with_for_update=True)
    drop_factor(person)
    sign_out_everywhere(session, clock, person_id)
    at_the_desk = Visitor(person.email, "", by)
    note_event(
        session, clock, SignInEventKind.FACTOR_REMOVED, at_the_desk, workspace_id=workspace_id
    )
    mail_change(session, clock, person, "factor-removed")
