"""A choice of a command that is not listed is refused with what is, before anything is opened."""

from collections.abc import Iterator

import click
import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.surfaces.command_line import pms
from tests.commands import run_command


def choices_of(
    command: click.Command, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """Yield each option and argument with a list of choices, and the words before it."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from choices_of(below, (*words, name))
    for parameter in command.params:
        if isinstance(parameter.type, click.Choice):
            yield words, parameter


def test_a_choice_that_is_not_listed_is_refused_with_what_is(
    clock: FixedClock, settings: Settings
) -> None:
    tried = 0
    for words, parameter in choices_of(pms):
        assert isinstance(parameter.type, click.Choice)
        for value in ("\u3000", "", "\u00a0", "\u200b", "x/y"):
            named = [parameter.opts[0]] if isinstance(parameter, click.Option) else []
            answer = run_command([*words, *named, value], clock, settings)
            found = f"{words} {named} {value!r}: {answer.exit_code} {answer.output}"
            assert answer.exit_code == 2, found
            if isinstance(parameter, click.Option):
                assert named[0] in answer.output, found
                assert all(str(choice) in answer.output for choice in parameter.type.choices), found
            tried += 1
    assert tried > 50


@pytest.mark.parametrize("value", ["\u3000", "\u200b"])
def test_a_blank_that_is_no_word_is_refused_where_a_command_reads_it_itself(
    clock: FixedClock, settings: Settings, value: str
) -> None:
    answer = run_command(["job", "run", value], clock, settings, catch_exceptions=True)
    assert answer.exit_code != 0
    assert not isinstance(answer.exception, KeyError | ValueError | TypeError)
