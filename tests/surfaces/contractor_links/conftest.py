"""A leak in room 101 of Sumida, shared with a contractor, and what is around it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import add_handbook_page, add_unit_page
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import HandbookTopic, TaskKind
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.share_links import share_project
from pms.upkeep.tasks import WantedTask, add_task
from tests.cast import CONTRACTOR, Cast, House

OFFICE = "person/okada"
ENTRANCE_CODE, UNIT_CODE, OTHER_CODE, STAFF_CODE = "*4821#", "*0451#", "*7777#", "*9999#"


@dataclass(frozen=True)
class Site:
    """One shared project: its link, and the ids of what is in it."""

    token: str
    project_id: str
    task_id: str
    entrance_id: str
    heater_id: str
    others_page_id: str
    staff_page_id: str

    @property
    def home(self) -> str:
        """The address the link leads to."""
        return f"/contractor/{self.token}"


@dataclass
class Phone:
    """A contractor's telephone: no account, no cookie worth anything, a link."""

    client: FlaskClient
    site: Site

    def get(self, path: str = "", **options: object) -> TestResponse:
        """Open a page of the link."""
        return self.client.get(self.site.home + path, **options)

    def post(self, path: str, fields: Mapping[str, object] | None = None) -> TestResponse:
        """Send a form with the link's token."""
        data = {"csrf_token": self.form_token(), **(fields or {})}
        return self.client.post(self.site.home + path, data=data)

    def form_token(self) -> str:
        """Read what the forms of the link carry."""
        text = self.get("/hours").text
        return text.partition('name="csrf_token" value="')[2].partition('"')[0]


def made_site(
    app: Flask,
    clock: FixedClock,
    house: House,
    *,
    expires_on: date | None = None,
    hourly_yen: int | None = 3_500,
) -> Site:
    """Open a project about a room of a house, with a task and a handbook, and share it."""
    database: Database = app.extensions["pms.database"]
    with database.writing(house.workspace_id) as session:
        wanted = WantedProject(
            title="101 水漏れ", building_id=house.building_id, unit_id=house.residents_room_id
        )
        project_id = open_project(Work(session, clock, OFFICE), wanted=wanted)
        task_id = add_task(
            Work(session, clock, OFFICE),
            wanted=WantedTask(
                kind=TaskKind.REPAIR,
                building_id=house.building_id,
                unit_id=house.residents_room_id,
                project_id=project_id,
                title="蛇口の交換",
            ),
        )
        entrance_id = add_handbook_page(
            Work(session, clock, OFFICE),
            building_id=house.building_id,
            written=written("玄関", "Entrance", ENTRANCE_CODE),
        )
        heater_id, others_id = (
            add_unit_page(
                Work(session, clock, OFFICE),
                unit_id=unit_id,
                written=written("鍵箱", "Key box", code),
            )
            for unit_id, code in (
                (house.residents_room_id, UNIT_CODE),
                (house.free_room_id, OTHER_CODE),
            )
        )
        staff_page_id = add_handbook_page(
            Work(session, clock, OFFICE),
            building_id=house.building_id,
            written=written("事務所", "Safe of the office", STAFF_CODE, is_for_contractors=False),
        )
        token = share_project(
            Work(session, clock, OFFICE),
            project_id=project_id,
            contractor_name=CONTRACTOR,
            hourly_yen=hourly_yen,
            expires_on=expires_on,
            signer=Signer(str(app.secret_key)),
        )
    return Site(token, project_id, task_id, entrance_id, heater_id, others_id, staff_page_id)


def written(ja: str, en: str, code: str, *, is_for_contractors: bool = True) -> WrittenPage:
    """Return a page of a handbook with a code."""
    return WrittenPage(
        topic=HandbookTopic.ENTRANCE,
        title_ja=ja,
        title_en=en,
        body_ja="左の扉。",
        body_en="The door on the left.",
        guarded_code=code,
        is_for_contractors=is_for_contractors,
    )


@pytest.fixture
def site(app: Flask, clock: FixedClock, cast: Cast) -> Site:
    """Sumida's project."""
    return made_site(app, clock, cast.sumida)


@pytest.fixture
def phone(client: FlaskClient, site: Site) -> Phone:
    """The telephone of Sumida's contractor."""
    return Phone(client, site)


@pytest.fixture
def elsewhere(app: Flask, clock: FixedClock, cast: Cast) -> Site:
    """Minato's project, of the same house in another workspace."""
    return made_site(app, clock, cast.minato)


@pytest.fixture
def next_door(app: Flask, clock: FixedClock, cast: Cast) -> Site:
    """Another project of Sumida."""
    return made_site(app, clock, cast.sumida)
