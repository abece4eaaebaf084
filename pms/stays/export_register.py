"""Takes the register of guests out of the program, and writes down who did and for which days."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.days import inclusive_days
from pms.rules.deeds import Deed
from pms.stays.register import RegisterLine, register_lines
from pms.stays.stay_terms import stay_terms

MOST_DAYS: Final = 400


def export_register(
    session: Session, clock: Clock, actor: str, *, first_on: date, last_on: date
) -> Sequence[RegisterLine]:
    """Return every guest who stayed on one of the days, both ends counted."""
    days = inclusive_days(first_on, last_on)
    if not 1 <= days <= MOST_DAYS:
        raise Refused(
            "through: {count} days from {first_on} on; 1 to {most} are exported at once.",
            count=days,
            first_on=first_on,
            most=MOST_DAYS,
        )
    lines = register_lines(
        session, stay_terms(session), first_on=first_on, last_on=last_on, today=clock.today()
    )
    told = {"first_on": first_on, "last_on": last_on, "guests": len(lines)}
    note_deed(session, clock, actor, Deed.REGISTER_EXPORTED, of_workspace(session), after=told)
    return lines
