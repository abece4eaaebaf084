"""`pms takeover ...`: reads a rent roll of running tenancies."""

from datetime import date
from pathlib import Path

import click

from pms.arrivals.sheets.encoding import MOST_BYTES
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.taken import TakeOver
from pms.foundation.clock import SystemClock
from pms.surfaces.command_line.import_listing import printable
from pms.surfaces.command_line.listing import as_json, json_text, table
from pms.surfaces.command_line.typed_values import DAY


@click.group()
def takeover() -> None:
    """Take over running tenancies from a rent roll."""


@takeover.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--on", "on", type=DAY, help="Read it as on this day instead of today.")
@as_json
def check(file: Path, on: date | None, as_json: bool) -> None:
    """Show what a file says, and what has to be asked; no workspace is needed, nothing is written."""
    with file.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    found = read_takeover(data, file.name, on or SystemClock().today())
    if as_json:
        click.echo(json_text(found.shape()))
    else:
        _show(found)


def _show(found: TakeOver) -> None:
    rows = [
        {
            "at": one.at,
            "house": printable(one.building or ""),
            "room": printable(one.room),
            "name": printable(", ".join(person.name for person in one.people)),
            "monthly": one.monthly,
            "deposit held": one.deposit_held,
            "unpaid": sum(debt.yen for debt in one.unpaid),
            "overpaid": one.overpaid,
        }
        for one in found.tenancies
    ]
    if rows:
        click.echo(table(rows))
    asked = [
        {
            "at": one.at or "the file",
            "column": printable(one.column or ""),
            "value": printable(one.value),
            "blocks": one.blocks,
            "question": printable(one.why, longest=200),
        }
        for one in [*found.about_the_file, *found.about_rows]
    ]
    if asked:
        click.echo(table(asked))
    click.echo(", ".join(f"{name} {count:,}" for name, count in found.totals.items()))
