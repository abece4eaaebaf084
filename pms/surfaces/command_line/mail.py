"""`pms mail ...`: looks after outgoing mail."""

import click

from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.outbox import put_mail
from pms.foundation.settings import Settings
from pms.surfaces.command_line.workspace_access import opened_database
from pms.workspaces.queries import all_workspaces, workspace_id_of


@click.group()
def mail() -> None:
    """Test outgoing email."""


@mail.command("test")
@click.argument("address")
@click.option("--workspace", "slug", help="The sending workspace; the first one by default.")
def send_test(address: str, slug: str | None) -> None:
    """Queue a test email to ADDRESS; the worker sends it within seconds."""
    if "@" not in address.strip("@") or not address.isprintable() or " " in address:
        raise Refused(f"ADDRESS: '{address}' is not an email address.")
    settings = Settings.from_environment()
    with (
        opened_database(settings) as database,
        database.writing(_sender(database, slug)) as session,
    ):
        put_mail(session, SystemClock(), recipient=address, subject=_SUBJECT, text=_TEXT)
    where = "to the mail server" if settings.smtp_url else f"as a file to {settings.mail_dir}"
    click.echo(f"Queued. A running worker sends it {where} within seconds.")


def _sender(database: Database, slug: str | None) -> str:
    with database.across_workspaces_reading() as session:
        if slug is not None:
            return workspace_id_of(session, slug)
        first = next(iter(all_workspaces(session)), None)
    if first is None:
        raise Refused("There is no workspace yet. Run `pms demo` to create samples.")
    return first.id


_SUBJECT = "テストメール Test mail"
_TEXT = """このメールが届けば、メールの設定は正しく動いています。

This mail arrived, so mail works.
"""
