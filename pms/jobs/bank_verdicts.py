"""Makes the verdicts of bank day anew where something they depend on was changed."""

from threading import Lock
from typing import Final

import structlog

from pms.bank.verdicts import list_stale_workspaces, renew_verdicts
from pms.jobs.runs import Tools

_log: Final = structlog.get_logger("pms.jobs.bank_verdicts")
_at_work: Final = Lock()


def renew_bank_verdicts(tools: Tools) -> None:
    """Match waiting bank transfers again after a change, and for a new day.

    The call returns at once while this process is still matching. One workspace that fails does not
    stop the others.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        with tools.database.across_workspaces_reading() as session:
            workspace_ids = list_stale_workspaces(session, tools.clock.today())
        for workspace_id in workspace_ids:
            try:
                renew_verdicts(tools.database, tools.clock, workspace_id)
            except Exception:
                _log.exception("bank verdicts not made", workspace=workspace_id)
    finally:
        _at_work.release()
