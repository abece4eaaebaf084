"""Every command and every setting that the manual names is there, under that name."""

import re
import shlex
from dataclasses import fields

import click
import pytest

from pms.foundation.settings import SECRETS, Settings
from pms.surfaces.command_line import pms
from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.rendering import fences, read_page
from tests.surfaces.manual.asking import KEYS

VARIABLE = re.compile(r"PMS_([A-Z_]+)")
SETTINGS = {field.name.upper() for field in fields(Settings)} | {f"{name}_FILE" for name in SECRETS}
OF_THE_EXAMPLES = {name.removeprefix("PMS_") for name in KEYS}


def command_lines() -> list[tuple[str, str]]:
    """Each line of a page that calls `pms`."""
    return [
        (slug, line)
        for slug in SLUGS
        for fence in fences(read_page(slug, "en").source)
        for line in fence.body.splitlines()
        if line.startswith("pms ")
    ]


def understood(command: click.Command, words: list[str], name: str = "pms") -> None:
    """Let click read the words as it would, without doing anything."""
    # Click empties the list it is given.
    context = command.make_context(name, list(words), resilient_parsing=True)
    if isinstance(command, click.Group):
        step = command.get_command(context, words[0])
        assert step is not None, f"{name} has no command {words[0]}"
        understood(step, words[1:], words[0])
        return
    known = {option for parameter in command.params for option in parameter.opts}
    known |= {option for parameter in command.params for option in parameter.secondary_opts}
    unknown = {word for word in words if word.startswith("--")} - known
    assert not unknown, f"{name} does not know {sorted(unknown)}"


def test_every_command_of_the_manual_is_one_of_the_program() -> None:
    wrong = []
    for page, line in command_lines():
        try:
            understood(pms, shlex.split(line)[1:])
        except (AssertionError, click.ClickException) as refused:
            wrong.append(f"{page}: {line}: {refused}")
    assert wrong == []


@pytest.mark.parametrize("line", ["dance", "keys dance", "keys issue --no-such-option"])
def test_a_planted_command_that_is_not_there_is_found(line: str) -> None:
    with pytest.raises((AssertionError, click.ClickException)):
        understood(pms, shlex.split(line))


def test_the_settings_told_are_the_settings_read() -> None:
    for language in ("en", "ja"):
        assert set(VARIABLE.findall(read_page("running", language).source)) == SETTINGS


def test_no_page_names_a_variable_that_is_not_there() -> None:
    for slug in SLUGS:
        named = set(VARIABLE.findall(read_page(slug, "en").source))
        assert named <= SETTINGS | OF_THE_EXAMPLES, slug
