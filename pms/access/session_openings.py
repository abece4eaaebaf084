"""Opening sessions of staff and of portals."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.models import AuthSession, Person
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token, token_hash
from pms.rules.enumerations import Proof, SignInEventKind, UserKind
from pms.rules.sign_in_codes import SESSION_LIFE

FACTOR_LIFE: Final = timedelta(minutes=10)
_MOST_OF_A_DEVICE: Final = 200


class OpenedSession(NamedTuple):
    """A new session; with `waits_for_factor` it opens only the page of the second factor."""

    token: str
    user_kind: UserKind
    address: str
    locale: str | None
    waits_for_factor: bool


def open_staff_session(
    session: Session, clock: Clock, person: Person, *, proof: Proof, device: str, is_whole: bool
) -> OpenedSession:
    """Return a session of a member of staff; unless `is_whole`, it waits for the second factor."""
    waits = not is_whole and person.factor_confirmed_at is not None
    token = new_token()
    session.add(
        AuthSession(
            id=new_id(),
            user_kind=UserKind.STAFF,
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
    return OpenedSession(token, UserKind.STAFF, person.email, person.locale, waits)


def open_portal_session(
    session: Session,
    clock: Clock,
    *,
    user_kind: UserKind,
    workspace_id: str,
    address: str,
    device: str,
) -> OpenedSession:
    """Return a session of a resident or an owner: an address in one workspace."""
    token = new_token()
    session.add(
        AuthSession(
            id=new_id(),
            user_kind=user_kind,
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
    return OpenedSession(token, user_kind, address, None, waits_for_factor=False)


def kind_of(opened: OpenedSession) -> SignInEventKind:
    """Return the kind of the sign-in event of a new session."""
    waits = opened.waits_for_factor
    return SignInEventKind.FACTOR_ASKED if waits else SignInEventKind.SIGNED_IN
