"""Reports another problem that a contractor saw where they work, with their pictures."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.clock import Clock
from pms.foundation.sent_once import is_new
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.report_problem import ReportedProblem, report_problem
from pms.upkeep.upkeep_in_hand import open_project_in_hand
from pms.upkeep.upkeep_photos import REQUEST


def report_beside_work(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    what: str | None,
    is_in_unit: bool = True,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> str | None:
    """Store the report and return its id, `None` for a tap that arrived before.

    It is of the project's unit, or of the building where the project has none or the problem is
    outside it. The office decides what becomes of it: the project stays as it is.
    """
    project = open_project_in_hand(session, project_id)
    if not is_new(session, clock, actor, key):
        return None
    reported = ReportedProblem(
        building_id=project.building_id,
        unit_id=project.unit_id if is_in_unit else None,
        what=what,
    )
    made = report_problem(session, clock, actor, reported=reported)
    for sized in photos:
        add_upkeep_photo(session, clock, actor, subject=(REQUEST, made), sized=sized)
    return made
