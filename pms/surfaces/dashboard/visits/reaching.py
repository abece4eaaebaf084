"""Says which visits and tasks the person at the desk meets, and where a map is found."""

from urllib.parse import urlencode

from pms.surfaces.dashboard.desk import desk
from pms.upkeep.reach import Reach

_MAP = "https://www.google.com/maps/search/?"


def visit_reach() -> Reach:
    """Return everybody's for the office, else this person's own."""
    return Reach.of_staff(desk().role, desk().person_id)


def map_of(address: str) -> str:
    """Return where a map of an address is shown; nothing is asked of it until somebody goes there."""
    return _MAP + urlencode({"api": 1, "query": address})
