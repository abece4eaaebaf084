"""Copies the last calls of each API key from this machine's files: no request waits for that."""

from functools import partial

from pms.access.key_calls import noted_calls
from pms.access.note_key_calls import note_key_calls
from pms.access.queries import workspaces_of_keys
from pms.foundation.last_calls import LastCalls
from pms.jobs.tools import Tools


def record_key_calls(tools: Tools) -> None:
    """Note the calls of every key that made one; the file of a key that is gone goes too."""
    files = LastCalls(tools.settings, tools.clock)
    calls = {key_id: files.newest(key_id) for key_id in files.noted_keys()}
    newest = {key_id: made[-1].id for key_id, made in calls.items() if made}
    with tools.database.across_workspaces_reading() as session:
        known = workspaces_of_keys(session, list(calls))
        noted = noted_calls(session, list(newest.values()))
    for key_id, made in calls.items():
        workspace_id = known.get(key_id)
        if workspace_id is None:
            files.forget(key_id)
        elif made and newest[key_id] not in noted:
            tools.database.write(workspace_id, partial(note_key_calls, key_id=key_id, calls=made))
