"""Keeps one key of the demo readable, so that every start can print a line that works.

Keys are stored hashed; the plaintext of this one lies in the data folder, readable by its owner
alone. Production never makes one.
"""

import os
from pathlib import Path

from pms.access.keys import find_key, issue_key
from pms.demo.people import ACCOUNTS, DemoAccount, employ_staff
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.scopes import PRESETS, Preset
from pms.surfaces.command_line.at_a_desk import ACTOR
from pms.workspaces.queries import all_workspaces

NAME = "Demo key, printed at every start"
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
    from pms.demo.seed_demo import seed_demo

    seed_demo(database, Files(database.settings), clock.today(), clock)


def demo_staff(database: Database, clock: Clock) -> tuple[DemoAccount, ...]:
    """Return who signs in to the demo, also one made by an earlier version; nobody elsewhere."""
    employ_staff(database, clock)
    with database.across_workspaces_reading() as session:
        slugs = {workspace.slug for workspace in all_workspaces(session)}
    return tuple(one for one in ACCOUNTS if any(slug in slugs for slug, _ in one.places))


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
            Work(session, clock, ACTOR), name=NAME, scopes=PRESETS[Preset.READ]
        ).plaintext
    _keep(path, made)
    return made


def _keep(path: Path, key: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ALONE)
    with os.fdopen(descriptor, "w") as file:
        file.write(key + "\n")
