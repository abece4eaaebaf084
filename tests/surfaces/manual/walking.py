"""Plays the command lines of a page and hands back what they print.

In a fence ```` ```console walk=NAME ```` a line behind `$` is a command, the rest what it prints.
`$RESERVATION` is the reservation that was booked last. Ids differ on every machine.
"""

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from string import Template

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.surfaces.command_line import main
from pms.surfaces.manual.rendering import Fence, fences, read_page
from tests.commands import command_environment

ID = re.compile(r"[0-9a-f]{32}")
_BOOKED = re.compile(r"^reservation +([0-9a-f]{32})$", re.MULTILINE)


def walk_of(slug: str) -> list[Fence]:
    """The fences of a page that are played, in their order."""
    found = fences(read_page(slug, "en").source)
    return [fence for fence in found if fence.language == "console"]


def commands_of(fence: Fence) -> list[str]:
    """The command lines of a fence, those continued on the next line in one."""
    lines = fence.body.replace("\\\n", " ").splitlines()
    return [line[2:] for line in lines if line.startswith("$ ")]


class Walker:
    """Somebody at the command line of an installation."""

    def __init__(
        self, settings: Settings, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._monkeypatch, self._clock = monkeypatch, clock
        self._known: dict[str, str] = {}
        for name, value in command_environment(settings).items():
            monkeypatch.setenv(name, value)

    def played(self, fence: Fence) -> str:
        """The fence as it reads when its commands print what they print here."""
        return "".join(self.outputs_of(fence))

    def says(self, line: str) -> str:
        """What a command prints, refusals too."""
        words = shlex.split(Template(line).substitute(self._known))
        printed = io.StringIO()
        self._monkeypatch.setattr(sys, "argv", words)
        with redirect_stdout(printed), redirect_stderr(printed), pytest.raises(SystemExit):
            main(self._clock)
        return printed.getvalue()

    def outputs_of(self, fence: Fence) -> Iterator[str]:
        body = fence.body
        starts = [match.start() for match in re.finditer(r"^\$ ", body, re.MULTILINE)]
        for start, line in zip(starts, commands_of(fence), strict=True):
            typed = re.match(r"\$ (?:[^\n]*\\\n)*[^\n]*\n", body[start:])
            assert typed is not None
            said = self.says(line)
            booked = _BOOKED.search(said)
            if line.startswith("pms reservation book") and booked:
                self._known["RESERVATION"] = booked[1]
            yield f"{typed[0]}{said}\n"


def without_ids(text: str) -> str:
    """The text with every id written alike."""
    return ID.sub("0" * 32, text)
