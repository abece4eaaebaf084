"""Takes a second factor out of force for someone who lost the app and the recovery codes."""

from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.access.totp import drop_factor
from pms.foundation.clock import Clock


def forget_second_factor(session: Session, clock: Clock, person_id: str) -> None:
    """Remove it, and end the person's sessions: whoever has the app now may be somebody else."""
    person = session.get_one(Person, person_id, with_for_update=True)
    drop_factor(person)
    sign_out_everywhere(session, clock, person_id)
