"""P8: finding whom a key speaks for, in the process."""

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, redirect_stdout
from functools import partial
from io import StringIO
from unittest.mock import patch

from app import create_app
from pms.access.keys import find_key
from pms.foundation.database import Database
from tests.bench.agreement import PROPERTIES
from tests.bench.rounds import Figure, Side, Spread, ratio
from tests.bench.stage import Stage

_TIMES = 2_000
_SLOW_HASHES = ("pbkdf2_hmac", "scrypt")
_RAW = "SELECT workspace_id, scopes FROM api_key WHERE hash = ? AND revoked_at IS NULL"


def look_up(stage: Stage) -> Iterable[Figure]:
    """The look-up on a held connection against the barest statement, and slow hashes met."""
    key = stage.largest.read_key
    database = Database(stage.data.settings)
    question = partial(find_key, presented=key)
    with closing(sqlite3.connect(stage.data.path, isolation_level=None)) as raw:
        assert database.ask_across_workspaces(question) is not None
        ours = _cpu(lambda: database.ask_across_workspaces(question))
        theirs = _cpu(lambda: _raw(raw, key))
        found, one, _ = ratio(ours, theirs, stage.rounds)
    database.dispose()
    microseconds = Spread(*(value * 1e6 for value in one))
    yield Figure("P8", "key look-up in the process, CPU", microseconds, 60, 20, "µs")
    yield Figure("P8", "key look-up against the barest statement", found, 12)
    times = float(_slow_hashes(stage))
    yield Figure("P8", "slow hashes on the way of a request", Spread(times, times, times), 0, 0, "")


def _cpu(step: Callable[[], object]) -> Side:
    def measure() -> float:
        began = time.process_time()
        for _ in range(_TIMES):
            step()
        return (time.process_time() - began) / _TIMES

    measure()
    return measure


def _raw(connection: sqlite3.Connection, key: str) -> object:
    wanted = hashlib.sha256(key.encode()).hexdigest()
    return connection.execute(_RAW, (wanted,)).fetchone()


def _slow_hashes(stage: Stage) -> int:
    app = create_app(stage.data.settings)
    headers = {"Authorization": f"Bearer {stage.largest.read_key}"}
    with ExitStack() as watched, redirect_stdout(StringIO()):
        calls = [watched.enter_context(patch.object(hashlib, name)) for name in _SLOW_HASHES]
        app.test_client().get(PROPERTIES, headers=headers)
        times = sum(call.call_count for call in calls)
    app.extensions["pms.database"].dispose()
    return times
