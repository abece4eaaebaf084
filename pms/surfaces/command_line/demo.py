"""`pms demo`, and who may sign in to what it made."""

import os
from time import perf_counter

import click

from pms.access.key_lookup import find_key
from pms.access.keys import issue_key
from pms.demo.people import ACCOUNTS, DemoAccount, employ_staff
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.scopes import PRESETS, Preset
from pms.surfaces.command_line.listing import as_json, show
from pms.surfaces.command_line.workspace_access import ACTOR, command_clock, opened_database
from pms.workspaces.queries import all_workspaces

KEY_NAME = "Demo key, printed at every start"
_OWNER_ALONE = 0o600


def is_empty(database: Database) -> bool:
    """Tell whether nobody has a workspace yet."""
    with database.across_workspaces_reading() as session:
        return not all_workspaces(session)


def has_own_workspace(database: Database) -> bool:
    """Tell whether there is a workspace that is not of the demo."""
    of_demo = {slug for account in ACCOUNTS for slug, _ in account.places}
    with database.across_workspaces_reading() as session:
        return any(workspace.slug not in of_demo for workspace in all_workspaces(session))


def seed(database: Database, clock: Clock) -> None:
    """Make the demo workspaces."""
    # Imported here: every start of `pms run` loads this module, and few seed anything.
    from pms.demo.seed_demo import seed_demo

    seed_demo(database, Files(database.settings), clock.today(), clock)


def demo_staff(database: Database, clock: Clock) -> tuple[DemoAccount, ...]:
    """Return who signs in to the demo, also one made by an earlier version; nobody elsewhere."""
    employ_staff(database, clock)
    with database.across_workspaces_reading() as session:
        slugs = {workspace.slug for workspace in all_workspaces(session)}
    return tuple(
        account for account in ACCOUNTS if any(slug in slugs for slug, _ in account.places)
    )


def demo_key(settings: Settings, database: Database, clock: Clock) -> str | None:
    """Return a key of the first workspace that works; `None` when there is no workspace."""
    path = settings.data_dir / "demo-key"
    kept = path.read_text().strip() if path.exists() else ""
    with database.connection_across_workspaces() as connection:
        if kept and find_key(connection, kept) is not None:
            return kept
    with database.across_workspaces_reading() as session:
        first = next(iter(all_workspaces(session)), None)
    if first is None:
        return None
    with database.writing(first.id) as session:
        made = issue_key(
            Work(session, clock, ACTOR), name=KEY_NAME, scopes=PRESETS[Preset.READ]
        ).plaintext
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ALONE)
    with os.fdopen(descriptor, "w") as file:
        file.write(made + "\n")
    return made


@click.command()
@click.option(
    "--units", type=click.IntRange(1, 100_000), help="Number of units, for a measurement."
)
@click.option("--reservations", type=click.IntRange(1, 1_000_000), help="Number of reservations.")
@click.option(
    "--workspaces", type=click.IntRange(1, 1_000), help="Number of workspaces to spread them over."
)
@as_json
def demo(
    units: int | None, reservations: int | None, workspaces: int | None, *, as_json: bool
) -> None:
    """Fill the database with demo workspaces.

    Without options: the two demo workspaces, and their keys, which are shown only once. With
    --units, --reservations and --workspaces: data for measuring, the same on every run of a day.
    """
    from pms.demo.seed_demo import seed_demo
    from pms.demo.seed_measuring import seed_measuring

    settings, clock = Settings.from_environment(), command_clock()
    began = perf_counter()
    with opened_database(settings) as database:
        if units or reservations or workspaces:
            figures = units or 5_000, reservations or 40_000, workspaces or 20
            measured = seed_measuring(database, clock.today(), *figures)
            rows = [vars(workspace) for workspace in measured]
        else:
            made = seed_demo(database, Files(settings), clock.today(), clock)
            rows = [vars(workspace) for workspace in made]
    show(rows, as_json=as_json, empty="The demo workspaces already exist.")
    if not as_json and rows:
        click.echo(f"Made in {perf_counter() - began:.1f} s.")
