"""The six digits of an authenticator: whose secret, which step, and each step once."""

from base64 import b32encode
from datetime import datetime
from hmac import compare_digest
from typing import Final

import pyotp

from pms.access.models import Person
from pms.foundation.tokens import Sealer, token_hash

_STEP_SECONDS: Final = 30
_PURPOSE: Final = "second factor"
_SECRET_BYTES: Final = 20


def factor_secret(sealer: Sealer, person: Person) -> str:
    """Return the secret an authenticator is told; it follows from the program's own key."""
    chance = sealer.derived(_PURPOSE, person.id, person.factor_salt or "")
    return b32encode(chance[:_SECRET_BYTES]).decode()


def factor_address(sealer: Sealer, person: Person, issuer: str) -> str:
    """Return the otpauth address that the picture for an authenticator holds."""
    totp = pyotp.TOTP(factor_secret(sealer, person), interval=_STEP_SECONDS)
    return totp.provisioning_uri(name=person.email, issuer_name=issuer)


def take_factor(sealer: Sealer, person: Person, digits: str, now: datetime) -> bool:
    """Tell whether the digits are of this step, the last or the next, and take that step.

    A step is taken once: whoever looked over a shoulder comes too late.
    """
    if person.factor_salt is None:
        return False
    totp = pyotp.TOTP(factor_secret(sealer, person), interval=_STEP_SECONDS)
    this_step = int(now.timestamp()) // _STEP_SECONDS
    for step in (this_step - 1, this_step, this_step + 1):
        is_right = compare_digest(totp.generate_otp(step).encode(), digits.encode())
        if is_right and step > person.factor_step:
            person.factor_step = step
            return True
    return False


def take_recovery_code(person: Person, typed: str) -> bool:
    """Tell whether this is one of the person's recovery codes, and take it."""
    wanted = recovery_hash(person.id, typed)
    if wanted not in person.recovery_hashes:
        return False
    person.recovery_hashes = [kept for kept in person.recovery_hashes if kept != wanted]
    return True


def recovery_hash(person_id: str, code: str) -> str:
    """Return what is kept of a recovery code, however its blanks and dashes were typed."""
    plain = "".join(letter for letter in code.casefold() if letter.isalnum())
    return token_hash(f"{person_id}\x1f{plain}")
