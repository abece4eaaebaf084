"""Begins to set up a second factor: a new secret, which counts once it was confirmed."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.access.totp import factor_address, factor_secret, has_factor, make_factor
from pms.foundation.errors import Refused
from pms.foundation.sealing import UnreadableSecretError
from pms.foundation.tokens import Sealer


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
    make_factor(sealer, person)
    session.flush()
    return _told(sealer, person, issuer)


def waiting_factor(
    session: Session, sealer: Sealer, person_id: str, *, issuer: str
) -> FactorSecret | None:
    """Return the secret that waits to be confirmed, `None` before and after."""
    person = session.get_one(Person, person_id)
    if not has_factor(person) or person.factor_confirmed_at is not None:
        return None
    try:
        return _told(sealer, person, issuer)
    except UnreadableSecretError:
        return None  # its key is gone, so a new secret is to be started


def _told(sealer: Sealer, person: Person, issuer: str) -> FactorSecret:
    return FactorSecret(factor_secret(sealer, person), factor_address(sealer, person, issuer))
