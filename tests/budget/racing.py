"""Processes and threads that ask one key for more than it has, all at once."""

from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import Pool

from pms.foundation.budget import open_storage
from pms.foundation.settings import Settings

PROCESSES = 4
THREADS = 2


def admitted(pool: Pool, settings: Settings, bucket: str, limit: int, requests: int) -> int:
    """Return how many of the requests passed; every process opens the storage for itself."""
    share = requests // PROCESSES
    tasks = [(settings, bucket, limit, share)] * PROCESSES
    return sum(pool.starmap(admitted_in_one_process, tasks, chunksize=1))


def admitted_in_one_process(settings: Settings, bucket: str, limit: int, requests: int) -> int:
    storage = open_storage(settings)
    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(
            threads.map(lambda _: storage.spend(bucket, limit, 3600).passed, range(requests))
        )
    storage.close()
    return sum(answers)
