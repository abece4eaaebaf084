"""Notes what became of a viewing: it took place, or nobody came."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.enquiries.viewing_in_hand import count_change, viewing_in_hand
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import ViewingStatus
from pms.rules.viewing_steps import RESULTS, may_end


def end_viewing(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    viewing_id: str,
    result: ViewingStatus,
    note: str | None = None,
) -> None:
    """Write the result, which may be corrected; raise `Refused` before the day of the viewing."""
    row = viewing_in_hand(session, viewing_id)
    if result not in RESULTS or not may_end(row.status, row.starts_at, clock.today()):
        raise Refused("result: a result is noted from the viewing's own day on, unless cancelled.")
    row.status, row.note = result, checked_text("note", note, LONGEST_TEXT)
    count_change(session, clock, actor, Deed.VIEWING_ENDED, row)
