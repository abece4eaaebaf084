"""Says what a link to a project opens: how many pages of the handbook, and how many codes."""

from typing import NamedTuple

from pms.catalogue.handbook_copy import handbook_copy
from pms.rules.handbook_copies import CodeSight, ContractorFacts
from pms.surfaces.dashboard.desk import reading
from pms.upkeep.project_record import ProjectRecord


class Exposure(NamedTuple):
    """The pages of the handbook that come with a project, and those of them with a code."""

    pages: int
    codes: int


def exposure_of(project: ProjectRecord) -> Exposure:
    """Return what whoever holds a link to the project may read and reveal today."""
    reader = ContractorFacts(project.unit_id)
    pages = handbook_copy(reading(), building_id=project.building_id, reader=reader)
    return Exposure(len(pages), sum(page.code is CodeSight.BY_TAP for page in pages))
