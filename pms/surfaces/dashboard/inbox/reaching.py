"""Says which conversations the person at the desk meets."""

from pms.channels.inbox_reach import InboxReach
from pms.surfaces.dashboard.desk import desk


def inbox_reach() -> InboxReach:
    """Return all of them for the office, those about their own projects for maintenance."""
    return InboxReach.of_staff(desk().role, desk().person_id)
