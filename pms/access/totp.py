"""The six digits of an authenticator: whose secret, which step, and each step once."""

from base64 import b32encode
from collections.abc import Sequence
from datetime import datetime
from hmac import compare_digest
from typing import Final

import pyotp
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.foundation.sealing import SealedAnew, UnreadableSecretError, seal, unseal
from pms.foundation.tokens import Sealer, new_token, token_hash

_STEP_SECONDS: Final = 30
_PURPOSE: Final = "second factor"
_SECRET_BYTES: Final = 20


def make_factor(sealer: Sealer, person: Person) -> None:
    """Give the person a new secret for their authenticator."""
    chance = bytes.fromhex(new_token() + new_token())
    _keep(sealer, person, b32encode(chance[:_SECRET_BYTES]).decode())
    person.factor_step = 0


def drop_factor(person: Person) -> None:
    """Take the secret, its confirmation and the recovery codes from the person."""
    person.sealed_factor = person.factor_salt = person.factor_confirmed_at = None
    person.factor_step, person.recovery_hashes = 0, []


def has_factor(person: Person) -> bool:
    """Tell whether the person has a secret, confirmed or not."""
    return person.sealed_factor is not None or person.factor_salt is not None


def factor_secret(sealer: Sealer, person: Person) -> str:
    """Return the secret an authenticator is told; raise `UnreadableSecretError` without one."""
    for secret in _factor_secrets(sealer, person):
        return secret
    raise UnreadableSecretError("there is no secret, or no key opens it")


def factor_address(sealer: Sealer, person: Person, issuer: str) -> str:
    """Return the otpauth address that the picture for an authenticator holds."""
    totp = pyotp.TOTP(factor_secret(sealer, person), interval=_STEP_SECONDS)
    return totp.provisioning_uri(name=person.email, issuer_name=issuer)


def take_factor(sealer: Sealer, person: Person, digits: str, now: datetime) -> bool:
    """Tell whether the digits are of this step, the last or the next, and take that step.

    A step is taken once: whoever looked over a shoulder comes too late.
    """
    this_step = int(now.timestamp()) // _STEP_SECONDS
    for secret in _factor_secrets(sealer, person):
        totp = pyotp.TOTP(secret, interval=_STEP_SECONDS)
        for step in (this_step - 1, this_step, this_step + 1):
            is_right = compare_digest(totp.generate_otp(step).encode(), digits.encode())
            if is_right and step > person.factor_step:
                person.factor_step = step
                if person.sealed_factor is None:
                    _keep(sealer, person, secret)
                return True
    return False


def take_recovery_code(person: Person, typed: str) -> bool:
    """Tell whether this is one of the person's recovery codes, and take it."""
    wanted = recovery_hash(person.id, typed)
    if wanted not in person.recovery_hashes:
        return False
    person.recovery_hashes = [kept for kept in person.recovery_hashes if kept != wanted]
    return True


def seal_factors_anew(session: Session, sealer: Sealer) -> SealedAnew:
    """Seal the secrets that are not under the first key yet; the session is of every workspace.

    One of earlier releases follows from the key that was the only one then: the last of several.
    """
    asked = select(Person).where(_is_under_another_key(sealer))
    people = session.scalars(asked.order_by(Person.id).with_for_update()).all()
    done = 0
    for person in people:
        found = _factor_secrets(sealer, person)
        if found:
            _keep(sealer, person, found[-1])
            done += 1
    return SealedAnew(done, len(people) - done)


def count_unsealed_factors(session: Session, sealer: Sealer) -> int:
    """Return how many secrets are not under the first key; the session is of every workspace."""
    asked = select(func.count()).select_from(Person).where(_is_under_another_key(sealer))
    return session.scalar(asked) or 0


def _is_under_another_key(sealer: Sealer) -> ColumnElement[bool]:
    return and_(
        or_(Person.sealed_factor.is_not(None), Person.factor_salt.is_not(None)),
        or_(
            Person.sealed_factor.is_(None),
            Person.sealed_factor.not_like(f"{sealer.key_ids[0]}.%"),
        ),
    )


def _factor_secrets(sealer: Sealer, person: Person) -> Sequence[str]:
    """Return the secret; of earlier releases, the one that each key would make it."""
    if person.sealed_factor is not None:
        try:
            return [unseal(sealer, person.id, person.sealed_factor)]
        except UnreadableSecretError:
            return []
    if person.factor_salt is None:
        return []
    derived = sealer.derived_from_each(_PURPOSE, person.id, person.factor_salt)
    return [b32encode(chance[:_SECRET_BYTES]).decode() for chance in derived]


def _keep(sealer: Sealer, person: Person, secret: str) -> None:
    person.sealed_factor, person.factor_salt = seal(sealer, person.id, secret), None


def recovery_hash(person_id: str, code: str) -> str:
    """Return what is kept of a recovery code, however its blanks and dashes were typed."""
    plain = "".join(letter for letter in code.casefold() if letter.isalnum())
    return token_hash(f"{person_id}\x1f{plain}")
