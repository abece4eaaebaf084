"""What a client is told, and what Flask-Limiter is made to do for it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_limiter import Limiter

from pms.foundation.budget import last_requests, open_storage
from pms.foundation.budget.rolling_window import RollingWindowStorage
from pms.foundation.budget.sqlite import SqliteBudget
from pms.foundation.clock import FixedClock
from pms.surfaces.limits import RollingWindow
from tests.budget.conftest import settings_with
from tests.budget.tiny import tiny_app

NOON = datetime(2026, 6, 10, 3, tzinfo=UTC)


@dataclass
class Service:
    app: Flask
    client: FlaskClient
    clock: FixedClock
    limiter: Limiter


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    clock = FixedClock(NOON)
    app = tiny_app(settings_with(tmp_path), clock)
    (limiter,) = app.extensions["limiter"]
    yield Service(app, app.test_client(), clock, limiter)
    cast(RollingWindowStorage, limiter.storage).close()


def test_every_answer_tells_the_budget(service: Service) -> None:
    answer = service.client.get("/keys/k?budget=3")
    assert answer.status_code == 200
    facts = {name: answer.headers[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")}
    assert facts == {"Limit": "3", "Remaining": "2", "Reset": "3600"}
    assert "Retry-After" not in answer.headers


def test_a_refusal_tells_when_to_come_back(service: Service) -> None:
    service.client.get("/keys/k?budget=1")
    service.clock.advance(timedelta(minutes=10))
    answer = service.client.get("/keys/k?budget=1")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "3600"
    assert answer.headers["RateLimit-Remaining"] == "0"
    assert answer.headers["RateLimit-Reset"] == "3000"
    assert "1 requests an hour" in json.loads(answer.data)["error"]


def test_the_clock_of_the_program_decides(service: Service) -> None:
    service.client.get("/keys/k?budget=1")
    service.clock.advance(timedelta(hours=1))
    assert service.client.get("/keys/k?budget=1").status_code == 200


def test_a_changed_budget_keeps_the_history(service: Service) -> None:
    for _ in range(300):
        service.client.get("/keys/k?budget=300")
    assert service.client.get("/keys/k?budget=500").headers["RateLimit-Remaining"] == "199"


def test_a_request_without_a_key_is_neither_counted_nor_told(service: Service) -> None:
    answer = service.client.get("/free")
    assert not [name for name, _ in answer.headers if name.startswith("RateLimit")]


def test_flask_limiter_holds_our_storage_and_our_strategy(service: Service) -> None:
    assert service.limiter.initialized
    assert service.limiter in service.app.extensions["limiter"]
    assert isinstance(service.limiter.storage, SqliteBudget)
    assert isinstance(service.limiter.limiter, RollingWindow)


def test_a_command_may_ask_when_a_key_was_last_used(service: Service, tmp_path: Path) -> None:
    service.client.get("/keys/k?budget=3")
    storage = open_storage(settings_with(tmp_path))
    assert last_requests(storage, ["k", "never"]) == {"k": NOON}
    storage.close()


def test_a_decorated_route_may_use_the_same_storage(service: Service) -> None:
    service.app.add_url_rule(
        "/codes", "codes", service.limiter.limit("2/hour", key_func=lambda: "c")(lambda: "sent")
    )
    answers = [service.client.get("/codes").status_code for _ in range(3)]
    assert answers == [200, 200, 429]
