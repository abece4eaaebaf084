"""`pms person ...`: everything about one person as a file, and forgetting it."""

from pathlib import Path

import click

from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.personal_data.forgetting import forget_person, plan_forgetting
from pms.personal_data.person_file import export_person
from pms.personal_data.person_records import find_records, name_records
from pms.surfaces.command_line.listing import show
from pms.surfaces.command_line.workspace_access import (
    CommandWorkspace,
    of_workspace,
    reading,
    writing,
)


@click.group()
def person() -> None:
    """Find, export and forget what is known about one person."""


@person.command("find")
@click.argument("text")
@of_workspace
def find_person(at: CommandWorkspace, text: str) -> None:
    """List the records with an email address, a phone number or a part of a name."""
    with reading(at) as (session, _clock):
        found = find_records(session, text)
    rows = [{"record": record.reference, **record._asdict()} for record in found]
    show(rows, as_json=at.as_json, empty="No records.")


@person.command("export")
@click.argument("who", nargs=-1, required=True)
@click.option("--to", "path", type=click.Path(path_type=Path), required=True, help="The ZIP.")
@of_workspace
def export_records(at: CommandWorkspace, who: tuple[str, ...], path: Path) -> None:
    """Write everything about a person into a ZIP that only this user can read.

    WHO is an email address, or a record as `pms person find` lists it; several are one person.
    """
    if path.exists():
        raise Refused("--to: '{path}' is there already.", path=str(path))
    store = Files(Settings.from_environment())
    with writing(at) as work:
        made = export_person(work, name_records(work.session, who))
        path.touch(mode=0o600)
        with path.open("wb") as file:
            file.writelines(made.stream(store))
    click.echo(f"{made.row_count} rows and {len(made.files)} files are in {path}.")


@person.command("forget")
@click.argument("who", nargs=-1, required=True)
@click.option("--yes", "is_certain", is_flag=True, help="Delete; without it nothing is changed.")
@of_workspace
def forget_records(at: CommandWorkspace, who: tuple[str, ...], is_certain: bool) -> None:
    """Delete what no law keeps about a person, and list what went and what stays.

    WHO is an email address, or a record as `pms person find` lists it; several are one person.
    Without --yes it only lists.
    """
    store = Files(Settings.from_environment())
    if is_certain:
        with writing(at) as work:
            plans = forget_person(work, store, name_records(work.session, who))
    else:
        with reading(at) as (session, clock):
            plans = plan_forgetting(session, name_records(session, who), clock.today())
    rows = [
        {
            "record": plan.record.reference,
            "deleted": {subject.value: count for subject, count in plan.counted.items()},
            "kept": [
                f"{kept.subject} until {kept.until_on} ({kept.because})" for kept in plan.kept
            ],
            "obstacle": None if plan.obstacle is None else str(plan.obstacle),
        }
        for plan in plans
    ]
    show(rows, as_json=at.as_json, empty="No records.")
