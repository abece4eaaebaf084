"""Says which conversations the person at the desk meets."""

from pms.surfaces.dashboard.desk import desk
from pms.upkeep.ticket_reach import TicketReach


def ticket_reach() -> TicketReach:
    """Return all of them for the office, those of their own projects for maintenance."""
    return TicketReach.of_staff(desk().role, desk().person_id)
