"""Says which tasks and pictures the person at the desk meets."""

from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.desk import actor, desk
from pms.upkeep.reach import Reach
from pms.upkeep.upkeep_photos import PhotoReach


def own_reach() -> Reach:
    """Return the tasks of this person: all of them, or their own and those of nobody."""
    return Reach.of_staff(desk().role, desk().person_id)


def own_photos() -> PhotoReach:
    """Return the pictures of this person: who cleans sees no receipts."""
    is_cleaning = desk().role is StaffRole.HOUSEKEEPING
    return PhotoReach(
        own_reach(), actor(), sees_requests=not is_cleaning, sees_purchases=not is_cleaning
    )
