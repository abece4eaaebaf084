"""Operators look after the people of a workspace; everybody looks after themselves."""

import re

import pyotp
import pytest
from flask import Flask
from sqlalchemy import select

from pms.access.members import member_of_address
from pms.access.models import Person
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser

PASSWORD = "correct horse battery"


@pytest.fixture
def office_place(staff: Staff, database: Database, cast: Cast) -> str:
    """The id of the office worker's place."""
    with database.reading(cast.sumida.workspace_id) as session:
        return member_of_address(session, "office@sumida.example").id


def test_the_list_names_everyone_and_what_each_role_opens(operator: Browser) -> None:
    page = operator.get("/people?lang=en").text
    assert all(name in page for name in ("小川 智子", "岡田 誠", "林 さくら", "松本 剛"))
    assert "operator@minato.example" not in page
    assert page.count("No access to API keys, fees, team or") == 1


@pytest.mark.parametrize("path", ["/people", "/people/new"])
def test_people_are_for_operators(
    path: str, office: Browser, housekeeper: Browser, maintainer: Browser
) -> None:
    for browser in (office, housekeeper, maintainer):
        assert browser.get(path).status_code == 403
        assert (
            browser.post(
                "/people", {"email": "x@y.example", "role": "operator", "reach": "all"}
            ).status_code
            == 403
        )


def test_a_role_is_changed_and_shown(operator: Browser, office_place: str) -> None:
    assert "checked" in operator.get(f"/people/{office_place}/role").text
    answer = operator.post(f"/people/{office_place}/role", {"role": "maintenance", "reach": "all"})
    assert answer.status_code == 303
    assert (
        operator.post(f"/people/{office_place}/role", {"role": "king", "reach": "all"}).status_code
        == 422
    )


def test_a_member_is_removed_after_a_question(operator: Browser, office_place: str) -> None:
    assert "岡田 誠" in operator.get(f"/people/{office_place}/removal").text
    assert operator.post(f"/people/{office_place}/removal").status_code == 303
    assert "岡田 誠" not in operator.client.get("/dashboard/sumida/people").text.split("<table")[1]
    assert operator.get(f"/people/{office_place}/removal").status_code == 404


