"""A resident and an owner of Sumida, signed in or not, and the mail that reaches them."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.catalogue.models import Owner
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.outbox import send_codes
from pms.jobs.runs import Tools
from pms.rules.enumerations import UserKind
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import books

__all__ = ["books"]

OWNER = "owner@sumida.example.jp"
_ENGLISH = {"Accept-Language": "en"}
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Visitor:
    """A browser that is not signed in to a portal."""

    def __init__(self, client: FlaskClient, home: str) -> None:
        self.client = client
        self.home = home

    def opens(self, path: str) -> TestResponse:
        """Open a page by its whole path."""
        return self.client.get(path, headers=_ENGLISH)

    def sends(self, path: str, fields: dict[str, str]) -> TestResponse:
        """Send a form with the token of the sign-in page."""
        token = _TOKEN.search(self.client.get(f"{self.home}/sign-in?next=/x").text)
        data = {"csrf_token": token[1] if token else "", **fields}
        return self.client.post(path, data=data, headers=_ENGLISH)

    def asks(self, address: str, back: str = "") -> str:
        """Ask for a code; return where its page is."""
        answer = self.sends(f"{self.home}/sign-in", {"email": address, "next": back})
        assert answer.status_code == 303, answer.text
        return str(answer.location)

    def types(self, screen: str, digits: str) -> TestResponse:
        """Type the digits of a mail."""
        return self.sends(screen, {"pin": digits})


class Post:
    """What the worker has mailed."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def mails(self) -> list[OutboxMail]:
        """Let the worker mail what was asked for; return every mail there is."""
        send_codes(self._tools)
        with self._tools.database.across_workspaces_reading() as session:
            return list(session.scalars(select(OutboxMail).order_by(OutboxMail.id)))

    def digits(self) -> str:
        """Return the digits of the newest mail."""
        return self.mails()[-1].subject[:6]


@pytest.fixture
def visitor(app: Flask, cast: Cast) -> Visitor:
    return Visitor(app.test_client(), f"/resident/{cast.sumida.slug}")


@pytest.fixture
def another_browser(app: Flask, cast: Cast) -> Visitor:
    return Visitor(app.test_client(), f"/resident/{cast.sumida.slug}")


@pytest.fixture
def owner_visitor(app: Flask, database: Database, cast: Cast) -> Visitor:
    with database.writing(cast.sumida.workspace_id) as session:
        for one in session.scalars(select(Owner)):
            one.email = OWNER
    return Visitor(app.test_client(), f"/owner/{cast.sumida.slug}")


@pytest.fixture
def resident(app: Flask, clock: FixedClock, cast: Cast) -> Browser:
    """The resident of Sumida's room 101, signed in."""
    house = cast.sumida
    return open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )


@pytest.fixture
def stranger(app: Flask, clock: FixedClock, cast: Cast) -> Browser:
    """The resident of Minato, signed in there, whose browser tries the addresses of Sumida."""
    house = cast.minato
    browser = open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    browser.home = f"/resident/{cast.sumida.slug}"
    return browser


@pytest.fixture
def post(settings: Settings, database: Database, clock: FixedClock) -> Post:
    """The worker's mail."""
    return Post(Tools(settings, database, clock, choose_postbox(settings)))
