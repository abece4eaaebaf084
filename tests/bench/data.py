"""The data of a measurement: believable workspaces, with keys whose budget is never spent."""

import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from pms.access.keys import MOST_PER_HOUR, issue_key
from pms.access.models import Member, Person
from pms.demo.seed_measuring import seed_measuring
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope, StaffRole

CATALOGUE, OCCUPANCY = "catalogue_version", "occupancy_version"
SECRET = "a secret that only the measurement knows and that is long enough"
_ABOUT = "measured.json"


@dataclass(frozen=True)
class Size:
    """How much is seeded."""

    units: int
    reservations: int
    workspaces: int


FULL = Size(5_000, 40_000, 20)
QUICK = Size(1_500, 10_000, 4)
TINY = Size(60, 240, 2)


@dataclass(frozen=True)
class Measured:
    """One workspace of the data, and the two keys that read it."""

    id: str
    slug: str
    units: int
    reservations: int
    read_key: str
    residents_key: str


@dataclass(frozen=True)
class Data:
    """One database with what was seeded into it, the largest workspace first."""

    folder: Path
    workspaces: Sequence[Measured]

    @property
    def path(self) -> Path:
        return self.folder / "pms.sqlite3"

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a server over this data: those of production, one worker."""
        return {
            "PMS_ENV": "production",
            "PMS_DATA_DIR": str(self.folder),
            "PMS_BASE_URL": "https://pms.example.jp",
            "PMS_SECRET_KEY": SECRET,
            "PMS_TRUSTED_HOSTS": "127.0.0.1 localhost",
            "PMS_SMTP_URL": "smtp://127.0.0.1:25",
            "PMS_WORKERS": "1",
        }

    @property
    def settings(self) -> Settings:
        return Settings.from_environment(self.environment)

    def raise_version(self, workspace: Measured, counter: str) -> None:
        """Have the next request find a changed workspace, as another process's write would.

        An edit of the catalogue asks another rent for one unit.
        """
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            f"UPDATE workspace SET {counter} = {counter} + 1 WHERE id = ?", (workspace.id,)
        )
        if counter == CATALOGUE:
            connection.execute(
                "UPDATE unit SET rent_yen = rent_yen + 1 WHERE workspace_id = ?1 AND id ="
                " (SELECT min(id) FROM unit WHERE workspace_id = ?1)",
                (workspace.id,),
            )
        connection.execute("COMMIT")
        connection.close()


def seed(folder: Path, size: Size) -> Data:
    """Return the data of a folder, made when it is not there yet."""
    about = folder / _ABOUT
    if not about.exists():
        settings = Data(folder, ()).settings
        migrate(settings)
        database, clock = Database(settings), SystemClock()
        made = seed_measuring(
            database, clock.today(), size.units, size.reservations, size.workspaces
        )
        workspaces = [
            Measured(one.id, one.slug, one.units, one.reservations, *_keys(database, one.id, clock))
            for one in made
        ]
        database.dispose()
        about.write_bytes(msgspec.json.encode([asdict(one) for one in workspaces]))
    return Data(folder, msgspec.json.decode(about.read_bytes(), type=list[Measured]))


def alone(data: Data, folder: Path, kept: Sequence[Measured]) -> Data:
    """Return a copy of the data in which only some of the workspaces exist."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(data.path, folder / "pms.sqlite3")
    copy = Data(folder, kept)
    connection = sqlite3.connect(copy.path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=ON")
    # Some rows may never be deleted in the program; here a whole copy of them goes.
    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    for (name,) in connection.execute(triggers).fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    marks = ",".join("?" * len(kept))
    ids = [workspace.id for workspace in kept]
    connection.execute(f"DELETE FROM workspace WHERE id NOT IN ({marks})", ids)
    connection.execute("VACUUM")
    connection.close()
    return copy


def _keys(database: Database, workspace_id: str, clock: SystemClock) -> tuple[str, str]:
    with database.writing(workspace_id) as session:
        read, residents = (
            issue_key(
                Work(session, clock, "staff"),
                name=name,
                scopes=scopes,
                budget_per_hour=MOST_PER_HOUR,
            )
            for name, scopes in (
                ("Website", [Scope.PROPERTIES_READ, Scope.CONTENT_READ]),
                ("Assistant", [Scope.RESIDENTS_READ]),
            )
        )
    return read.plaintext, residents.plaintext


def operator_of(data: Data) -> str:
    """Store someone who works in the largest workspace."""
    database, now = Database(data.settings), SystemClock().now()
    person = Person(email=f"{new_id()}@example.jp", name="測 定子", created_at=now)
    with database.across_workspaces_writing() as session:
        session.add(person)
        session.flush()
        person_id = person.id
    with database.writing(data.workspaces[0].id) as session:
        session.add(Member(person_id=person_id, role=StaffRole.OPERATOR, accepted_at=now))
    database.dispose()
    return person_id
