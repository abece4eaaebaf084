"""Later workspaces by sign-up with a confirmed address, where the installation allows it."""

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import select

from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from tests.cast import Cast
from tests.staff import Staff
from tests.surfaces.auth.conftest import OPERATOR, Stranger
from tests.surfaces.auth.test_openings import NEW, slugs


@pytest.fixture
def allowed(app: Flask, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        app.extensions["pms.database"], "settings", replace(database.settings, sign_up=True)
    )


def mailed(database: Database) -> list[OutboxMail]:
    with database.across_workspaces_reading() as session:
        return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))


def link(mail: OutboxMail) -> str:
    return (
        next(line for line in mail.text.splitlines() if "/open/" in line)
        .partition("//")[2]
        .partition("/")[2]
    )


def test_nobody_signs_up_where_it_is_not_allowed(stranger: Stranger, cast: Cast) -> None:
    assert stranger.opens("/sign-up").status_code == 404
    assert "/sign-up" not in stranger.opens("/sign-in").text


def test_a_confirmed_address_opens_a_workspace_for_itself_alone(
    stranger: Stranger, database: Database, cast: Cast, allowed: None
) -> None:
    assert "/sign-up" in stranger.opens("/sign-in").text
    assert stranger.sends("/sign-up", {"email": "nobody"}).status_code == 422
    asked = stranger.sends("/sign-up?lang=en", {"email": "New@one.example"})
    assert "this address can be used, we have sent" in asked.text
    (mail,) = mailed(database)
    assert (mail.recipient, mail.is_urgent) == ("new@one.example", True)
    assert mail.sender_name == "Property Management Service"
    assert mail.subject == "Property Management Service: open your workspace"
    assert cast.sumida.slug not in mail.text
    page = f"/{link(mail)}"
    assert 'value="new@one.example"' in stranger.opens(page).text
    typed = NEW | {"email": "other@two.example"}
    assert stranger.sends(page, typed).location == "/dashboard/tokyo-sumai/"
    assert "new@one.example" in stranger.opens("/dashboard/tokyo-sumai/people").text
    assert "tokyo-sumai" in slugs(database)


def test_the_answer_tells_nothing_and_asking_often_mails_nothing(
    stranger: Stranger, database: Database, staff: Staff, allowed: None
) -> None:
    answers = {
        stranger.sends("/sign-up?lang=en", {"email": email}).text.partition("<main")[2]
        for email in (OPERATOR, "new@one.example", "third@one.example", "fourth@one.example")
    }
    assert len(answers) == 1
    assert len(mailed(database)) == 3
