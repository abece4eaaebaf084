"""Somebody at the command line of an installation that holds the cast."""

import io
import json
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.surfaces.command_line import main
from tests.cast import Cast
from tests.commands import command_environment


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Operator:
    """Types commands in the workspace of Sumida, on the day of the test."""

    def __init__(
        self, settings: Settings, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.monkeypatch, self.clock = monkeypatch, clock
        for name, value in command_environment(settings).items():
            monkeypatch.setenv(name, value)

    def types(self, line: str) -> Said:
        """What a command says to a person."""
        self.monkeypatch.setattr(sys, "argv", ["pms", *shlex.split(line)])
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main(self.clock)
        return Said(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    def asks(self, line: str, on: str | None = None) -> Any:
        """What a command of Sumida answers a program."""
        day = f" --on {on}" if on else ""
        said = self.types(f"{line} --workspace sumida --json{day}")
        assert said.code == 0, said.err
        return json.loads(said.out)

    def is_refused(self, line: str, on: str | None = None) -> str:
        """The one line with which a command of Sumida is refused."""
        day = f" --on {on}" if on else ""
        said = self.types(f"{line} --workspace sumida{day}")
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith("pms: ")
        assert said.err.count("\n") == 1
        return said.err[len("pms: ") : -1]

    def books(self, on: str = "2026-06-20", **other: str) -> str:
        """Book the free room from 16 July; return the reservation's id."""
        facts = {"name": "Minoru", "move-in": "2026-07-16", "contract-end": "2027-03-31"}
        money = {"rent": "93000", "utilities": "12000", "deposit": "93000"}
        words = " ".join(f"--{k} '{v}'" for k, v in {**facts, **money, **other}.items())
        unit = "--unit kawasemi-house-102-sumida"
        return str(self.asks(f"reservation book {unit} {words}", on)["reservation"])


@pytest.fixture
def operator(
    settings: Settings, cast: Cast, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> Operator:
    return Operator(settings, clock, monkeypatch)
