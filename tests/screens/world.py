"""The workspaces in which screens are looked at: one lived in, one empty, one large."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask
from sqlalchemy import String, select, type_coerce

from pms.access.models import Member, Person
from pms.demo.seed_measuring import seed_measuring
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.files import Files
from pms.foundation.runs import start_run, step
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.enumerations import StaffRole
from pms.workspaces.new_workspaces import open_workspace
from pms.workspaces.queries import all_workspaces
from tests.databases import settings_of_a_test
from tests.demo.seeding import NOON, SeededDemo, plain_album
from tests.programs import make_app
from tests.staff import NAMES, open_browser

LIVED_IN, EMPTY, LARGE = "midori-living", "nothing-yet", "measured-01"
_SECOND = "tokyo-nest"
_SINCE = datetime(2026, 4, 1, 0, 0, tzinfo=UTC)


@dataclass
class World:
    """The program over the three workspaces, and whoever works in them."""

    app: Flask
    settings: Settings
    clock: FixedClock
    workspace_ids: Mapping[str, str]
    people: dict[StaffRole, str] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
    """The address of each screen in each of its states, by "name state"."""

    @property
    def database(self) -> Database:
        found: Database = self.app.extensions["pms.database"]
        return found

    def cookie(self, role: StaffRole) -> str:
        """Return the cookie of a new session of a person of a role, who works in all three."""
        browser = open_browser(self.app, self.clock, self.people[role], LIVED_IN)
        cookie = browser.client.get_cookie("session")
        assert cookie is not None
        return str(cookie.value)

    def any_id(self, table: str, where: str = "", slug: str = LIVED_IN) -> str:
        """Return the id of a record of a workspace; `where` is "column=value&column=value"."""
        found = Base.metadata.tables[table]
        asked = select(found.c.id).where(found.c.workspace_id == self.workspace_ids[slug])
        for condition in filter(None, where.split("&")):
            column, _, value = condition.partition("=")
            asked = asked.where(type_coerce(found.c[column], String) == value)
        with self.database.connection_across_workspaces() as connection:
            return str(connection.execute(asked.order_by(found.c.id).limit(1)).scalar_one())

    def value_of(self, table: str, id_: str, column: str) -> str:
        """Return one fact of a record."""
        found = Base.metadata.tables[table]
        with self.database.connection_across_workspaces() as connection:
            return str(
                connection.execute(select(found.c[column]).where(found.c.id == id_)).scalar_one()
            )


def make_world(
    folder: Path, demo: SeededDemo, addresses: Callable[[World], Mapping[str, str]]
) -> None:
    """Fill a folder with the workspaces and every record that `addresses` needs."""
    demo.copy_to(folder)
    with _running(folder) as (app, settings, clock):
        database: Database = app.extensions["pms.database"]
        album = plain_album(Files(settings))
        seed_measuring(database, clock.today(), 500, 2_000, 1, album=album)
        with database.across_workspaces_writing() as session:
            open_workspace(session, clock, slug=EMPTY, name="まだ何もない", name_en="Nothing yet")
        with database.across_workspaces_reading() as session:
            ids = {each.slug: each.id for each in all_workspaces(session)}
        world = World(app, settings, clock, ids)
        for role in StaffRole:
            world.people[role] = _employed(world, role)
        with database.writing(ids[LIVED_IN]) as session:
            run = start_run(
                Work(session, clock, "system"), kind="billing", subject="2026-11-30", total=61
            )
            step(run, clock, done=14, problems=1)
        made = {"ids": ids, "people": world.people, "addresses": addresses(world)}
    _made_in(folder).write_text(json.dumps(made))


@contextmanager
def opened_world(folder: Path, template: Path) -> Iterator[World]:
    """Copy the workspaces into a folder and start the program over them."""
    shutil.copytree(template, folder, dirs_exist_ok=True)
    made = json.loads(_made_in(folder).read_text())
    people = {StaffRole(role): id_ for role, id_ in made["people"].items()}
    with _running(folder) as (app, settings, clock):
        yield World(app, settings, clock, made["ids"], people, made["addresses"])


@contextmanager
def _running(folder: Path) -> Iterator[tuple[Flask, Settings, FixedClock]]:
    settings, clock = settings_of_a_test(folder), FixedClock(NOON)
    app = make_app(settings, clock)
    yield app, settings, clock
    app.extensions["pms.database"].dispose()


def _made_in(folder: Path) -> Path:
    return folder / "world.json"


def _employed(world: World, role: StaffRole) -> str:
    email = f"{role}@screens.example"
    person = Person(email=email, name=NAMES[role], created_at=_SINCE, locale="ja")
    with world.database.across_workspaces_writing() as session:
        session.add(person)
        session.flush()
        person_id = person.id
    for slug in (LIVED_IN, EMPTY, LARGE, _SECOND):
        with world.database.writing(world.workspace_ids[slug]) as at:
            _employ(at, person_id, role)
    return person_id


def _employ(session: WorkspaceSession, person_id: str, role: StaffRole) -> None:
    session.add(Member(person_id=person_id, role=role, accepted_at=_SINCE))
