"""`pms demo`: the two demo workspaces, or many large ones for measuring."""

from time import perf_counter

import click

from pms.demo.seed_demo import seed_demo
from pms.demo.seed_measuring import seed_measuring
from pms.foundation.clock import SystemClock
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.surfaces.command_line.listing import as_json, show
from pms.surfaces.command_line.opened import opened_database


@click.command()
@click.option("--units", type=click.IntRange(1, 100_000), help="Units of a measurement.")
@click.option("--reservations", type=click.IntRange(1, 1_000_000), help="Its reservations.")
@click.option("--workspaces", type=click.IntRange(1, 1_000), help="Workspaces to share them.")
@as_json
def demo(
    units: int | None, reservations: int | None, workspaces: int | None, *, as_json: bool
) -> None:
    """Fill the database with demo workspaces.

    Without options: the two demo workspaces, and their keys, which are shown only once. With
    --units, --reservations and --workspaces: data for measuring, the same on every run of a day.
    """
    settings, clock = Settings.from_environment(), SystemClock()
    began = perf_counter()
    with opened_database(settings) as database:
        if units or reservations or workspaces:
            figures = units or 5_000, reservations or 40_000, workspaces or 20
            measured = seed_measuring(database, clock.today(), *figures)
            rows = [vars(workspace) for workspace in measured]
        else:
            made = seed_demo(database, Files(settings), clock.today(), clock)
            rows = [vars(workspace) for workspace in made]
    show(rows, as_json=as_json, empty="The demo workspaces are there already.")
    if not as_json and rows:
        click.echo(f"Made in {perf_counter() - began:.1f} s.")
