"""Following an invitation in a browser."""

import re

import pytest
from flask import Flask
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.auth.conftest import Stranger

pytestmark = pytest.mark.differs("one journey through each surface")

NEW = {"name": "新井 舞", "newPassword": "quiet river house"}


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)


def link_in_the_mail(database: Database) -> str:
    with database.across_workspaces_reading() as session:
        mail = session.scalars(select(OutboxMail).order_by(OutboxMail.id.desc())).first()
    assert mail is not None
    found = re.search(r"(/invitations/\S+)", mail.text)
    assert found is not None
    return found[1]


def test_an_invitation_leads_somebody_new_into_the_workspace(
    operator: Browser, stranger: Stranger, database: Database
) -> None:
    operator.post("/people", {"email": "mai@new.example", "role": "housekeeping", "reach": "all"})
    link = link_in_the_mail(database)
    page = stranger.opens(link)
    assert page.status_code == 200
    assert "mai@new.example" in page.text
    assert page.headers["X-Robots-Tag"] == "noindex"
    weak = stranger.sends(link, NEW | {"newPassword": "short"})
    assert weak.status_code == 422
    assert "新井 舞" in weak.text
    assert stranger.sends(link, NEW).location == "/workspaces"
    assert stranger.opens("/workspaces").location == "/dashboard/sumida/"
    assert stranger.opens("/dashboard/sumida/people").status_code == 403
    assert stranger.opens(link).status_code == 410


def test_a_known_person_joins_signed_in_and_then_chooses_the_workspace(
    operator: Browser, stranger: Stranger, other_browser: Stranger, database: Database
) -> None:
    operator.post("/people", {"email": "operator@minato.example", "role": "office", "reach": "all"})
    link = link_in_the_mail(database)
    assert stranger.sends(link, {}).status_code == 422
    page = stranger.opens(f"{link}?lang=en").text
    assert "Sign in as operator@minato.example" in page
    assert f"next={link}" in page
    other_browser.signs_in(email="office@sumida.example")
    assert other_browser.sends(link, {}).status_code == 422
    shown = other_browser.opens(f"{link}?lang=en").text
    assert "You are signed in as office@sumida.example" in shown
    stranger.signs_in(email="operator@minato.example")
    assert stranger.sends(link, {}).location == "/dashboard/sumida/"
    chooser = stranger.opens("/workspaces")
    assert chooser.status_code == 200
    assert all(f"/dashboard/{slug}/" in chooser.text for slug in ("sumida", "minato"))
    assert stranger.opens("/dashboard/sumida/").status_code == 200
    assert stranger.opens("/dashboard/sumida/people").status_code == 403
    assert stranger.opens("/dashboard/minato/people").status_code == 200


def test_an_invitation_taken_back_opens_nothing(
    operator: Browser, stranger: Stranger, database: Database
) -> None:
    operator.post("/people", {"email": "mai@new.example", "role": "office", "reach": "all"})
    link = link_in_the_mail(database)
    found = re.search(r"/people/invitations/(\w{32})/revocation", operator.get("/people").text)
    assert found is not None
    operator.post(f"/people/invitations/{found[1]}/revocation")
    assert stranger.opens(link).status_code == 410
    assert stranger.sends(link, NEW).status_code == 410
