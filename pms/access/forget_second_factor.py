"""Takes a second factor out of force for someone who lost the app and the recovery codes."""

from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.foundation.clock import Clock


def forget_second_factor(session: Session, clock: Clock, person_id: str) -> None:
    """Remove it, and end the person's sessions: whoever has the app now may be somebody else."""
    person = session.get_one(Person, person_id, with_for_update=True)
    person.factor_salt, person.factor_confirmed_at = None, None
    person.factor_step, person.recovery_hashes = 0, []
    sign_out_everywhere(session, clock, person_id)
