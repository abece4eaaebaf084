"""Runs a command, and all that it starts, on another day than the machine's.

usage: python -m tests.shifted_clock (+DAYSd | YYYY-MM-DD) COMMAND ...

The clock runs on from there. What measures durations (the monotonic clock) is as it was.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

# Early on that day in UTC, and on the same day in Japan for fourteen hours.
_START: Final = timedelta(minutes=30)
_PROBE: Final = "import datetime; print(datetime.datetime.now(datetime.UTC).isoformat())"


def shift_of(day: str, now: datetime) -> timedelta:
    """Return how far the clock has to be shifted: `+365d`, or to a day; raise `ValueError`."""
    if day.startswith("+") and day.endswith("d"):
        return timedelta(days=int(day[1:-1]))
    return datetime.fromisoformat(day).replace(tzinfo=UTC) + _START - now


def shifted_environment(shift: timedelta, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with which a process, and its children, live on another day.

    `environ` may be a shifted one itself, whose clock is shifted further.
    """
    import libfaketime

    _, preload = libfaketime.get_reload_information()
    seconds = int(environ.get("FAKETIME", "0")) + round(shift.total_seconds())
    return {**environ, **preload, "FAKETIME": f"{seconds:+d}"}


def carried_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what a child needs that is given an environment of its own, to keep the clock."""
    names = ("LD_PRELOAD", "LD_LIBRARY_PATH")
    return {
        name: value
        for name, value in environ.items()
        if name in names or name.startswith(("FAKETIME", "DONT_FAKE_"))
    }


def main(day: str, *command: str) -> int:
    """Return the exit code of the command."""
    now = datetime.now(UTC)
    shift = shift_of(day, now)
    with tempfile.TemporaryDirectory(prefix="pms-shifted-") as compiled:
        # The times of files move along: what was compiled on another day would all seem stale.
        environ = shifted_environment(shift, os.environ | {"PYTHONPYCACHEPREFIX": compiled})
        probe = [sys.executable, "-c", _PROBE]
        shown = subprocess.run(probe, env=environ, check=True, capture_output=True, text=True)
        off = datetime.fromisoformat(shown.stdout.strip()) - now - shift
        if abs(off) > timedelta(minutes=5):
            sys.exit(f"The clock cannot be shifted on this machine: {shown.stdout}{shown.stderr}")
        return subprocess.run(command, env=environ, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
