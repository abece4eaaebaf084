"""Ends one of a person's own sessions, such as on a lost phone."""

from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import DoorSession
from pms.access.sign_out import sign_out
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import SignInEventKind


def revoke_session(
    session: Session, clock: Clock, person_id: str, session_id: str, *, by: Visitor
) -> None:
    """End a session of the person; another person's counts as none."""
    row = session.get(DoorSession, session_id) if is_id(session_id) else None
    if row is None or row.person_id != person_id:
        raise NotFound("There is no such session.")
    sign_out(session, clock, session_id, by=by, kind=SignInEventKind.SESSION_ENDED)
