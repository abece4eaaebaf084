"""Changes or sets a person's password, and tells them by mail that it was done."""

from datetime import timedelta
from typing import Final

from sqlalchemy.orm import Session

from pms.access.door_tries import Subject, count_try, forgive, has_to_wait
from pms.access.doorway import Doorway, Visitor
from pms.access.find_session import FoundSession
from pms.access.mail_codes import recipient_of
from pms.access.models import Person
from pms.access.new_password import new_password_hash
from pms.access.sign_in_events import note_event
from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.rules.days import JAPAN
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.slowing import PASSWORDS_OF_ADDRESS

PROVED_FOR: Final = timedelta(minutes=15)
"""How long a code that was mailed stands in for the password that was forgotten."""


def needs_current(held: FoundSession, clock: Clock) -> bool:
    """Tell whether a new password takes the current one: not soon after a mailed code."""
    is_fresh = clock.now() - held.created_at < PROVED_FOR
    return not (held.proof in (Proof.CODE, Proof.INVITATION) and is_fresh)


def change_password(
    doorway: Doorway, held: FoundSession, *, current: str | None, new: str, by: Visitor
) -> None:
    """Set the password of whoever holds the session; all their other sessions end.

    Raises `Refused` for a wrong current password, too many tries or a password easily guessed.
    """
    if needs_current(held, doorway.clock):
        _check(doorway, held, current or "", by)
    hash_ = new_password_hash(doorway.passwords, new, held.address)

    def change(session: Session) -> None:
        person = session.get_one(Person, held.person_id, with_for_update=True)
        person.password_hash = hash_
        sign_out_everywhere(session, doorway.clock, person.id, but=held.id)
        note_event(session, doorway.clock, SignInEventKind.PASSWORD_CHANGED, by)
        _tell(session, doorway.clock, person)

    doorway.write(change)


def _check(doorway: Doorway, held: FoundSession, current: str, by: Visitor) -> None:
    tries = Subject("current password", str(held.person_id), PASSWORDS_OF_ADDRESS)

    def count(session: Session) -> tuple[timedelta, str | None]:
        wait = count_try(session, doorway.clock, (tries,))
        return wait, session.get_one(Person, held.person_id).password_hash

    wait, kept = doorway.write(count)
    if wait:
        seconds = int(wait.total_seconds())
        raise Refused("currentPassword: Too many tries; wait {seconds} seconds.", seconds=seconds)
    if kept is not None and not doorway.passwords.matches(kept, current):
        doorway.write(lambda session: _note_wrong(session, doorway, tries, by))
        raise Refused("currentPassword: This is not your password.")
    if kept is None:
        raise Refused("currentPassword: You have none yet; sign in by an emailed PIN to set one.")
    doorway.write(lambda session: forgive(session, tries))


def _note_wrong(session: Session, doorway: Doorway, tries: Subject, by: Visitor) -> None:
    is_locked = has_to_wait(session, doorway.clock, tries)
    kind = SignInEventKind.LOCKED_OUT if is_locked else SignInEventKind.FAILED
    note_event(session, doorway.clock, kind, by, proof=Proof.PASSWORD)


def _tell(session: Session, clock: Clock, person: Person) -> None:
    recipient = recipient_of(session, person.email)
    if recipient is not None:
        text = mail_text(
            "password-changed",
            recipient.locale,
            hue=recipient.hue,
            operator=recipient.operator,
            name=person.name,
            changed_on=clock.today(),
            changed_at=f"{clock.now().astimezone(JAPAN):%H:%M}",
        )
        mail = put_mail(session, clock, recipient=person.email, **text._asdict())
        mail.workspace_id = recipient.workspace_id
    session.flush()
