"""The `pms` command: an explicit list of commands, each loaded only when it is called."""

import importlib
import os
import sys
from collections.abc import Iterable
from datetime import date, datetime
from string import Formatter
from typing import Final, NamedTuple
from unicodedata import category, normalize

import click
from babel.dates import format_date

from pms.foundation.clock import Clock
from pms.foundation.errors import Problem, Refused
from pms.foundation.phrases import Joined, Phrase
from pms.foundation.settings import SettingsError


class CommandPlace(NamedTuple):
    """Where a command lives, and its line in `pms --help`."""

    module: str
    attribute: str
    line: str


# Add a command here: its file in this folder, the click object in it, and one line of help.
COMMANDS = {
    "run": CommandPlace("run", "run", "Start the web server and the job worker together."),
    "web": CommandPlace("run", "web", "Start only the web server."),
    "worker": CommandPlace("run", "worker", "Start only the job worker."),
    "migrate": CommandPlace(
        "installation", "migrate", "Bring the database to the newest migration."
    ),
    "doctor": CommandPlace(
        "installation", "doctor", "Show versions, settings, database and problems."
    ),
    "backup": CommandPlace("installation", "backup", "Back up database and files into one file."),
    "restore": CommandPlace(
        "installation", "restore", "Restore a backup into an empty installation."
    ),
    "probe": CommandPlace("run", "probe", "Ask whether the web server answers."),
    "demo": CommandPlace("demo", "demo", "Fill the database with demo workspaces."),
    "workspaces": CommandPlace("people", "workspaces", "List the workspaces and open new ones."),
    "people": CommandPlace("people", "people", "List, invite, add and remove the staff."),
    "import": CommandPlace(
        "imports", "imports", "Read units, residents, rent rolls and calendars."
    ),
    "takeover": CommandPlace(
        "takeover", "takeover", "Take over running tenancies from a rent roll."
    ),
    "export": CommandPlace("people", "export", "Export a workspace as sheets and files."),
    "person": CommandPlace("one_person", "person", "Find, export and forget one person's data."),
    "reservation": CommandPlace("reservation", "reservation", "Book, change and end a tenancy."),
    "ledger": CommandPlace("ledger", "ledger", "Show what is owed; record payments and charges."),
    "bank": CommandPlace("bank", "bank", "Import bank statements and record their transfers."),
    "deposit": CommandPlace("deposit", "deposit", "Show, settle, refund and report deposits."),
    "owner": CommandPlace("owner", "owner", "Show and set the terms with owners."),
    "billing": CommandPlace("billing", "billing", "Preview and bill a month."),
    "rents": CommandPlace("rents", "rents", "Propose new rents to residents, and list answers."),
    "job": CommandPlace("jobs", "job", "List the worker's jobs, and run one for a day."),
    "keys": CommandPlace(
        "keys", "keys", "Issue, list, replace and revoke API keys; rotate the secret key."
    ),
    "mail": CommandPlace("jobs", "mail", "Test outgoing email."),
}


class LazyGroup(click.Group):
    """A group that imports a command's file when that command is called, so help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        command = getattr(importlib.import_module(f"{__name__}.{place.module}"), place.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{place.module}.{place.attribute} is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.line) for name, place in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pms", prog_name="pms")
def pms() -> None:
    """Property management for Japanese share houses and apartments.

    Settings are read from the environment (PMS_...); `pms doctor` shows them.
    """


_KEPT_CONTROLS: Final = "\n\t"


def _tidy_arguments(arguments: Iterable[str]) -> list[str]:
    """Return the arguments in NFC, as forms and JSON are stored; the name of a file as it is.

    Raises `Refused` for bytes that are not UTF-8 and for control characters.
    """
    tidy = []
    for argument in arguments:
        if any(category(c) in {"Cc", "Cs"} and c not in _KEPT_CONTROLS for c in argument):
            shown = "".join(c if c.isprintable() else "\ufffd" for c in argument[:60])
            raise Refused(f"'{shown}' is not UTF-8 text without control characters.")
        tidy.append(argument if os.path.lexists(argument) else normalize("NFC", argument))
    return tidy


_DAYS: Final = {"": "d MMMM y", "%Y-%m": "MMMM y"}


class _InEnglish(Formatter):
    """Formats values of a refusal as English pages do: days in words, numbers grouped."""

    def format_field(self, value: object, format_spec: str) -> str:
        match value:
            case Phrase():
                return self.vformat(value.template, (), value.values)
            case Joined():
                return value.join([self.format_field(part, "") for part in value])
            case datetime() if not format_spec:
                return value.isoformat()
            case date() if format_spec in _DAYS:
                return format_date(value, _DAYS[format_spec], locale="en")
            case int() if not format_spec:
                return f"{value:,}"
        return str(super().format_field(value, format_spec))


def _refusal_text(refusal: Problem | SettingsError) -> str:
    if isinstance(refusal, SettingsError) or not refusal.values:
        return str(refusal)
    return _InEnglish().vformat(refusal.template, (), refusal.values)


def main(clock: Clock | None = None) -> None:
    """Run the command; a refusal is one line on the error stream and exit code 1.

    `clock` is click's `obj`: commands read the time from it, by default from the machine.
    """
    # What a command makes, and what the servers it turns into make, is for this user alone.
    before = os.umask(0o077)
    try:
        pms(_tidy_arguments(sys.argv[1:]), obj=clock)
    except (Problem, SettingsError) as refusal:
        click.echo(f"pms: {_refusal_text(refusal)}", err=True)
        sys.exit(1)
    finally:
        os.umask(before)
