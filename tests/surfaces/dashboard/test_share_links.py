"""The office and maintenance share a project with a contractor and take the link back."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import add_unit_page
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.upkeep.projects import WantedProject, open_project
from tests.cast import CONTRACTOR, Cast
from tests.staff import Browser

_LINK = re.compile(r"(/contractor/[^<\"\s]+)</code>")
_ID = re.compile(r"/share-links/([0-9a-f]{32})")
FIELDS = {
    "contractorName": CONTRACTOR,
    "contractorPhone": "03-1234-5678",
    "locale": "ja",
    "expiresOn": "2026-12-20",
    "hourlyYen": "3,500",
}


@pytest.fixture
def project_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """A leak in room 101."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        written = WrittenPage(
            title_ja="鍵箱", title_en="Key box", body_ja="", body_en="", guarded_code="0451"
        )
        add_unit_page(
            Work(session, clock, "staff"), unit_id=house.residents_room_id, written=written
        )
        wanted = WantedProject(
            title="101 水漏れ", building_id=house.building_id, unit_id=house.residents_room_id
        )
        return open_project(Work(session, clock, "staff"), wanted=wanted)


def test_making_a_link_says_what_it_exposes(office: Browser, project_id: str) -> None:
    asked = office.get(f"/projects/{project_id}/share-links/new?lang=en")
    assert asked.status_code == 200
    assert "entrance codes and Wi-Fi passwords (2)" in asked.text
    assert "Kawasemi House 101 (2 pages)" in asked.text
    assert "Read the reports, without names, and whether you" in asked.text
    assert 'value="2026-12-20"' in asked.text, "it ends by itself unless one says otherwise"


def test_a_link_is_shown_once_and_works(
    office: Browser, client: FlaskClient, project_id: str
) -> None:
    made = office.post(f"/projects/{project_id}/share-links/new", FIELDS)
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    assert "copies.js" in made.text
    link, link_id = _LINK.findall(made.text)[0], _ID.findall(made.text)[0]
    opened = client.get(link)
    assert opened.status_code == 200
    assert "101 水漏れ" in opened.text
    again = office.get(f"/share-links/{link_id}")
    assert link not in again.text
    assert CONTRACTOR in again.text
    assert "tel:0312345678" in again.text


def test_what_is_refused_keeps_what_was_typed(office: Browser, project_id: str) -> None:
    path = f"/projects/{project_id}/share-links/new?lang=en"
    for wrong in (
        {"contractorName": ""},
        {"expiresOn": "2020-01-01"},
        {"hourlyYen": "3,50"},
        {"contractorPhone": "call me"},
        {"locale": "fr"},
    ):
        answer = office.post(path, FIELDS | wrong)
        assert answer.status_code == 422, wrong
        assert "error-summary" in answer.text
        if "contractorName" not in wrong:
            assert CONTRACTOR in answer.text


def test_a_revoked_link_opens_nothing_from_the_next_request_on(
    maintainer: Browser, client: FlaskClient, project_id: str
) -> None:
    made = maintainer.post(f"/projects/{project_id}/share-links/new", FIELDS)
    link, link_id = _LINK.findall(made.text)[0], _ID.findall(made.text)[0]
    assert client.get(link).status_code == 200
    check = maintainer.get(f"/share-links/{link_id}/revocation?lang=en")
    assert "This cannot be undone." in check.text
    assert "Entrance codes they saw still work" in check.text
    assert client.get(link).status_code == 200, "asking takes nothing back"
    assert maintainer.post(f"/share-links/{link_id}/revocation").status_code == 303
    assert client.get(link).status_code == 410
    assert "Revoked" in maintainer.get(f"/share-links/{link_id}?lang=en").text


def test_a_new_link_takes_the_words_of_the_lost_one(office: Browser, project_id: str) -> None:
    made = office.post(f"/projects/{project_id}/share-links/new", FIELDS)
    link_id = _ID.findall(made.text)[0]
    again = office.get(f"/projects/{project_id}/share-links/new?of={link_id}")
    assert CONTRACTOR in again.text
    assert 'value="3500"' in again.text


def test_the_page_of_the_project_lists_its_links(office: Browser, project_id: str) -> None:
    assert "share-links" in office.get(f"/projects/{project_id}").text
    office.post(f"/projects/{project_id}/share-links/new", FIELDS)
    shown = office.get(f"/projects/{project_id}?lang=en").text
    assert CONTRACTOR in shown
    assert "never opened" in shown


def test_housekeeping_shares_nothing(housekeeper: Browser, project_id: str) -> None:
    assert housekeeper.get(f"/projects/{project_id}/share-links/new").status_code == 403
    assert housekeeper.post(f"/projects/{project_id}/share-links/new", FIELDS).status_code == 403


def test_what_a_contractor_did_is_told_by_their_name(
    office: Browser, app: Flask, project_id: str
) -> None:
    made = office.post(f"/projects/{project_id}/share-links/new", FIELDS)
    link = _LINK.findall(made.text)[0]
    phone = app.test_client()
    token = phone.get(f"{link}/hours").text.partition('name="csrf_token" value="')[2][:32]
    sent = {"csrf_token": token, "minutes": "2", "workedOn": "2026-11-20"}
    assert phone.post(f"{link}/hours", data=sent).status_code == 303
    assert CONTRACTOR in office.get(f"/projects/{project_id}").text
