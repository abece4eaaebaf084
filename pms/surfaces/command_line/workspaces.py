"""`pms workspaces`, `pms demo` and `pms mail`, and the database that commands open."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import click

from pms.demo.seed_demo import seed_demo
from pms.demo.seed_measuring import seed_measuring
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.outbox import put_mail
from pms.foundation.readiness import BUDGET, DISK, WORKER, readiness
from pms.foundation.settings import Settings
from pms.surfaces.command_line.listing import as_json, show
from pms.workspaces import new_workspaces, queries


@contextmanager
def opened_database(
    settings: Settings | None = None, *, even_unready: bool = False
) -> Iterator[Database]:
    """Give the database of these settings, else of the environment's.

    One that is missing or not migrated is refused in a line, unless the command looks into that.
    """
    database = Database(settings or Settings.from_environment())
    try:
        if not even_unready:
            _refuse_unready(database)
        yield database
    finally:
        database.dispose()


def _refuse_unready(database: Database) -> None:
    # No command needs a running worker, those that ask for counts do without, and many only read.
    for finding in readiness(database, SystemClock()):
        if not finding.is_well and finding.name not in (WORKER, BUDGET, DISK):
            raise Refused(f"{finding.name}: {finding.detail}. {finding.remedy}")


@click.group()
def workspaces() -> None:
    """List the workspaces and open new ones; each is one operator's world."""


@workspaces.command("list")
@as_json
def list_workspaces(as_json: bool) -> None:
    """List the workspaces by slug."""
    with opened_database() as database, database.across_workspaces_reading() as session:
        rows = [
            {"slug": row.slug, "name": row.name, "name_en": row.name_en, "opened": row.created_at}
            for row in queries.all_workspaces(session)
        ]
    show(rows, as_json=as_json, empty="No workspaces yet; open one or run `pms demo`.")


@workspaces.command("open")
@click.argument("slug")
@click.option("--name", required=True, help="How the operator is called, in Japanese.")
@click.option("--name-en", help="How the operator is called in English.")
def open_one(slug: str, name: str, name_en: str | None) -> None:
    """Open a workspace with the default policy; SLUG names it in addresses for good."""
    with opened_database() as database, database.across_workspaces_writing() as session:
        new_workspaces.open_workspace(session, SystemClock(), slug=slug, name=name, name_en=name_en)
    click.echo(f"The workspace '{slug}' is open. Next: pms people add, pms import.")


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


@click.group()
def mail() -> None:
    """Look after outgoing mail."""


@mail.command("test")
@click.argument("address")
@click.option("--workspace", "slug", help="The sending workspace; the first one by default.")
def send_test(address: str, slug: str | None) -> None:
    """Put a test mail to ADDRESS into the outbox; the worker sends it within seconds."""
    if "@" not in address.strip("@") or not address.isprintable() or " " in address:
        raise Refused(f"ADDRESS: '{address}' is not an e-mail address.")
    settings = Settings.from_environment()
    with (
        opened_database(settings) as database,
        database.writing(_sender(database, slug)) as session,
    ):
        put_mail(session, SystemClock(), recipient=address, subject=_SUBJECT, text=_TEXT)
    where = "to the mail server" if settings.smtp_url else f"as a file to {settings.mail_dir}"
    click.echo(f"In the outbox. A running worker sends it {where} within seconds.")


def _sender(database: Database, slug: str | None) -> str:
    with database.across_workspaces_reading() as session:
        if slug is not None:
            return queries.workspace_id_of(session, slug)
        first = next(iter(queries.all_workspaces(session)), None)
    if first is None:
        raise Refused("There is no workspace yet; `pms demo` makes some to look at.")
    return first.id


_SUBJECT = "テストメール Test mail"
_TEXT = """このメールが届けば、メールの設定は正しく動いています。

This mail arrived, so mail works.
"""
