"""Takes a second factor out of force for someone who lost the app and the recovery codes."""

from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import Person
from pms.access.sign_in_events import note_event
from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.access.totp import drop_factor
from pms.foundation.clock import Clock
from pms.rules.enumerations import SignInEventKind


def forget_second_factor(
    session: Session, clock: Clock, person_id: str, *, workspace_id: str, by: str
) -> None:
    """Remove it, and end the person's sessions: whoever has the app now may be somebody else.

    It is recorded as done in the name of a workspace, and `by` what.
    """
    person = session.get_one(Person, person_id, with_for_update=True)
    drop_factor(person)
    sign_out_everywhere(session, clock, person_id)
    at_the_desk = Visitor(person.email, "", by)
    note_event(
        session, clock, SignInEventKind.FACTOR_REMOVED, at_the_desk, workspace_id=workspace_id
    )
