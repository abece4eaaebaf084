"""Opens a session behind a door: the token leaves once, its hash stays."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.models import DoorSession, Person
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token, token_hash
from pms.rules.enumerations import Door, Proof, SignInEventKind
from pms.rules.sign_in_codes import SESSION_LIFE

FACTOR_LIFE: Final = timedelta(minutes=10)
_MOST_OF_A_DEVICE: Final = 200


class OpenedSession(NamedTuple):
    """A session just opened; `waits_for_factor` says that it opens nothing but the next page."""

    token: str
    door: Door
    address: str
    locale: str | None
    waits_for_factor: bool


def open_staff_session(
    session: Session, clock: Clock, person: Person, *, proof: Proof, device: str, is_whole: bool
) -> OpenedSession:
    """Return a session of a member of staff; not whole, it waits for the second factor."""
    waits = not is_whole and person.factor_confirmed_at is not None
    token = new_token()
    session.add(
        DoorSession(
            id=new_id(),
            door=Door.STAFF,
            person_id=person.id,
            address=person.email,
            token_hash=token_hash(token),
            proof=proof,
            waits_for_factor=waits,
            device=device[:_MOST_OF_A_DEVICE],
            created_at=clock.now(),
            last_seen_at=clock.now(),
            expires_at=clock.now() + (FACTOR_LIFE if waits else SESSION_LIFE),
        )
    )
    session.flush()
    return OpenedSession(token, Door.STAFF, person.email, person.locale, waits)


def open_portal_session(
    session: Session,
    clock: Clock,
    *,
    door: Door,
    workspace_id: str,
    address: str,
    device: str,
) -> OpenedSession:
    """Return a session of a resident or an owner: an address in one workspace."""
    token = new_token()
    session.add(
        DoorSession(
            id=new_id(),
            door=door,
            workspace_id=workspace_id,
            address=address,
            token_hash=token_hash(token),
            proof=Proof.CODE,
            device=device[:_MOST_OF_A_DEVICE],
            created_at=clock.now(),
            last_seen_at=clock.now(),
            expires_at=clock.now() + SESSION_LIFE,
        )
    )
    session.flush()
    return OpenedSession(token, door, address, None, waits_for_factor=False)


def kind_of(opened: OpenedSession) -> SignInEventKind:
    """Return what the record of sign-ins calls the session that was opened."""
    waits = opened.waits_for_factor
    return SignInEventKind.FACTOR_ASKED if waits else SignInEventKind.SIGNED_IN
