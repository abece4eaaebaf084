"""The links of a project, for the block on the project's page."""

from collections.abc import Sequence

from pms.surfaces.dashboard.desk import reading, today
from pms.upkeep.share_links import SharedLink, links_of_project


def share_links_of(project_id: str) -> Sequence[SharedLink]:
    """Return the links of a project, live ones first."""
    return links_of_project(reading(), project_id, today())
