"""A process that is forked counts on a connection of its own."""

import os

from tests.budget.conftest import Bench


def test_a_child_does_not_speak_on_its_parents_connection(bench: Bench, bucket: str) -> None:
    bench.spend(bucket, 3)
    child = os.fork()
    if child == 0:
        os._exit(0 if bench.spend(bucket, 3).remaining == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert bench.spend(bucket, 3).remaining == 0
    assert not bench.spend(bucket, 3).passed
