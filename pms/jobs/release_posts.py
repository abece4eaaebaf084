"""Lets scheduled posts of every workspace out, a few seconds after their instant."""

from typing import Final

import structlog

from pms.jobs.tools import Tools
from pms.site.release_posts import release_posts, workspaces_with_due_posts

ACTOR: Final = "worker"
_log = structlog.get_logger("pms.jobs.release_posts")


def release_due_posts(tools: Tools) -> None:
    """Release what is due; as a rule that is nothing, and nothing is written."""
    with tools.database.across_workspaces_reading() as session:
        workspace_ids = workspaces_with_due_posts(session, tools.clock.now())
    for workspace_id in workspace_ids:
        released = tools.database.write(
            workspace_id, lambda session: release_posts(session, tools.clock, ACTOR)
        )
        _log.info("posts came out", workspace=workspace_id, posts=released)
