"""Takes a second factor out of force."""

from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import Person
from pms.access.sign_in_events import note_event
from pms.access.totp import drop_factor, take_factor, take_recovery_code
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.tokens import Sealer
from pms.rules.enumerations import SignInEventKind
from pms.rules.sign_in_codes import read_code


def remove_second_factor(
    session: Session, clock: Clock, sealer: Sealer, person_id: str, typed: str, *, by: Visitor
) -> None:
    """Remove a person's second factor, who shows it once more, or a recovery code."""
    person = session.get_one(Person, person_id, with_for_update=True)
    digits = read_code(typed)
    is_shown = (
        take_factor(sealer, person, digits, clock.now())
        if digits is not None
        else take_recovery_code(person, typed)
    )
    if not is_shown:
        raise Refused("code: These are neither the digits the app shows now nor a recovery code.")
    drop_factor(person)
    note_event(session, clock, SignInEventKind.FACTOR_REMOVED, by)
