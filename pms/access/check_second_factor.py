"""Lets someone in who has shown the second factor after the first."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.door_tries import Subject, count_try, forgive, has_to_wait
from pms.access.doorway import Doorway, Visitor
from pms.access.models import DoorSession, Person
from pms.access.open_session import OpenedSession, open_staff_session
from pms.access.sign_in_events import note_event
from pms.access.sign_out import sign_out
from pms.access.totp import take_factor, take_recovery_code
from pms.rules.enumerations import SignInEventKind
from pms.rules.sign_in_codes import read_code
from pms.rules.slowing import FACTORS_OF_PERSON

NOT_YET: Final = timedelta(0)


class FactorAnswer(NamedTuple):
    """A whole session, or nothing; `wait` tells a guesser to slow down."""

    opened: OpenedSession | None
    wait: timedelta = NOT_YET


def check_second_factor(
    doorway: Doorway, visitor: Visitor, waiting_session_id: str, typed: str
) -> FactorAnswer:
    """Return a whole session in place of the waiting one, for digits or a recovery code."""

    def check(session: Session) -> FactorAnswer:
        waiting = session.get(DoorSession, waiting_session_id, with_for_update=True)
        if waiting is None or waiting.revoked_at is not None or not waiting.waits_for_factor:
            return FactorAnswer(None)
        person = session.get(Person, waiting.person_id, with_for_update=True)
        if person is None:
            return FactorAnswer(None)
        tries = Subject("second factor", person.id, FACTORS_OF_PERSON)
        wait = count_try(session, doorway.clock, (tries,))
        if wait:
            return FactorAnswer(None, wait)
        if not _is_shown(doorway, person, typed):
            is_locked = has_to_wait(session, doorway.clock, tries)
            kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FACTOR_FAILED
            note_event(session, doorway.clock, kind, visitor, proof=waiting.proof)
            return FactorAnswer(None)
        forgive(session, tries)
        kind = SignInEventKind.SIGNED_IN
        note_event(session, doorway.clock, kind, visitor, proof=waiting.proof)
        return FactorAnswer(_opened(session, doorway, waiting, person))

    return doorway.write(check)


def _is_shown(doorway: Doorway, person: Person, typed: str) -> bool:
    digits = read_code(typed)
    if digits is not None:
        return take_factor(doorway.sealer, person, digits, doorway.clock.now())
    return take_recovery_code(person, typed)


def _opened(
    session: Session, doorway: Doorway, waiting: DoorSession, person: Person
) -> OpenedSession:
    sign_out(session, doorway.clock, waiting.id)
    return open_staff_session(
        session,
        doorway.clock,
        person,
        proof=waiting.proof,
        device=waiting.device,
        is_whole=True,
    )
