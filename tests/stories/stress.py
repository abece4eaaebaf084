"""Processes, each with several threads, that do things to the same tenancies all at once."""

import multiprocessing
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from multiprocessing.synchronize import Barrier
from typing import Any, NamedTuple

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, Refused
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from tests.stories.house import House

PROCESSES, THREADS = 4, 16
# Far more than a storm takes: whoever waits longer waits for somebody who died.
PATIENCE_SECONDS = 120.0
DONE, REFUSED, COLLIDED = "done", "refused", "collided"


class Verb(NamedTuple):
    """A use case with what it is told; both can be handed to another process."""

    use_case: Callable[..., Any]
    given: dict[str, Any]


class Stress(NamedTuple):
    """Where it happens, on which morning, and what everybody tries; one audit event a thread."""

    settings: Settings
    workspace_id: str
    instant: datetime
    verbs: Sequence[Verb]


def stress(house: House, verbs: Sequence[Verb]) -> Counter[tuple[str, str]]:
    """Let 64 threads in four processes go at the same moment; count what became of each audit event.

    Anything but done, refused or collided is told by its own name, and so is not expected.
    """
    assert len(verbs) == PROCESSES * THREADS
    spawning = multiprocessing.get_context("spawn")
    outcomes: Any = spawning.Queue()
    start = spawning.Barrier(PROCESSES)
    running = []
    for number in range(PROCESSES):
        share = list(verbs[number::PROCESSES])
        asked = Stress(house.database.settings, house.workspace_id, house.clock.now(), share)
        given = (asked, start, outcomes)
        running.append(spawning.Process(target=_blow, args=given, daemon=True))
        running[-1].start()
    found = Counter[tuple[str, str]]()
    for _ in running:
        found.update(outcomes.get(timeout=PATIENCE_SECONDS))
    for process in running:
        process.join(PATIENCE_SECONDS)
        assert process.exitcode == 0
    return found


def _blow(asked: Stress, start: Barrier, outcomes: Any) -> None:
    database = Database(asked.settings)
    with ThreadPoolExecutor(THREADS) as threads:
        start.wait(PATIENCE_SECONDS)
        tries = [threads.submit(_try, database, asked, verb) for verb in asked.verbs]
        outcomes.put([one.result() for one in tries])
    database.dispose()


def _try(database: Database, asked: Stress, verb: Verb) -> tuple[str, str]:
    name, clock = verb.use_case.__name__, FixedClock(asked.instant)
    try:
        with database.writing(asked.workspace_id) as session:
            verb.use_case(Work(session, clock, "staff"), **verb.given)
    except Refused:
        return name, REFUSED
    except Collision:
        return name, COLLIDED
    except Exception as failure:
        return name, f"{type(failure).__name__}: {failure}"
    return name, DONE
