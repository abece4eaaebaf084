"""Bills a workspace on a day in a process of its own that tests may kill.

`python -m tests.jobs.bill_in_a_process WORKSPACE DAY PART`; says "go" when it begins.
"""

import sys
from datetime import UTC, date, datetime, time

from pms import tables
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.billing_run import billing_run

TABLES = tables.metadata


def main(workspace_id: str, day: str, part: str) -> None:
    noon = datetime.combine(date.fromisoformat(day), time(3), tzinfo=UTC)
    database = Database(Settings.from_environment())
    print("go", flush=True)
    billing_run(database, FixedClock(noon), "test", workspace_id, part=int(part))
    database.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
