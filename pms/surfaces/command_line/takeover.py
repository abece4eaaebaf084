"""`pms takeover ...`: reads a rent roll of running tenancies."""

from datetime import date
from pathlib import Path
from typing import Any

import click

from pms.arrivals.takeover.previews import CellUse
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.running import Answers, TakeOverRun, run_take_over
from pms.arrivals.takeover.taken import TakeOver
from pms.catalogue.checks import check_place_reading
from pms.foundation.errors import Refused
from pms.rules.room_names import building_key
from pms.surfaces.command_line import workspace_access
from pms.surfaces.command_line.import_listing import FILE, bytes_of, printable
from pms.surfaces.command_line.listing import DAY, as_json, json_text, print_progress, table

# Rows without the day are refused one by one, and an option states it for all.
_ANSWERED_BY_ROWS = frozenset({"billed_through", "as_of_and_billed"})


@click.group()
def takeover() -> None:
    """Take over running tenancies from a rent roll."""


@takeover.command("check")
@click.argument("file", type=FILE)
@click.option("--on", "on", type=DAY, help="Read the file as of this day instead of today.")
@as_json
def check(file: Path, on: date | None, as_json: bool) -> None:
    """Show the contents of a file and open questions; no workspace is needed, nothing is saved.

    Every sheet and column is named with what becomes of it. A file of which nothing is read ends
    with an error.
    """
    found = read_takeover(bytes_of(file), file.name, workspace_access.clock_on(on).today())
    if as_json:
        click.echo(json_text(found.shape()))
    else:
        question_rows = [
            {
                "at": question.at or "the file",
                "column": printable(question.column or ""),
                "value": printable(question.value),
                "blocks": question.blocks,
                "question": printable(question.why, longest=200),
            }
            for question in [*found.about_the_file, *found.about_rows]
        ]
        # The sheets and columns that are not read, each by its name.
        left_rows = [
            {
                "sheet": printable(preview.name or preview.file),
                "column": column.letters,
                "title": printable(column.title),
                "not read": "the whole sheet" if not preview.is_read else column.use.value,
            }
            for preview in found.previews
            for column in preview.columns[: None if preview.is_read else 1]
            if column.use is not CellUse.READ
        ]
        for rows in (_tenancy_rows(found), question_rows, left_rows):
            if rows:
                click.echo(table(rows))
        click.echo(", ".join(f"{name} {count:,}" for name, count in found.totals.items()))
    if not found.units and not found.tenancies:
        raise click.exceptions.Exit(1)


@takeover.command("run")
@click.argument("file", type=FILE)
@workspace_access.of_workspace
@click.option(
    "--billed-through",
    type=DAY,
    help="The last day billed elsewhere, for rows that do not state it.",
)
@click.option("--building", help="The name of the building, for rows that do not state it.")
@click.option("--start", type=DAY, help="When contracts began, for a file that does not state it.")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="NAME=KANA",
    help="The reading of a new building whose name is in kanji; its web address is made of it.",
)
def run(
    at: workspace_access.CommandWorkspace,
    file: Path,
    *,
    billed_through: date | None,
    building: str | None,
    start: date | None,
    readings: tuple[str, ...],
) -> None:
    """Take over a file at once: buildings, rooms, residents, prices and balances.

    Rows that need an answer first are left out and named; correct them and run the file again.
    """
    workspace_access.refuse_replay(at.on)
    answers = Answers(billed_through, building, start)
    with workspace_access.open_workspace(at) as opened:
        found = read_takeover(bytes_of(file), file.name, opened.clock.today())
        # Refuse a file with a question about the whole of it that no option here answers.
        for question in found.about_the_file:
            if question.blocks and question.code not in _ANSWERED_BY_ROWS:
                raise Refused(
                    "file: {question} Answer it on the page Import tenancies.",
                    question=question.why,
                )
        for name, _, kana in (given.partition("=") for given in readings):
            found.readings[building_key(name)] = check_place_reading("reading", kana) or ""
        done = opened.database.write_as(
            opened.workspace_id,
            opened.clock,
            workspace_access.ACTOR,
            lambda work: run_take_over(work, found, answers=answers, progress=print_progress),
        )
        opened.database.refresh_statistics()
    if at.as_json:
        shape = {
            "units": done.units,
            "tenancies": done.tenancies,
            "unchanged": done.unchanged,
            "depositHeld": done.deposit_held_yen,
            "unpaid": done.unpaid_yen,
            "overpaid": done.overpaid_yen,
            "refused": [refusal._asdict() for refusal in done.refused],
        }
        click.echo(json_text(shape))
    else:
        _print_run(done)


def _print_run(done: TakeOverRun) -> None:
    if done.refused:
        rows = [
            {name: printable(value, longest=200) for name, value in refusal._asdict().items()}
            for refusal in done.refused
        ]
        click.echo(table(rows))
    click.echo(
        f"{done.units} units and {done.tenancies} tenancies taken over, {done.unchanged} unchanged,"
        f" {len(done.refused)} rows refused; deposits held {done.deposit_held_yen:,},"
        f" unpaid {done.unpaid_yen:,}, overpaid {done.overpaid_yen:,}."
    )


def _tenancy_rows(found: TakeOver) -> list[dict[str, Any]]:
    return [
        {
            "at": tenancy.at,
            "house": printable(tenancy.building or ""),
            "room": printable(tenancy.room),
            "name": printable(", ".join(person.name for person in tenancy.people)),
            "monthly": tenancy.monthly,
            "deposit held": tenancy.deposit_held,
            "unpaid": sum(debt.yen for debt in tenancy.unpaid),
            "overpaid": tenancy.overpaid,
        }
        for tenancy in found.tenancies
    ]
