"""Records of the workspace as choices of a form: its buildings, its office staff."""

from pms.catalogue.buildings import building_names
from pms.enquiries.leads import office_people
from pms.surfaces.dashboard.gate import reading
from pms.surfaces.reader_choice import chosen_language


def building_choices() -> list[tuple[str, str]]:
    """Return every building by id and name, in the reader's language."""
    language = chosen_language()
    named = building_names(reading())
    return [(building.id, building.name.in_language(language) or "") for building in named]


def office_choices() -> list[tuple[str, str]]:
    """Return the office staff by id and name."""
    return [(person.person_id, person.name) for person in office_people(reading())]
