"""Says whose eyes the codes of a building's handbook are for."""

from pms.surfaces.dashboard.desk import desk, reading, today
from pms.upkeep.todays_buildings import todays_buildings


def sees_codes(building_id: str) -> bool:
    """Tell whether this person may ask for the codes of a building.

    The office always; who works on site on days with a task of theirs there.
    """
    if desk().is_office:
        return True
    return building_id in todays_buildings(reading(), desk().person_id, today())
