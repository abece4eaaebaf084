"""Begins to set up a second factor: a new secret, which counts once it was confirmed."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.access.totp import factor_address, factor_secret
from pms.foundation.errors import Refused
from pms.foundation.tokens import Sealer, new_token


class FactorSecret(NamedTuple):
    """What an authenticator is told, as text and as the address its picture holds."""

    secret: str
    address: str


def start_second_factor(
    session: Session, sealer: Sealer, person_id: str, *, issuer: str
) -> FactorSecret:
    """Return a new secret, which waits to be confirmed.

    Raises `Refused` once a second factor is set up: its secret is never shown again.
    """
    person = session.get_one(Person, person_id, with_for_update=True)
    if person.factor_confirmed_at is not None:
        raise Refused("The second factor is set up already; remove it first.")
    person.factor_salt, person.factor_step = new_token(), 0
    session.flush()
    return _told(sealer, person, issuer)


def waiting_factor(
    session: Session, sealer: Sealer, person_id: str, *, issuer: str
) -> FactorSecret | None:
    """Return the secret that waits to be confirmed, `None` before and after."""
    person = session.get_one(Person, person_id)
    is_waiting = person.factor_salt is not None and person.factor_confirmed_at is None
    return _told(sealer, person, issuer) if is_waiting else None


def _told(sealer: Sealer, person: Person, issuer: str) -> FactorSecret:
    return FactorSecret(factor_secret(sealer, person), factor_address(sealer, person, issuer))
