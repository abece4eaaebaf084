"""Many clients who book the same unit in the same moment: processes, each with several threads."""

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.synchronize import Barrier
from typing import Any, NamedTuple

from pms.arrivals.booking_checks import BookingFacts
from pms.arrivals.bookings import book
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from tests.arrivals.office import RENT, RESIDENT, STAFF, day

PROCESSES, THREADS = 4, 16
CONTENDERS = PROCESSES * THREADS
WON, REFUSED = "won", "refused"
# Far more than a round takes: whoever waits longer waits for somebody who died.
PATIENCE_SECONDS = 60.0


class Contest(NamedTuple):
    """What everybody tries for: the units of a workspace, one after the other."""

    settings: Settings
    workspace_id: str
    clock: Clock
    unit_ids: Sequence[str]


def race(contest: Contest) -> list[Counter[str]]:
    """Have everybody book each unit in turn; return how often each outcome came, by round."""
    spawning = multiprocessing.get_context("spawn")
    outcomes: Any = spawning.Queue()
    # Kept in hand: the barrier ends with its last name here, perhaps before a process has it.
    start = spawning.Barrier(PROCESSES)
    running = list(_started(spawning, (contest, start, outcomes)))
    rounds = [Counter[str]() for _ in contest.unit_ids]
    for _ in range(len(rounds) * PROCESSES):
        number, found = outcomes.get(timeout=PATIENCE_SECONDS)
        rounds[number].update(found)
    for process in running:
        process.join(PATIENCE_SECONDS)
        assert process.exitcode == 0
    return rounds


def _started(spawning: SpawnContext, given: tuple[Any, ...]) -> Iterator[SpawnProcess]:
    for _ in range(PROCESSES):
        process = spawning.Process(target=_contend, args=given, daemon=True)
        process.start()
        yield process


def _contend(contest: Contest, start: Barrier, outcomes: Any) -> None:
    """One process: all its threads try for a unit once every process is ready."""
    database = Database(contest.settings)
    with ThreadPoolExecutor(THREADS) as threads:
        for number, unit_id in enumerate(contest.unit_ids):
            start.wait(PATIENCE_SECONDS)
            tries = [threads.submit(_try, database, contest, unit_id, n) for n in range(THREADS)]
            outcomes.put((number, [one.result() for one in tries]))
    database.dispose()


def _try(database: Database, contest: Contest, unit_id: str, number: int) -> str:
    """Nights that differ a little, so that everybody meets everybody."""
    facts: BookingFacts = {
        "unit_id": unit_id,
        "kind": RESIDENT,
        "name": f"申込者 {number}",
        "amounts": RENT,
        "move_in_date": day(f"2026-12-{number + 1:02}"),
        "contract_end_date": day(f"2027-05-{number + 1:02}"),
    }
    try:
        with database.writing(contest.workspace_id) as session:
            book(Work(session, contest.clock, STAFF), **facts)
    except Refused:
        return REFUSED
    except Exception as failure:
        return f"{type(failure).__name__}: {failure}"
    return WON
