"""One billing run in a process of its own, so that its memory is its alone."""

import time
from dataclasses import dataclass
from datetime import datetime
from datetime import time as wall_time
from multiprocessing import get_context
from pathlib import Path

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.jobs.billing_run import billing_run
from pms.rules.days import JAPAN
from tests.bench.goals.billing_data import BILLING_DAY, WORKSPACE

_KIBIBYTES = 1024


@dataclass(frozen=True)
class BillingRun:
    """How long it took, how many entries it wrote, and the most memory its process held."""

    seconds: float
    entries: int
    peak_mebibytes: float


def billed(settings: Settings) -> BillingRun:
    """Bill the workspace's next month in a new process."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(bill_here, (settings,))


def bill_here(settings: Settings) -> BillingRun:
    database = Database(settings)
    clock = FixedClock(datetime.combine(BILLING_DAY, wall_time(9), JAPAN))
    with database.reading(WORKSPACE):
        pass
    began = time.perf_counter()
    run = billing_run(database, clock, "billing run", WORKSPACE)
    seconds = time.perf_counter() - began
    database.dispose()
    return BillingRun(seconds, int(run.result.get("entries", 0)), peak_mebibytes())


def peak_mebibytes() -> float:
    # What getrusage tells would include the process this one was forked from.
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / _KIBIBYTES
