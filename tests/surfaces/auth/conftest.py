"""A browser that is not signed in, with the tokens of its forms, and the mail that reaches people."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.access.models import Person
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.outbox import send_codes
from pms.jobs.runs import Tools
from tests.staff import Staff

OPERATOR = "operator@sumida.example"
PASSWORD = "correct horse battery"
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Stranger:
    """A browser that nobody has signed in with yet."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def opens(self, path: str, **options: Any) -> TestResponse:
        return self.client.get(path, **options)

    def sends(self, path: str, fields: dict[str, str], **options: Any) -> TestResponse:
        """Send a form with the token its page carries."""
        token = _TOKEN.search(self.client.get("/sign-in?next=/x").text) or _TOKEN.search(
            self.client.get("/workspaces", follow_redirects=True).text
        )
        data = {"csrf_token": token[1] if token else "", **fields}
        return self.client.post(path, data=data, **options)

    def signs_in(
        self, password: str = PASSWORD, email: str = OPERATOR, **more: str
    ) -> TestResponse:
        return self.sends(
            "/sign-in", {"email": email, "password": password, "way": "password", **more}
        )

    def asks_for_a_pin(self, email: str = OPERATOR, **more: str) -> TestResponse:
        return self.sends("/sign-in", {"email": email, "way": "code", **more})

    def types_the_pin(self, page: str, digits: str) -> TestResponse:
        return self.sends(page, {"pin": digits})


class Post:
    """What the worker has mailed."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def pin(self) -> str:
        """Let the worker mail what was asked for; return the digits of the newest mail."""
        send_codes(self._tools)
        with self._tools.database.across_workspaces_reading() as session:
            mails = session.scalars(select(OutboxMail).order_by(OutboxMail.id)).all()
        found = re.match(r"\d{6}", mails[-1].subject)
        assert found is not None
        return found[0]

    def link(self) -> str:
        """Let the worker mail what was asked for; return the path of the link in the newest mail."""
        send_codes(self._tools)
        with self._tools.database.across_workspaces_reading() as session:
            mails = session.scalars(select(OutboxMail).order_by(OutboxMail.id)).all()
        found = re.search(r"https?://[^/]+(/\S+)", mails[-1].text)
        assert found is not None
        return found[1]

    def count(self) -> int:
        send_codes(self._tools)
        with self._tools.database.across_workspaces_reading() as session:
            return len(session.scalars(select(OutboxMail)).all())


@pytest.fixture
def staff(settings: Settings, database: Database, staff: Staff) -> Staff:
    """Everyone on a staff, with the same password."""
    kept = Passwords(settings).hash_password(PASSWORD)
    with database.across_workspaces_writing() as session:
        for person in session.scalars(select(Person)):
            person.password_hash = kept
    return staff


@pytest.fixture
def stranger(app: Flask, staff: Staff) -> Stranger:
    """A browser that is not signed in."""
    return Stranger(app.test_client())


@pytest.fixture
def other_browser(app: Flask, staff: Staff) -> Stranger:
    """Another one."""
    return Stranger(app.test_client())


@pytest.fixture
def post(settings: Settings, database: Database, clock: FixedClock) -> Post:
    """The worker's mail."""
    assert Files(settings) is not None
    return Post(Tools(settings, database, clock, choose_postbox(settings)))
