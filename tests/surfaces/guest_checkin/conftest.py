"""Emma Wilson is coming to room 102 of Sumida, with her phone and a link."""

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
from pms.rules.enumerations import HandbookTopic
from pms.stays.check_in_links import create_check_in_link
from pms.stays.stay_links import StayLink, stay_link
from pms.stays.stays import set_stay_terms
from tests.cast import Cast, House

OFFICE = "person/okada"
ENTRANCE_CODE, ROOM_CODE, OTHER_CODE, STAFF_CODE = "*4821#", "*0451#", "*7777#", "*9999#"
CHECK_IN, CHECK_OUT = date(2026, 11, 21), date(2026, 11, 24)


@dataclass(frozen=True)
class Stay:
    """One booking: its link, and the ids of what is around it."""

    token: str
    link_id: str
    reservation_id: str
    workspace_id: str
    entrance_id: str
    room_page_id: str
    others_page_id: str
    staff_page_id: str

    @property
    def home(self) -> str:
        """The address the link leads to."""
        return f"/check-in/{self.token}"


@dataclass
class Phone:
    """A guest's telephone: no account, no cookie worth anything, a link."""

    client: FlaskClient
    stay: Stay

    def get(self, path: str = "", **options: object) -> TestResponse:
        """Open a page of the link."""
        return self.client.get(self.stay.home + path, **options)

    def post(self, path: str, fields: Mapping[str, object] | None = None) -> TestResponse:
        """Send a form with the link's token."""
        data = {"csrf_token": self.form_token(), **(fields or {})}
        return self.client.post(self.stay.home + path, data=data)

    def form_token(self) -> str:
        """Read what the forms of the link carry."""
        text = self.get("/arrival").text
        return text.partition('name="csrf_token" value="')[2].partition('"')[0]


def made_stay(
    app: Flask,
    clock: FixedClock,
    house: House,
    *,
    guests: int = 1,
    locale: str = "en",
    check_in: date = CHECK_IN,
    check_out: date = CHECK_OUT,
    unit_id: str | None = None,
) -> Stay:
    """Book a room of a house for a guest, with a handbook around it and rules to agree to."""
    database: Database = app.extensions["pms.database"]
    unit_id = unit_id or house.free_room_id
    with database.writing(house.workspace_id) as session:
        set_stay_terms(
            Work(session, clock, OFFICE),
            rules_ja="22時以降はお静かに。",
            rules_en="Quiet after 22:00.",
        )
        link_id = create_check_in_link(
            Work(session, clock, OFFICE),
            unit_id=unit_id,
            check_in=check_in,
            check_out=check_out,
            guest_name="Emma Wilson",
            guests=guests,
            email="emma@example.com",
            locale=locale,
        )
        assert link_id
        entrance_id = add_handbook_page(
            Work(session, clock, OFFICE),
            building_id=house.building_id,
            written=written("玄関", "Entrance", ENTRANCE_CODE),
        )
        room_id, others_id = (
            add_unit_page(
                Work(session, clock, OFFICE), unit_id=room, written=written("鍵箱", "Key box", code)
            )
            for room, code in ((unit_id, ROOM_CODE), (house.residents_room_id, OTHER_CODE))
        )
        staff_id = add_handbook_page(
            Work(session, clock, OFFICE),
            building_id=house.building_id,
            written=written("事務所", "Safe of the office", STAFF_CODE, is_for_guests=False),
        )
        link = stay_link(session, link_id, clock.today())
        token = link.token(Signer(str(app.secret_key)))
    return Stay(
        token,
        link_id,
        link.reservation_id,
        house.workspace_id,
        entrance_id,
        room_id,
        others_id,
        staff_id,
    )


def written(ja: str, en: str, code: str, *, is_for_guests: bool = True) -> WrittenPage:
    """Return a page of a handbook with a code."""
    return WrittenPage(
        topic=HandbookTopic.ENTRANCE,
        title_ja=ja,
        title_en=en,
        body_ja="左の扉。",
        body_en="The door on the left.",
        guarded_code=code,
        is_for_guests=is_for_guests,
    )


def link_now(database: Database, clock: FixedClock, stay: Stay) -> StayLink:
    """Return the link of a stay as it is now."""
    with database.reading(stay.workspace_id) as session:
        return stay_link(session, stay.link_id, clock.today())


@pytest.fixture
def stay(app: Flask, clock: FixedClock, cast: Cast) -> Stay:
    """Sumida's guest, from the next day on."""
    return made_stay(app, clock, cast.sumida)


@pytest.fixture
def phone(client: FlaskClient, stay: Stay) -> Phone:
    """The telephone of Sumida's guest."""
    return Phone(client, stay)
