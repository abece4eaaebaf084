"""Copies from the budget what each API key asked and when last: no request waits for that."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import structlog

from pms.access.note_key_hours import note_key_hours
from pms.access.note_key_use import note_key_use
from pms.access.queries import keys_of_workspaces, workspace_id_of_key
from pms.foundation.budget import BudgetUnavailable, last_requests, open_storage
from pms.foundation.budget.rolling_window import RollingWindowStorage
from pms.foundation.budget.storages import past_requests
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.tools import Tools

_log = structlog.get_logger("pms.jobs.record_key_use")


class _Use(NamedTuple):
    """When a key was used last, and the requests the budget still remembers."""

    last_at: datetime
    instants: Sequence[datetime]


def record_key_use(tools: Tools) -> None:
    """Note the requests of every key that was used since the last time."""
    with tools.database.across_workspaces_reading() as session:
        noted = {key.id: key.last_used_at for key in keys_of_workspaces(session)}
    storage = open_storage(tools.settings)
    try:
        newer = _newer(storage, noted)
    except BudgetUnavailable as failure:
        _log.warning("key use not recorded", failure=str(failure.__cause__))
        return
    finally:
        storage.close()
    for key_id, use in newer.items():
        _note(tools, key_id, use)


def _newer(
    storage: RollingWindowStorage, noted: Mapping[str, datetime | None]
) -> Mapping[str, _Use]:
    uses = {
        key_id: used_at.replace(microsecond=0)
        for key_id, used_at in last_requests(storage, noted).items()
    }
    return {
        key_id: _Use(used_at, list(past_requests(storage, key_id)))
        for key_id, used_at in uses.items()
        if _is_newer(used_at, noted[key_id])
    }


def _note(tools: Tools, key_id: str, use: _Use) -> None:
    def note_last(session: WorkspaceSession) -> str:
        note_key_use(session, key_id, use.last_at)
        return workspace_id_of_key(session, key_id)

    workspace_id = tools.database.write_across_workspaces(note_last)
    tools.database.write(
        workspace_id, lambda session: note_key_hours(session, key_id, use.instants)
    )


def _is_newer(used_at: datetime, noted: datetime | None) -> bool:
    return noted is None or used_at > noted
