"""A house of one workspace to tell stories in, and whoever works its desk."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import count
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.workspaces.new_workspaces import open_workspace
from tests import cast
from tests.stories.books import Books

ACTOR = "staff: Aoki"
OPENED_ON = date(2024, 1, 1)

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
_numbers = count(1)


def morning(day: date) -> datetime:
    """Nine o'clock in Japan: still the day before in most of the world."""
    return datetime.combine(day, time(9), JAPAN)


@dataclass
class House:
    """One workspace of its own in a database others may share, with rooms as they are needed."""

    database: Database
    workspace_id: str
    building_id: str
    clock: FixedClock = field(default_factory=lambda: FixedClock(morning(OPENED_ON)))
    rooms: dict[str, str] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        return Books(self.database, self.workspace_id)

    @property
    def today(self) -> date:
        return self.clock.today()

    def go_to(self, instant: datetime) -> None:
        self.clock.advance(instant - self.clock.now())

    def days_pass(self, days: int) -> None:
        self.clock.advance(timedelta(days=days))

    def do(
        self,
        use_case: Callable[Concatenate[Work, Asked], Answer],
        *args: Asked.args,
        **given: Asked.kwargs,
    ) -> Answer:
        """Let staff do something: one transaction, kept unless it is refused."""
        with self.database.writing(self.workspace_id) as session:
            return use_case(Work(session, self.clock, ACTOR), *args, **given)

    def ask(self, question: Callable[[Session], Answer]) -> Answer:
        with self.database.reading(self.workspace_id) as session:
            return question(session)

    def room(self, name: str) -> str:
        """Return the id of a room, made when it is first spoken of."""
        if name not in self.rooms:
            self.rooms[name] = new_id()
            given = {"building_id": self.building_id, "name": name, "slug": f"room-{name}".lower()}
            with self.database.writing(self.workspace_id) as session:
                session.add(cast.unit(id=self.rooms[name], **given))
        return self.rooms[name]


def open_house(database: Database) -> House:
    """Open a workspace with an empty house."""
    clock, number = FixedClock(morning(OPENED_ON)), next(_numbers)
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(
            session, clock, slug=f"house-{number}", name=f"第{number}カワセミ荘"
        )
    house = House(database, workspace_id, new_id())
    with database.writing(workspace_id) as session:
        session.add(cast.building(id=house.building_id))
    return house
