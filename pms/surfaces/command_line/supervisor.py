"""Keeps a few child processes running side by side, and ends all of them when one is told to."""

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

LOOK_SECONDS = 0.25
GRACE_SECONDS = 30.0
SETTLED_SECONDS = 30.0  # a child that ran this long is no longer counted as failing to start
MOST_FAILURES = 5
_PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One process of the family, and how it has fared."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started_at: float = 0.0
    due_at: float = 0.0

    def start(self) -> None:
        # Its own session: Ctrl-C reaches the supervisor alone, which then ends each child gently.
        # The supervisor has one thread, so a function between fork and exec is safe.
        self.process = subprocess.Popen(
            self.command,
            start_new_session=True,
            preexec_fn=_die_with_parent(),  # noqa: PLW1509
        )
        self.started_at = monotonic()

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass
class Supervisor:
    """Starts the children, starts a dead one again, and ends the rest when it gives up."""

    children: Sequence[Child]
    say: Callable[[str], None]
    when_ready: Callable[[], bool] = lambda: True  # asked until it says yes
    _is_stopping: bool = field(default=False, init=False)

    def run(self) -> int:
        """Return 0 after Ctrl-C or SIGTERM, 1 when a child would not stay up."""
        with self._woken_by_signals() as wait:
            for child in self.children:
                child.start()
            is_ready = False
            while not self._is_stopping:
                is_ready = is_ready or self.when_ready()
                if not all(self._look_after(child) for child in self.children):
                    self._end()
                    return 1
                wait(LOOK_SECONDS)
            self._end()
            return 0

    def _look_after(self, child: Child) -> bool:
        """Start a dead child again after a while; tell whether to go on at all."""
        if child.is_running:
            return True
        if child.process is not None and not self._note_death(child, child.process):
            return False
        if monotonic() >= child.due_at:
            child.start()
        return True

    def _note_death(self, child: Child, process: subprocess.Popen[bytes]) -> bool:
        child.failures = (
            1 if monotonic() - child.started_at > SETTLED_SECONDS else (child.failures + 1)
        )
        child.process = None
        ended = f"The {child.name} stopped unexpectedly ({_exit_text(process.returncode)})"
        if child.failures >= MOST_FAILURES:
            self.say(
                f"{ended} {child.failures} times in a row; see its messages above for the reason."
            )
            return False
        seconds = 2 ** (child.failures - 1)
        child.due_at = monotonic() + seconds
        self.say(f"{ended}; starting it again in {seconds} s.")
        return True

    def _end(self) -> None:
        """Ask every child to finish what it does, and kill what has not ended in time."""
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            process.terminate()
        limit = monotonic() + GRACE_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, limit - monotonic()))
            except subprocess.TimeoutExpired:
                _kill_group(process)
        self.say("Stopped.")

    @contextmanager
    def _woken_by_signals(self) -> Iterator[Callable[[float], None]]:
        """Give a wait that ends early when a signal arrives: a stop, or a child's end."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        os.set_blocking(reading, False)
        before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        handlers = {
            number: signal.signal(number, self._note_signal)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
            # nohup asks to outlive the terminal.
            if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN)
        }
        try:
            yield lambda seconds: _wait(reading, seconds)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            os.close(reading)
            os.close(writing)

    def _note_signal(self, number: int, _: object) -> None:
        if number != signal.SIGCHLD and not self._is_stopping:
            self._is_stopping = True
            self.say("Stopping ...")


def _wait(reading: int, seconds: float) -> None:
    if select.select([reading], [], [], seconds)[0]:
        os.read(reading, 4096)


def _exit_text(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _die_with_parent() -> Callable[[], None] | None:
    """Linux ends the child also when the supervisor is killed without a chance to do it."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
