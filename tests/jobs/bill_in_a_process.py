"""Bills a workspace on a day in processes of their own, which end themselves wherever tests say.

`python -m tests.jobs.bill_in_a_process WORKSPACE PART` reads lines of `DAY MOMENT` pairs. For each
pair it forks a process that bills on that day; those of one line work at the same time. At its
MOMENT the process is killed (SIGKILL); 0 lets it finish. A moment is any point just before or
after a statement, or before a commit, counted from 1. When all of a line have ended, it prints
`killed` or `finished` for each.
"""

import gc
import os
import signal
import sys
from datetime import UTC, date, datetime, time
from itertools import count

from sqlalchemy import event
from sqlalchemy.orm import configure_mappers

from pms import tables
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.billing_run import billing_run

TABLES = tables.metadata


def main(workspace_id: str, part: str) -> None:
    settings = Settings.from_environment()
    # What every child would have to do again is done before the first is forked.
    configure_mappers()
    Database(settings).dispose()
    gc.freeze()
    for line in sys.stdin:
        words = line.split()
        orders = zip(words[::2], map(int, words[1::2]), strict=True)
        children = [forked(settings, workspace_id, day, moment, part) for day, moment in orders]
        print(*[ending(pid) for pid in children], flush=True)


def forked(settings: Settings, workspace_id: str, day: str, moment: int, part: str) -> int:
    """Bill in a child of this process, which opens the database for itself."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        noon = datetime.combine(date.fromisoformat(day), time(3), tzinfo=UTC)
        database = Database(settings)
        die_at(moment, database)
        billing_run(database, FixedClock(noon), "test", workspace_id, part=int(part))
        database.dispose()
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def die_at(moment: int, database: Database) -> None:
    """Have the process killed at a moment of its work."""
    moments = count(1)

    def pass_one(*_: object) -> None:
        if next(moments) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(database.engine, name, pass_one)


def ending(pid: int) -> str:
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {0: "finished", -signal.SIGKILL: "killed"}.get(code, f"failed with {code}")


if __name__ == "__main__":
    main(*sys.argv[1:])
