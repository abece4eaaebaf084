"""Room 102 of Sumida offered to somebody, and the telephone they open the link with."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.offers.offer_links import create_reservation_link
from pms.workspaces.queries import all_workspaces
from tests.cast import Cast, House
from tests.talks import hold_talks

OFFICE = "person/okada"
MOVE_IN, CONTRACT_END = date(2026, 12, 20), date(2027, 5, 31)
DETAILS = {
    "name": "田中 一郎",
    "nameKana": "たなか いちろう",
    "email": "tanaka@example.jp",
    "phone": "０９０ー１２３４ー５６７８",
    "locale": "ja",
}
SIGNATURE = {"signature": "田中 一郎", "agreed": "y"}


@dataclass
class Phone:
    """An applicant's telephone: no account, no cookie worth anything, a link."""

    client: FlaskClient
    token: str
    link_id: str
    clock: FixedClock
    form_token: str = ""

    @property
    def home(self) -> str:
        """The address the link leads to."""
        return f"/reserve/{self.token}"

    def get(self, path: str = "", **options: Any) -> TestResponse:
        """Open a page of the link."""
        return self.client.get(self.home + path, **options)

    def post(self, path: str, fields: Mapping[str, object] | None = None) -> TestResponse:
        """Send a form with the link's token."""
        # It is the same on every page of the link.
        self.form_token = self.form_token or self.hidden("/details", "csrf_token")
        data = {"csrf_token": self.form_token, **(fields or {})}
        return self.client.post(self.home + path, data=data)

    def hidden(self, path: str, name: str) -> str:
        """Read what a form carries unseen."""
        return self.get(path).text.partition(f'name="{name}" value="')[2].partition('"')[0]

    def explain(self) -> None:
        """Agree to the prior explanation on the link, be explained it, and confirm having read it."""
        for _ in range(2):
            document = self.hidden("/explanation", "documentHash")
            self.post("/explanation", {"documentHash": document, "agreed": "y"})
            self.talk_with_staff()

    def talk_with_staff(self) -> None:
        """Have staff explain what waits for it, in every house."""
        database: Database = self.client.application.extensions["pms.database"]
        with database.across_workspaces_reading() as session:
            ids = [workspace.id for workspace in all_workspaces(session)]
        for workspace_id in ids:
            with database.writing(workspace_id) as session:
                hold_talks(session, self.clock)

    def sign(self, fields: Mapping[str, object] = SIGNATURE) -> TestResponse:
        """Sign the document that stands on the page now, its explanation confirmed before."""
        self.explain()
        document = self.hidden("/contract", "documentHash")
        return self.post("/contract", {"documentHash": document, **fields})


def made_phone(
    client: FlaskClient, clock: FixedClock, house: House, unit_id: str | None = None, **facts: Any
) -> Phone:
    """Offer a room of a house, the free one unless another is named."""
    app: Flask = client.application
    database: Database = app.extensions["pms.database"]
    usual = {"move_in_on": MOVE_IN, "contract_end_on": CONTRACT_END, "name": "田中", "locale": "en"}
    with database.writing(house.workspace_id) as session:
        made = create_reservation_link(
            Work(session, clock, OFFICE),
            unit_id=unit_id or house.free_room_id,
            signer=Signer(str(app.secret_key)),
            **{**usual, **facts},
        )
    return Phone(client, made.token, made.id, clock)


@pytest.fixture
def phone(client: FlaskClient, clock: FixedClock, cast: Cast) -> Phone:
    """The telephone of somebody who was offered Sumida's free room."""
    return made_phone(client, clock, cast.sumida)


@pytest.fixture
def elsewhere(client: FlaskClient, clock: FixedClock, cast: Cast) -> Phone:
    """The same room as Minato offers it."""
    return made_phone(client, clock, cast.minato)
