"""`pms keys ...`: issues, lists, revokes and replaces API keys, and rotates the secret key."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from pms.access.key_origins import add_origin, origins_of_keys, remove_origin
from pms.access.keys import (
    IssuedKey,
    KeyOfWorkspace,
    issue_key,
    keys_of_workspaces,
    replace_key,
    revoke_key,
    workspace_id_of_key,
)
from pms.foundation.budget import last_requests, open_storage
from pms.foundation.budget.rolling_window import BudgetUnavailable
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.runs import long_work
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import PRESETS, Preset
from pms.surfaces.command_line.listing import as_json, json_text, show, table
from pms.surfaces.command_line.workspace_access import ACTOR, command_clock, opened_database
from pms.workspaces.queries import workspace_id_of

_OLDER = (
    "\nNothing is sealed under {keys} any more. Links, calendars and cookies that these signed stay"
    " good while\nthey stand in PMS_SECRET_KEY: cookies last seven days, a link as long as it says."
)
_ONCE = "Copy it now: it is not shown again. A lost key has to be replaced."


@click.group()
def keys() -> None:
    """Issue, list, revoke and replace API keys, and rotate the secret key.

    A public website takes three: --preset read, --preset actions and --preset telemetry.
    """


@keys.command("issue")
@click.option("--workspace", "-w", "slug", required=True, help="The slug of the workspace.")
@click.option("--name", required=True, help="What the key is for.")
@click.option("--preset", type=click.Choice([preset.value for preset in Preset]))
@click.option("--scope", "scopes", multiple=True, metavar="SCOPE", help=f"{', '.join(Scope)}.")
@click.option("--public", "is_public", is_flag=True, help="The key is used in public pages.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A website whose pages may use the key in a browser, such as https://example.jp.",
)
@click.option("--budget", type=int, default=BUDGET_REQUESTS, help="Requests an hour.")
@click.option("--legacy", "is_legacy", is_flag=True, help="The shared key of earlier versions.")
@as_json
def issue(
    slug: str, preset: str | None, scopes: tuple[str, ...], budget: int, as_json: bool, **value: Any
) -> None:
    """Issue a key and print it once."""
    is_legacy = value["is_legacy"]
    given = sum((preset is not None, bool(scopes), is_legacy))
    if given != 1:
        raise Refused("Give one of --preset, --scope (repeatable) or --legacy.")
    granted = tuple(PRESETS[Preset(preset)]) if preset else scopes
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            workspace_id = workspace_id_of(session, slug)
        with database.writing(workspace_id) as session:
            issued = issue_key(
                Work(session, command_clock(), ACTOR),
                scopes=granted,
                budget_per_hour=budget,
                is_development=database.settings.is_development,
                **value,
            )
    _print_issued_key(issued, as_json=as_json)


@keys.command("list")
@click.option("--workspace", "-w", "slug", help="Only this workspace.")
@as_json
def list_keys(slug: str | None, as_json: bool) -> None:
    """List the keys, active ones first, by their first characters."""
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            if slug is not None:
                workspace_id_of(session, slug)
            found = [key for key in keys_of_workspaces(session) if slug in (None, key.workspace)]
            websites = origins_of_keys(session)
        used = _last_uses(database.settings, found)
    key_rows = [
        {
            "workspace": key.workspace,
            "id": key.id,
            "name": key.name,
            "hint": key.hint,
            "scopes": key.scopes,
            "public": key.is_public,
            "origins": [website.origin for website in websites.get(key.id, ())],
            "budget": key.budget_per_hour,
            "created": key.created_at,
            "last_used": used.get(key.id) or key.last_used_at,
            "state": key.state,
        }
        for key in found
    ]
    show(
        key_rows,
        as_json=as_json,
        empty="No keys yet.",
    )


@keys.command("revoke")
@click.argument("key_id", metavar="ID")
def revoke(key_id: str) -> None:
    """Revoke a key from the next request on; other keys are not affected."""
    with (
        opened_database() as database,
        database.writing(_workspace_of(database, key_id)) as session,
    ):
        name = revoke_key(Work(session, command_clock(), ACTOR), key_id).name
    click.echo(f"The key '{name}' is revoked.")


@keys.command("replace")
@click.argument("key_id", metavar="ID")
@as_json
def replace(key_id: str, as_json: bool) -> None:
    """Revoke a key and issue another one with its name, scopes, budget and websites."""
    with (
        opened_database() as database,
        database.writing(_workspace_of(database, key_id)) as session,
    ):
        issued = replace_key(Work(session, command_clock(), ACTOR), key_id)
    _print_issued_key(issued, as_json=as_json)


@keys.command("origins")
@click.argument("key_id", metavar="ID")
@click.option("--add", "added", multiple=True, metavar="ORIGIN", help="Such as https://example.jp.")
@click.option("--remove", "removed", multiple=True, metavar="ORIGIN")
def change_origins(key_id: str, added: tuple[str, ...], removed: tuple[str, ...]) -> None:
    """Add and remove the websites whose pages may use a key in a browser, and list them."""
    with (
        opened_database() as database,
        database.writing(_workspace_of(database, key_id)) as session,
    ):
        work = Work(session, command_clock(), ACTOR)
        known = {website.origin: website.id for website in origins_of_keys(session).get(key_id, ())}
        for origin in removed:
            if origin not in known:
                raise Refused("--remove: '{origin}' is no website of this key.", origin=origin)
            remove_origin(work, key_id, known.pop(origin))
        for origin in added:
            add_origin(work, key_id, origin, is_development=database.settings.is_development)
        websites = [website.origin for website in origins_of_keys(session).get(key_id, ())]
    click.echo("\n".join(websites) or "No websites.")


@keys.command("rotate-secret")
@as_json
def rotate_secret(as_json: bool) -> None:
    """Seal everything under the first key of PMS_SECRET_KEY.

    Put the new key before the old one, with a comma between them, restart every process, and call
    this. Afterwards only links, calendars and cookies that were handed out need the old key.
    """
    with opened_database() as database:
        sealed = long_work("resealing", "seal_anew")(database)
    rows = [{"what": what, **sums._asdict()} for what, sums in sealed.items()]
    key_id, *others = database.signer.key_ids
    if as_json:
        click.echo(json_text({"key": key_id, "others": others, "sealed": rows}))
    else:
        click.echo(f"The first key is {key_id}; these were sealed under it now:\n\n{table(rows)}")
        if others:
            click.echo(_OLDER.format(keys=", ".join(others)))
    if any(sums.unreadable for sums in sealed.values()):
        raise Refused(
            "Some cannot be opened with a key of PMS_SECRET_KEY. Add the earlier key and retry."
        )


def _workspace_of(database: Database, key_id: str) -> str:
    with database.across_workspaces_reading() as session:
        return workspace_id_of_key(session, key_id)


def _last_uses(settings: Settings, found: list[KeyOfWorkspace]) -> Mapping[str, datetime]:
    storage = open_storage(settings)
    try:
        return last_requests(storage, [key.id for key in found])
    except BudgetUnavailable:
        return {}
    finally:
        storage.close()


def _print_issued_key(issued: IssuedKey, *, as_json: bool) -> None:
    if as_json:
        click.echo(json_text({"id": issued.id, "key": issued.plaintext}))
    else:
        click.echo(issued.plaintext)
        click.echo(f"id {issued.id}. {_ONCE}", err=True)
