"""Takes days of a unit for a use outside the service (specification, Availability, Rules)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_NAME, checked_text
from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import ExternalBlock, Unit
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.rules.deeds import Deed
from pms.rules.enumerations import BlockSource


def add_block(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    unit_id: str,
    source: BlockSource,
    first_on: date,
    last_on: date | None = None,
    summary: str | None = None,
) -> str:
    """Store a block, its last day inside or open-ended, and return its id.

    It shows in the availability view alone and never meets the double-booking check.
    """
    row_to_edit(session, Unit, unit_id)
    check_block_days(first_on, last_on)
    now = clock.now()
    row = ExternalBlock(
        id=new_id(),
        unit_id=unit_id,
        source=BlockSource(source),
        first_on=first_on,
        last_on=last_on,
        summary=checked_text("summary", summary, LONGEST_NAME),
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    note_change(session, clock, actor, Deed.BLOCK_ADDED, row)
    session.flush()
    return row.id


def check_block_days(first_on: date, last_on: date | None) -> None:
    """Raise `Refused` for days that are no run of days."""
    if not FIRST_DAY <= first_on <= LAST_DAY:
        raise Refused(
            "firstOn: {day} is not between {first} and {last}.",
            day=first_on,
            first=FIRST_DAY,
            last=LAST_DAY,
        )
    if last_on is not None and not first_on <= last_on <= LAST_DAY:
        raise Refused(
            "lastOn: {day} is not between the first day {first} and {last}.",
            day=last_on,
            first=first_on,
            last=LAST_DAY,
        )
