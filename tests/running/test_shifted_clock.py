"""Tests can be run on another day, with every program that they start."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from tests.shifted_clock import carried_environment, shift_of

# The library that shifts a clock has no other build; what needs no library is tested everywhere.
shifts = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="libfaketime is built for Linux on x86-64",
)
NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
CHILD = (
    "import subprocess, sys, time; from datetime import date; began = time.monotonic();"
    " subprocess.run([sys.executable, '-c', 'from datetime import date; print(date.today())']);"
    " print(date.today(), time.monotonic() - began < 60, flush=True)"
)


@shifts
def test_a_command_and_its_children_live_on_the_day_that_was_named() -> None:
    shifted = [
        sys.executable,
        "-m",
        "tests.shifted_clock",
        "2028-02-29",
        sys.executable,
        "-c",
        CHILD,
    ]
    done = subprocess.run(shifted, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["2028-02-29", "2028-02-29 True"]


@shifts
def test_the_exit_code_is_that_of_the_command() -> None:
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    shifted = [sys.executable, "-m", "tests.shifted_clock", "+365d", *command]
    assert subprocess.run(shifted, check=False).returncode == 3


def test_a_shift_is_a_number_of_days_or_leads_to_a_day_in_japan_and_utc() -> None:
    assert shift_of("+365d", NOW) == timedelta(days=365)
    there = NOW + shift_of("2028-02-29", NOW)
    assert there == datetime(2028, 2, 29, 0, 30, tzinfo=UTC)
    with pytest.raises(ValueError, match="tomorrow"):
        shift_of("tomorrow", NOW)


def test_a_child_with_an_environment_of_its_own_keeps_the_clock() -> None:
    shifted = {"FAKETIME": "+60", "LD_PRELOAD": "x", "DONT_FAKE_MONOTONIC": "1", "HOME": "/"}
    assert carried_environment(shifted) == {k: v for k, v in shifted.items() if k != "HOME"}
    assert "HOME" not in carried_environment(os.environ)