def test_the_last_operator_is_refused_in_place(
    operator: Browser, database: Database, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        own = member_of_address(session, "operator@sumida.example").id
    for path, fields in (
        (f"/people/{own}/removal", {}),
        (f"/people/{own}/role", {"role": "office", "reach": "all"}),
    ):
        answer = operator.post(path, fields, headers={"Accept-Language": "en"})
        assert answer.status_code == 422
        assert "You cannot remove the last operator" in answer.text
    assert operator.get("/people").status_code == 200


def test_name_and_language_are_changed(housekeeper: Browser) -> None:
    answer = housekeeper.post("/me", {"name": "林 桜", "locale": "en"})
    assert answer.location == "/dashboard/sumida/me?lang=en"
    assert "林 桜" in housekeeper.get("/me").text
    assert housekeeper.post("/me", {"name": " ", "locale": "en"}).status_code == 422


@pytest.fixture
def with_password(settings: Settings, database: Database, staff: Staff) -> None:
    with database.across_workspaces_writing() as session:
        person = session.get_one(Person, staff.operator_id)
        person.password_hash = Passwords(settings).hash_password(PASSWORD)


@pytest.mark.usefixtures("with_password")
def test_a_password_is_changed_by_who_knows_it_and_the_mail_says_so(
    operator: Browser, app: Flask, clock: FixedClock, staff: Staff, database: Database
) -> None:
    elsewhere = open_browser(app, clock, staff.operator_id, "sumida")
    new = {"newPassword": "another quiet river"}
    assert operator.post("/me/password", {"currentPassword": "x", **new}).status_code == 422
    assert elsewhere.get("/me").status_code == 200
    guessed = {"currentPassword": PASSWORD, "newPassword": "sumida-20260401"}
    answer = operator.post("/me/password?lang=en", guessed)
    assert answer.status_code == 422, "the name of their workspace with a day"
    assert "easy to guess" in answer.text
    assert operator.post("/me/password", {"currentPassword": PASSWORD, **new}).status_code == 303
    assert elsewhere.get("/me").status_code == 303
    assert operator.get("/me").status_code == 200
    with database.across_workspaces_reading() as session:
        mail = session.scalars(select(OutboxMail)).one()
    assert mail.recipient == "operator@sumida.example"
    assert "another quiet river" not in mail.text


@pytest.mark.usefixtures("with_password")
def test_guessing_the_current_password_is_slowed(operator: Browser) -> None:
    fields = {"currentPassword": "x", "newPassword": "another quiet river"}
    for _ in range(5):
        operator.post("/me/password", fields)
    answer = operator.post("/me/password", {**fields, "currentPassword": PASSWORD})
    assert answer.status_code == 422


@pytest.mark.usefixtures("with_password")
def test_a_second_factor_is_set_up_and_its_codes_shown_once(
    operator: Browser, clock: FixedClock, database: Database
) -> None:
    for typed in ({}, {"currentPassword": "x"}):
        assert operator.post("/me/second-factor", typed).status_code == 422
    assert "<code>" not in operator.get("/me/second-factor").text
    proof = {"currentPassword": PASSWORD}
    assert operator.post("/me/second-factor", proof).status_code == 303
    page = operator.get("/me/second-factor").text
    secret = re.search(r"<code>(\w{32})</code>", page)
    assert secret is not None
    assert 'src="data:image/svg+xml' in page
    digits = pyotp.TOTP(secret[1]).at(clock.now())
    assert operator.post("/me/second-factor/confirmation", {"code": "000000"}).status_code == 422
    found = operator.post("/me/second-factor/confirmation", {"code": digits})
    assert found.status_code == 201
    assert len(re.findall(r"\b[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}\b", found.text)) == 10
    assert secret[1] not in operator.get("/me/second-factor").text
    assert operator.post("/me/second-factor", proof).status_code == 422
    with database.across_workspaces_reading() as session:
        mail = session.scalars(select(OutboxMail)).one()
    assert mail.recipient == "operator@sumida.example"
    assert secret[1] not in mail.text


def test_who_has_no_password_confirms_by_a_mailed_code_before_a_second_factor(
    operator: Browser,
) -> None:
    assert operator.post("/me/second-factor?lang=en").status_code == 422
    page = operator.get("/me/second-factor?lang=en").text
    assert 'name="way" value="code"' in page
    assert 'value="/dashboard/sumida/me/second-factor"' in page
    assert 'action="/dashboard/sumida/me/second-factor"' not in page


def test_other_sessions_are_ended_one_by_one_and_all_at_once(
    operator: Browser, app: Flask, clock: FixedClock, staff: Staff
) -> None:
    others = [open_browser(app, clock, staff.operator_id, "sumida") for _ in range(2)]
    found = re.findall(r"/me/sessions/(\w{32})/revocation", operator.get("/me").text)
    assert len(found) == 2
    operator.post(f"/me/sessions/{found[0]}/revocation")
    assert sorted(other.get("/me").status_code for other in others) == [200, 303]
    operator.post("/me/sessions/revocation")
    assert {other.get("/me").status_code for other in others} == {303}
    assert operator.get("/me").status_code == 200


def test_of_many_sessions_this_one_and_the_latest_are_listed(
    operator: Browser, app: Flask, clock: FixedClock, staff: Staff
) -> None:
    for _ in range(14):
        open_browser(app, clock, staff.operator_id, "sumida")
    shown = operator.get("/me?lang=en").text
    assert len(re.findall(r"/me/sessions/\w{32}/revocation", shown)) == 11
    assert "this device" in shown
    assert "3 older sessions are not listed" in shown


def test_another_persons_session_counts_as_none(
    operator: Browser, app: Flask, clock: FixedClock, staff: Staff
) -> None:
    office = open_browser(app, clock, staff.office_id, "sumida")
    open_browser(app, clock, staff.office_id, "sumida")
    (other,) = re.findall(r"/me/sessions/(\w{32})/revocation", office.get("/me").text)
    assert operator.post(f"/me/sessions/{other}/revocation").status_code == 404
