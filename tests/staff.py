"""The staff of both workspaces, and their browsers: signed in, with the token forms carry.

Sumida has an operator, an office worker, a housekeeper and a maintenance worker; Minato's
operator is the stranger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer
from werkzeug.test import TestResponse

from pms.access.models import Member, Person
from pms.access.session_openings import open_staff_session
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.rules.enumerations import Proof, StaffRole
from tests.cast import Cast, House

_SINCE = datetime(2026, 4, 1, 0, 0, tzinfo=UTC)
_FORM_TOKEN = "0123456789abcdef" * 4
NAMES = {
    StaffRole.OPERATOR: "小川 智子",
    StaffRole.OFFICE: "岡田 誠",
    StaffRole.HOUSEKEEPING: "林 さくら",
    StaffRole.MAINTENANCE: "松本 剛",
}


@dataclass(frozen=True)
class Staff:
    """Who works where: the id of each person."""

    operator_id: str
    office_id: str
    housekeeping_id: str
    maintenance_id: str
    stranger_id: str

    def of_role(self, role: StaffRole) -> str:
        """Return Sumida's person of a role."""
        found: str = getattr(self, f"{role}_id")
        return found


def introduce_staff(database: Database, cast: Cast) -> Staff:
    """Store the staff of both workspaces."""
    ids = {role: _employ(database, cast.sumida, role) for role in StaffRole}
    return Staff(
        ids[StaffRole.OPERATOR],
        ids[StaffRole.OFFICE],
        ids[StaffRole.HOUSEKEEPING],
        ids[StaffRole.MAINTENANCE],
        _employ(database, cast.minato, StaffRole.OPERATOR),
    )


def _employ(database: Database, house: House, role: StaffRole) -> str:
    person = Person(
        email=f"{role}@{house.slug}.example", name=NAMES[role], created_at=_SINCE, locale="ja"
    )
    with database.across_workspaces_writing() as session:
        session.add(person)
        session.flush()
        person_id = person.id
    with database.writing(house.workspace_id) as session:
        session.add(Member(person_id=person_id, role=role, accepted_at=_SINCE))
    return person_id


class Browser:
    """A signed-in person's browser at the dashboard of a workspace."""

    def __init__(
        self, client: FlaskClient, slug: str, form_token: str, base_url: str = "http://localhost"
    ) -> None:
        self.client = client
        self.base_url = base_url
        self.home = f"/dashboard/{slug}"
        self.form_token = form_token

    def get(self, path: str, **options: Any) -> TestResponse:
        """Open a page below the dashboard, or any page by its whole path after a colon."""
        return self.client.get(self.home + path, base_url=self.base_url, **options)

    def block(self, path: str, **options: Any) -> TestResponse:
        """Ask for part of a page, as htmx does."""
        headers = {"HX-Request": "true", **options.pop("headers", {})}
        return self.get(path, headers=headers, **options)

    def post(
        self, path: str, fields: Mapping[str, Any] | None = None, **options: Any
    ) -> TestResponse:
        """Send a form with its token."""
        data = {"csrf_token": self.form_token, **(fields or {})}
        return self.client.post(self.home + path, data=data, **options)


def open_browser(
    app: Flask, clock: Clock, person_id: str, slug: str, *, is_secure: bool = False
) -> Browser:
    """Return the browser of a person who has signed in."""
    database: Database = app.extensions["pms.database"]
    with database.across_workspaces_writing() as session:
        person = session.get_one(Person, person_id)
        opened = open_staff_session(
            session, clock, person, proof=Proof.PASSWORD, device="test", is_whole=True
        )
    client = app.test_client()
    address = "https://127.0.0.1" if is_secure else "http://localhost"
    with client.session_transaction(base_url=address) as cookie:
        cookie["_user_id"] = f"{opened.user_kind}:{opened.token}"
        cookie["csrf_token"] = _FORM_TOKEN
        cookie.permanent = True
    signer = URLSafeTimedSerializer(str(app.secret_key), salt="wtf-csrf-token")
    return Browser(client, slug, str(signer.dumps(_FORM_TOKEN)), address)
