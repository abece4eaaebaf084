"""Workspaces and their staff: `pms workspaces ...`, `pms export`, `pms people ...`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pms.access.invitations import invite_member
from pms.access.members import (
    add_member,
    bind_member,
    member_of_address,
    members,
    remove_member,
)
from pms.access.opening_links import LIFE, make_opening
from pms.access.passwords import new_password_hash
from pms.access.second_factors import forget_second_factor
from pms.access.sign_in_events import StatedRules, set_sign_in_policy, sign_in_policy, staff_events
from pms.catalogue.buildings import building_names
from pms.foundation.errors import no_such
from pms.foundation.lists import Paging
from pms.foundation.passwords import Passwords
from pms.foundation.runs import long_work
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.enumerations import Locale, StaffRole
from pms.surfaces.command_line.listing import as_json, print_progress, show, show_record
from pms.surfaces.command_line.workspace_access import (
    ACTOR,
    CommandWorkspace,
    command_clock,
    of_workspace,
    open_workspace,
    opened_database,
    reading,
    writing,
)
from pms.workspaces import new_workspaces, queries


@click.group()
def workspaces() -> None:
    """List the workspaces and open new ones; each belongs to one operator."""


@workspaces.command("list")
@as_json
def list_workspaces(as_json: bool) -> None:
    """List the workspaces by slug."""
    with opened_database() as database, database.across_workspaces_reading() as session:
        rows = [
            {"slug": row.slug, "name": row.name, "name_en": row.name_en, "opened": row.created_at}
            for row in queries.all_workspaces(session)
        ]
    show(rows, as_json=as_json, empty="No workspaces yet. Open one or run `pms demo`.")


@workspaces.command("invite")
@as_json
def invite_operator(as_json: bool) -> None:
    """Print a one-time address to open a workspace; it is valid for seven days."""
    with opened_database() as database:
        token = database.write_across_workspaces(
            lambda session: make_opening(session, command_clock(), made_by=ACTOR)
        )
        row = {"address": f"{database.settings.base_url}/open/{token}", "days": LIFE.days}
    show([row], as_json=as_json)


@workspaces.command("open")
@click.argument("slug")
@click.option("--name", required=True, help="The operator's name in Japanese.")
@click.option("--name-en", help="The operator's name in English.")
def open_one(slug: str, name: str, name_en: str | None) -> None:
    """Open a workspace with the default policy; SLUG is its permanent name in addresses."""
    with opened_database() as database, database.across_workspaces_writing() as session:
        new_workspaces.open_workspace(
            session, command_clock(), slug=slug, name=name, name_en=name_en
        )
    click.echo(f"The workspace '{slug}' is open. Next: pms people add, pms import.")


@click.command()
@of_workspace
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder for the files; created if missing.",
)
def export(*, at: CommandWorkspace, folder: Path) -> None:
    """Export a workspace: one .xlsx, the same as CSV in a zip, and documents in zips.

    The sheet of contracts is read by `pms takeover run`.
    """
    with open_workspace(at) as found:
        written = long_work("workspace_export", "export_to_folder")(
            found.database,
            found.clock,
            ACTOR,
            found.workspace_id,
            folder=folder,
            tell=print_progress,
        )
    show_record({"folder": str(folder), "files": len(written)}, as_json=at.as_json, written=written)


_ROLE = click.option(
    "--role", type=click.Choice([*map(str, StaffRole)]), default="operator", show_default=True
)
_LANGUAGE = click.option(
    "--language", type=click.Choice([*map(str, Locale)]), default="ja", show_default=True
)


_BUILDINGS = click.option(
    "--building",
    "buildings",
    multiple=True,
    help="The name of a building to work for, and no other; repeatable.",
)


def find_buildings(session: Any, given: Sequence[str]) -> list[str] | None:
    """Return the ids of the buildings that are named in a language; `None` for none named."""
    known = {name: row.id for row in building_names(session) for name in row.name if name}
    for name in given:
        if name not in known:
            raise no_such("building", name)
    return [known[name] for name in given] or None


@click.group()
def people() -> None:
    """List, invite, add and remove the staff of a workspace."""


@people.command("list")
@of_workspace
def list_people(at: CommandWorkspace) -> None:
    """List the staff and their roles."""
    with reading(at) as (session, _):
        named = {row.id: row.name.ja for row in building_names(session)}
        rows = [
            {
                "id": member.id,
                "name": member.name,
                "email": member.email,
                "role": member.role,
                "since": member.accepted_at,
                "second_factor": member.has_second_factor,
                "buildings": None
                if member.building_ids is None
                else [named.get(id_, id_) for id_ in member.building_ids],
            }
            for member in members(session)
        ]
    show(rows, as_json=at.as_json, empty="No staff yet. Add the first operator: pms people add.")


@people.command("invite")
@click.argument("email")
@_ROLE
@_LANGUAGE
@_BUILDINGS
@of_workspace
def invite(
    at: CommandWorkspace, email: str, *, role: str, language: str, buildings: Sequence[str]
) -> None:
    """Email an invitation to EMAIL and print its link."""
    links: list[str] = []
    with open_workspace(at) as found, found.database.writing(found.workspace_id) as session:
        settings = found.database.settings

        def link(token: str) -> str:
            links.append(f"{settings.base_url}/invitations/{token}")
            return links[-1]

        invitation = invite_member(
            Work(session, found.clock, ACTOR),
            email=email,
            role=StaffRole(role),
            building_ids=find_buildings(session, buildings),
            inviter="pms",
            locale=language,
            signer=Signer(settings.secret_key),
            link=link,
        )
        row = {"email": invitation.email, "role": role, "link": links[0]}
    show([row], as_json=at.as_json)


@people.command("add")
@click.argument("email")
@click.option("--name", help="Required for a new person.")
@_ROLE
@_LANGUAGE
@_BUILDINGS
@click.option(
    "--password", "asks", is_flag=True, help="Ask for a password; by default a code is emailed."
)
@of_workspace
def add(
    at: CommandWorkspace,
    email: str,
    *,
    name: str | None,
    role: str,
    language: str,
    buildings: Sequence[str],
    asks: bool,
) -> None:
    """Add EMAIL to the staff at once, without an invitation."""
    typed = click.prompt("Password", hide_input=True, confirmation_prompt=True) if asks else None
    with open_workspace(at) as found:
        passwords = Passwords(found.database.settings)
        kept = (
            new_password_hash(passwords, typed, folded_address(email), (name, at.slug))
            if typed
            else None
        )
        with found.database.reading(found.workspace_id) as session:
            building_ids = find_buildings(session, buildings)
        with found.database.across_workspaces_writing() as session:
            member = add_member(
                session,
                found.clock,
                workspace_id=found.workspace_id,
                email=email,
                name=name,
                role=StaffRole(role),
                building_ids=building_ids,
                locale=language,
                password_hash=kept,
            )
            row = {"id": member.id, "email": folded_address(email), "role": role}
    show([row], as_json=at.as_json)


@people.command("bind")
@click.argument("email")
@_BUILDINGS
@click.option("--all-buildings", is_flag=True, help="Work for all buildings again.")
@of_workspace
def bind(
    at: CommandWorkspace, email: str, *, buildings: Sequence[str], all_buildings: bool
) -> None:
    """Let EMAIL work for some buildings only, or for all again."""
    if all_buildings is bool(buildings):
        raise click.UsageError("Name buildings with --building, or give --all-buildings.")
    with writing(at) as work:
        member = member_of_address(work.session, folded_address(email))
        bind_member(work, member.id, find_buildings(work.session, buildings))
    show([{"email": member.email, "buildings": list(buildings) or None}], as_json=at.as_json)


@people.command("remove")
@click.argument("email")
@of_workspace
def remove(at: CommandWorkspace, email: str) -> None:
    """Remove EMAIL from the staff; the last operator cannot be removed."""
    with writing(at) as work:
        member = member_of_address(work.session, folded_address(email))
        remove_member(work, member.id)
    show([{"email": member.email, "removed": member.name}], as_json=at.as_json)


@people.command("reset-second-factor")
@click.argument("email")
@of_workspace
def reset_second_factor(at: CommandWorkspace, email: str) -> None:
    """Reset the two-step sign-in of EMAIL after a lost app; another one is set up at the next sign-in."""
    with reading(at) as (session, _):
        member = member_of_address(session, folded_address(email))
    with open_workspace(at) as found, found.database.across_workspaces_writing() as session:
        forget_second_factor(
            session,
            found.clock,
            member.person_id,
            workspace_id=found.workspace_id,
            by=ACTOR,
        )
    show([{"email": member.email, "second_factor": False}], as_json=at.as_json)


@people.command("sign-in-rules")
@click.option("--no-second-factor", is_flag=True, help="Stop requiring two-step sign-in.")
@click.option("--no-inactivity-limit", is_flag=True, help="Stop signing out inactive people.")
@of_workspace
def sign_in_rules(
    at: CommandWorkspace, *, no_second_factor: bool, no_inactivity_limit: bool
) -> None:
    """Show the sign-in rules, and lift them for operators who are locked out."""
    lifted: StatedRules = {}
    if no_second_factor:
        lifted["factor_required_on"] = None
    if no_inactivity_limit:
        lifted["idle_minutes"] = None
    if lifted:
        with writing(at) as work:
            rules = set_sign_in_policy(work, **lifted)
    else:
        with reading(at) as (session, _):
            rules = sign_in_policy(session)
    row = {
        "second_factor_from": rules.factor_required_on,
        "inactivity_minutes": rules.idle_minutes,
        "kept_days": rules.kept_days,
    }
    show([row], as_json=at.as_json)


@people.command("sign-ins")
@click.argument("email", required=False)
@click.option("--last", type=click.IntRange(1, 1000), default=50, show_default=True)
@of_workspace
def sign_ins(at: CommandWorkspace, email: str | None, last: int) -> None:
    """List the last sign-ins of the staff, or of EMAIL alone."""
    with reading(at) as (session, clock):
        member = member_of_address(session, folded_address(email)) if email else None
        found = staff_events(
            session, clock, Paging(1, last), member_id=member.id if member else None
        )
    rows = [
        {
            "at": event.at,
            "name": event.name,
            "event": event.kind,
            "by": event.proof,
            "address": event.client,
            "device": event.device,
        }
        for event in found.events
    ]
    show(rows, as_json=at.as_json, empty="No sign-ins yet.")
