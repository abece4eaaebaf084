"""Copies from the budget when each API key was last used: no request waits for that."""

from datetime import datetime

import structlog

from pms.access.note_key_use import note_key_use
from pms.access.queries import keys_of_workspaces
from pms.foundation.budget import BudgetUnavailable, last_requests, open_storage
from pms.foundation.settings import Settings
from pms.jobs.tools import Tools

_log = structlog.get_logger("pms.jobs.record_key_use")


def record_key_use(tools: Tools) -> None:
    """Note the newest request of every key that was used since the last time."""
    with tools.database.across_workspaces_reading() as session:
        noted = {key.id: key.last_used_at for key in keys_of_workspaces(session)}
    newer = {
        key_id: used_at
        for key_id, used_at in _uses(tools.settings, noted).items()
        if _is_newer(used_at, noted[key_id])
    }
    if newer:
        with tools.database.across_workspaces_writing() as session:
            for key_id, used_at in newer.items():
                note_key_use(session, key_id, used_at)


def _uses(settings: Settings, key_ids: dict[str, datetime | None]) -> dict[str, datetime]:
    storage = open_storage(settings)
    try:
        uses = last_requests(storage, key_ids)
    except BudgetUnavailable as failure:
        _log.warning("key use not recorded", failure=str(failure.__cause__))
        return {}
    finally:
        storage.close()
    return {key_id: used_at.replace(microsecond=0) for key_id, used_at in uses.items()}


def _is_newer(used_at: datetime, noted: datetime | None) -> bool:
    return noted is None or used_at > noted
