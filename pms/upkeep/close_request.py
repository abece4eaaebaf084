"""Closes a report without work, with the reason."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import RequestState
from pms.upkeep.upkeep_in_hand import requests_in_hand


def close_request(
    session: Session, clock: Clock, actor: str, *, request_id: str, because: str | None
) -> None:
    """Close a report that is not part of a project; one that is closes with it.

    Raises `Refused` without a reason and for a part of a project, `Collision` when it is closed.
    """
    reason = needed_text("because", because, LONGEST_TEXT)
    (row,) = requests_in_hand(session, [request_id])
    if row.state == RequestState.FOLDED:
        raise Refused("state: this report is part of a project and closes with it.")
    if row.state == RequestState.CLOSED:
        raise Collision("This report was closed already.")
    row.state, row.closed_because = RequestState.CLOSED, reason
    row.closed_at, row.closed_by = clock.now(), actor
    row.version += 1
    note_change(session, clock, actor, Deed.REQUEST_CLOSED, row)
    session.flush()
