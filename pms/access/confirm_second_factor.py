"""Puts a second factor in force, once its digits were shown, and hands out recovery codes."""

from typing import Final

from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import Person
from pms.access.sign_in_events import note_event
from pms.access.totp import recovery_hash, take_factor
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.tokens import Sealer, new_token
from pms.rules.enumerations import SignInEventKind
from pms.rules.sign_in_codes import read_code

RECOVERY_CODES: Final = 10
_LETTERS: Final = 12


def confirm_second_factor(
    session: Session, clock: Clock, sealer: Sealer, person_id: str, typed: str, *, by: Visitor
) -> tuple[str, ...]:
    """Return the recovery codes, which are shown this once; only their hashes stay."""
    person = session.get_one(Person, person_id, with_for_update=True)
    if person.factor_confirmed_at is not None:
        raise Refused("The second factor is set up already; remove it first.")
    digits = read_code(typed)
    if digits is None or not take_factor(sealer, person, digits, clock.now()):
        raise Refused("code: These are not the digits the app shows now.")
    codes = tuple(_grouped(new_token()[:_LETTERS]) for _ in range(RECOVERY_CODES))
    person.recovery_hashes = [recovery_hash(person.id, code) for code in codes]
    person.factor_confirmed_at = clock.now()
    note_event(session, clock, SignInEventKind.FACTOR_SET_UP, by)
    return codes


def _grouped(letters: str) -> str:
    return "-".join(letters[place : place + 4] for place in range(0, len(letters), 4))
