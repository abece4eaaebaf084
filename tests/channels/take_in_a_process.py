"""Takes up inbound events in a process of its own that tests may kill.

`python -m tests.channels.take_in_a_process INSTANT`; says "go" when it begins.
"""

import sys
from datetime import datetime

from pms import tables
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.readings import take_inbound_events
from pms.jobs.runs import Tools

TABLES = tables.metadata


def main(instant: str) -> None:
    settings = Settings.from_environment()
    clock = FixedClock(datetime.fromisoformat(instant))
    tools = Tools(settings, Database(settings), clock, choose_postbox(settings))
    print("go", flush=True)
    take_inbound_events(tools)


if __name__ == "__main__":
    main(*sys.argv[1:])
