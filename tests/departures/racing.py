"""Many at once: each a thread with a transaction of its own, let go at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from pms.foundation.errors import Collision, Problem, Refused

Answer = TypeVar("Answer")


def race(runners: int, verb: Callable[[int], Answer]) -> tuple[list[Answer], list[Problem]]:
    """Return what succeeded and what was refused; any other failure is the test's."""
    start = Barrier(runners)

    def run(number: int) -> Answer | Problem:
        start.wait()
        try:
            return verb(number)
        except (Refused, Collision) as refusal:
            return refusal

    with ThreadPoolExecutor(runners) as pool:
        answers = list(pool.map(run, range(runners)))
    refused = [answer for answer in answers if isinstance(answer, Problem)]
    return [answer for answer in answers if not isinstance(answer, Problem)], refused
