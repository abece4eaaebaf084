"""Someone who asks the JSON API with a key, and rows that are quick to make."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.access.keys import issue_key
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.ids import shape_id
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.surfaces.agent_api.gate import blueprint
from tests.cast import House, building, settle, unit

ROOT = "/api/agent"
PLENTY = 1_000_000
PEOPLE = frozenset({Scope.RESIDENTS_READ})
EVERYTHING_ELSE = frozenset(Scope) - PEOPLE


class Address(NamedTuple):
    """An address of the API below its root."""

    method: str
    path: str
    view: str
    scope: Scope


def addresses(app: Flask, methods: Collection[str] = ("GET", "POST")) -> list[Address]:
    """The addresses of the API that take one of the methods."""
    return [
        Address(method, rule.rule.removeprefix(ROOT), view, blueprint.checks[view].scope)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("agent_api.")
        for view in [rule.endpoint.removeprefix("agent_api.")]
        for method in methods
        if method in (rule.methods or ())
    ]


@dataclass(frozen=True)
class Asker:
    """One key in the hand of one client."""

    client: FlaskClient
    key: str

    @property
    def header(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def get(
        self, path: str, /, headers: Mapping[str, str] | None = None, **query: Any
    ) -> TestResponse:
        return self.client.get(
            ROOT + path, query_string=query or None, headers={**self.header, **(headers or {})}
        )

    def post(
        self, path: str, body: object = None, /, *, headers: Mapping[str, str] | None = None
    ) -> TestResponse:
        """Send a body as JSON, bytes as they are."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        usual = {"Content-Type": "application/json", **self.header}
        return self.client.post(ROOT + path, data=raw, headers={**usual, **(headers or {})})

    def created(self, path: str, body: object, /, **headers: str) -> Any:
        """Write something and return what is answered of it."""
        answer = self.post(path, body, headers=headers)
        content = answer.get_json()
        assert answer.status_code == 201, content
        assert set(content) == {"ok", "data"}
        assert content["ok"] is True
        assert answer.headers["Cache-Control"] == "no-store"
        return content["data"]

    def data(self, path: str, /, **query: Any) -> Any:
        answer = self.get(path, **query)
        body = answer.get_json()
        assert answer.status_code == 200, body
        assert set(body) == {"ok", "data"}
        assert body["ok"] is True
        return body["data"]

    def units(self, **query: Any) -> list[Any]:
        found: list[Any] = self.data("/properties", **query)["units"]
        return found

    def names(self, **query: Any) -> list[str]:
        return [unit["name"] for unit in self.units(**query)]

    def refused(self, path: str, /, **query: Any) -> str:
        answer = self.get(path, **query)
        assert answer.status_code == 400, answer.text
        return error_of(answer)

    def not_found(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 404, answer.text
        return error_of(answer)


_numbers = count(1)


def next_id() -> str:
    """An id that sorts after every one before it, also within a millisecond."""
    return shape_id(1_790_000_000_000 + next(_numbers), 0)


def error_of(answer: TestResponse) -> str:
    """The message of a refusal, which is all there is in it."""
    body = answer.get_json()
    assert set(body) == {"error"}, body
    assert answer.mimetype == "application/json"
    message = body["error"]
    assert isinstance(message, str)
    assert message
    return message


def asker(
    client: FlaskClient,
    database: Database,
    clock: Clock,
    workspace_id: str,
    scopes: frozenset[Scope] = EVERYTHING_ELSE,
    *,
    budget: int = PLENTY,
) -> Asker:
    with database.writing(workspace_id) as session:
        issued = issue_key(
            Work(session, clock, "staff"),
            name="test",
            scopes=sorted(scopes),
            budget_per_hour=budget,
        )
    return Asker(client, issued.plaintext)


def store(database: Database, workspace_id: str, *rows: Any) -> None:
    """Store rows, each before those that point at it; later rows have later ids."""
    with database.writing(workspace_id) as session:
        for row in rows:
            row.id = row.id or next_id()
            session.add(row)
            session.flush()


@dataclass(frozen=True)
class Home:
    """A workspace that has nothing but one building."""

    database: Database
    workspace_id: str
    building_id: str

    def store(self, *rows: Any) -> None:
        store(self.database, self.workspace_id, *rows)

    def unit(self, name: str, **given: Any) -> str:
        """Store a unit and return its id."""
        id_ = given.pop("id", None) or next_id()
        usual = {"building_id": self.building_id, "slug": f"unit-{id_}", "name": name}
        self.store(unit(id=id_, **usual | given))
        return str(id_)


def empty_home(database: Database, slug: str = "home") -> Home:
    from tests.cast import workspace

    with database.across_workspaces_writing() as session:
        founded = workspace(slug=slug, name="ホーム")
        session.add(founded)
        session.flush()
        workspace_id = founded.id
    building_id = next_id()
    store(database, workspace_id, building(id=building_id, slug="kawasemi", name="カワセミ荘"))
    return Home(database, workspace_id, building_id)


def another_house(database: Database, slug: str) -> House:
    return settle(database, slug, "別の会社", "高橋 健", "タカハシ ケン")
