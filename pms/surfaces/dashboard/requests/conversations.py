"""The conversations about a report or a project that this person may read."""

from collections.abc import Sequence
from typing import Final

from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import desk, reading
from pms.upkeep.ticket_reach import TicketReach
from pms.upkeep.tickets import ListedTicket, TicketSearch, list_tickets

_MOST: Final = Paging(1, 50)


def conversations_about(
    *, project_id: str | None = None, request_id: str | None = None
) -> Sequence[ListedTicket]:
    """Return them, open or closed; who is on site reads those of their own projects."""
    search = TicketSearch(state=None, project_id=project_id, request_id=request_id)
    reach = TicketReach.of_staff(desk().role, desk().person_id)
    return list_tickets(reading(), search, _MOST, reach).rows
