"""The supervisor ends everything it started, and starts again what ends by itself."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running.watching import Running, is_alive

SLEEPER = "import signal; print('up', flush=True); signal.pause()"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SLEEPER
FAMILY = """
import sys
from pms.surfaces.command_line import run
run.GRACE_SECONDS = {grace}
children = [
    run.Child(name, [sys.executable, "-c", code]) for name, code in {children!r}.items()
]
def tell():
    for child in children:
        print("child", child.name, child.process.pid)
    return True
family = run.Supervisor(children, say=lambda text: print(text, flush=True), when_ready=tell)
sys.exit(family.run())
"""


@contextmanager
def family(grace: float = 30.0, **children: str) -> Iterator[Running]:
    # Whoever runs the tests under nohup hands that down.
    heard = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    code = heard + FAMILY.format(grace=grace, children=children)
    with Running([sys.executable, "-u", "-c", code]) as running:
        yield running


def pids(running: Running, count: int) -> list[int]:
    return [int(running.wait_for(r"child \w+ (\d+)")[1]) for _ in range(count)]


@pytest.mark.parametrize("asked_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_child_and_counts_as_success(asked_by: signal.Signals) -> None:
    with family(web=SLEEPER, worker=SLEEPER) as running:
        children = pids(running, 2)
        running.send(asked_by)
        running.wait_for("Stopping")
        running.wait_for("Stopped")
        assert running.ended() == 0
    assert not any(is_alive(pid) for pid in children)


def test_nohup_lets_it_outlive_its_terminal() -> None:
    code = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + FAMILY.format(
        grace=30.0, children={"web": SLEEPER}
    )
    with Running([sys.executable, "-u", "-c", code]) as running:
        (child,) = pids(running, 1)
        running.send(signal.SIGHUP)
        assert is_alive(child)
        running.send(signal.SIGTERM)
        running.wait_for("Stopping")
        assert running.ended() == 0
        assert running.printed.count("Stopping") == 1


def test_ctrl_c_in_a_terminal_reaches_the_children_through_the_supervisor_alone() -> None:
    with family(web=SLEEPER) as running:
        (child,) = pids(running, 1)
        assert os.getsid(child) != os.getsid(running.pid)


def test_a_child_that_will_not_end_is_killed_after_a_while() -> None:
    with family(grace=0.2, web=STUBBORN) as running:
        (child,) = pids(running, 1)
        running.wait_for("up")
        running.send(signal.SIGTERM)
        assert running.ended() == 0
    assert not is_alive(child)


def test_a_child_that_dies_is_named_and_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "was-here"
    once = (
        f"import os, pathlib, signal; mark = pathlib.Path({str(mark)!r})\n"
        "if not mark.exists():\n    mark.touch(); os.kill(os.getpid(), signal.SIGKILL)\n"
        "print('again', flush=True); signal.pause()"
    )
    with family(worker=once) as running:
        running.wait_for(
            r"The worker stopped unexpectedly \(signal SIGKILL\); starting it again in 1 s"
        )
        running.wait_for("again")
        running.send(signal.SIGTERM)
        assert running.ended() == 0


def test_a_child_that_never_stays_up_ends_the_rest_with_a_reason() -> None:
    code = FAMILY.replace("run.GRACE", "run.MOST_FAILURES = 2\nrun.GRACE")
    children = {"web": SLEEPER, "worker": "import sys; sys.exit(3)"}
    filled = code.format(grace=30.0, children=children)
    with Running([sys.executable, "-u", "-c", filled]) as running:
        (child, _) = pids(running, 2)
        running.wait_for(r"The worker stopped unexpectedly \(exit code 3\) 2 times in a row")
        assert running.ended() == 1
    assert not is_alive(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_no_child_outlives_a_supervisor_that_was_killed() -> None:
    with family(web=SLEEPER, worker=SLEEPER) as running:
        children = pids(running, 2)
        watched = [
            subprocess.Popen(["tail", f"--pid={pid}", "-f", "/dev/null"]) for pid in children
        ]
        running.send(signal.SIGKILL)
        assert [watch.wait(30) for watch in watched] == [0, 0]
    assert not any(is_alive(pid) for pid in children)
