"""One report and one project with hours and a purchase, in one workspace."""

from collections.abc import Mapping

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import House
from tests.upkeep.works import Works


def upkeep_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the id of each by the parameter of an address that names it."""
    works = Works(database, clock, house)
    project_id = works.open()
    return {
        "request_id": works.report(),
        "project_id": project_id,
        "hours_id": works.work(project_id, 60, 4_000),
        "purchase_id": works.buy(project_id, 3_200),
    }
