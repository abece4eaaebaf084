"""The probes tell the truth: up, ready, or what is wrong."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.readiness import WORKER, beat
from pms.foundation.settings import Settings
from tests.running.conftest import METRICS_TOKEN, small_app
from tests.servers.ports import free_port

STRANGER = {"REMOTE_ADDR": "192.0.2.7"}


def let_the_worker_beat(database: Database, clock: FixedClock) -> None:
    with database.across_workspaces_writing() as session:
        beat(session, WORKER, clock)


def test_the_process_is_up_whatever_else_is_broken(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"ok": True})


@pytest.mark.differs("readiness")
def test_it_is_ready_when_database_migration_and_worker_are_well(
    client: FlaskClient, database: Database, clock: FixedClock
) -> None:
    let_the_worker_beat(database, clock)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json is not None
    assert {name: check["ok"] for name, check in answer.json["checks"].items()} == {
        "database": True,
        "migration": True,
        "worker": True,
        "disk": True,
    }


def test_it_is_not_ready_before_a_worker_was_seen(client: FlaskClient) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["checks"]["worker"] == {
        "ok": False,
        "detail": "no worker has ever been seen",
        "remedy": "Start `pms worker` (or `pms run`), and read its log.",
    }


@pytest.mark.differs("readiness")
def test_it_stops_being_ready_when_the_worker_falls_silent(
    client: FlaskClient, database: Database, clock: FixedClock
) -> None:
    let_the_worker_beat(database, clock)
    clock.advance(timedelta(seconds=90))
    assert client.get("/readyz").status_code == 200
    clock.advance(timedelta(seconds=1))
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "last seen 91 s ago" in answer.text


def test_it_is_not_ready_on_a_database_of_another_migration(
    watched: Settings, clock: FixedClock, tmp_path: Path, sqlite_template: Path
) -> None:
    path = shutil.copy(sqlite_template, tmp_path / "another.sqlite3")
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.execute("UPDATE alembic_version SET version_num = '0001'")
    other = replace(watched, database_url=f"sqlite:///{path}")
    database = Database(other)
    answer = small_app(other, database, clock).test_client().get("/readyz")
    database.dispose()
    assert answer.status_code == 503
    assert "Run `pms migrate`." in answer.text


def test_it_is_not_ready_without_a_database_and_quotes_no_statement(
    watched: Settings, clock: FixedClock, tmp_path: Path
) -> None:
    nowhere = replace(watched, database_url=f"sqlite:///{tmp_path}/nowhere/pms.sqlite3")
    answer = small_app(nowhere, Database(nowhere), clock).test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json is not None
    assert answer.json["checks"]["database"]["detail"] == "unable to open database file"


def test_it_names_the_valkey_that_does_not_answer(
    watched: Settings, database: Database, clock: FixedClock
) -> None:
    let_the_worker_beat(database, clock)
    other = replace(watched, redis_url=f"redis://127.0.0.1:{free_port()}/0")
    elsewhere = Database(other)
    answer = small_app(other, elsewhere, clock).test_client().get("/readyz")
    elsewhere.dispose()
    assert answer.status_code == 503
    assert answer.json is not None
    assert "Valkey does not answer" in answer.json["checks"]["request budget"]["detail"]


def test_metrics_are_shown_on_the_machine_itself(client: FlaskClient) -> None:
    client.get("/units/kawasemi-101")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert 'pms_requests_total{method="GET",route="auth.unit",status="200"}' in answer.text
    assert 'pms_ready{part="worker"} 0.0' in answer.text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-Ip"])
def test_a_stranger_behind_a_proxy_on_the_machine_finds_no_metrics(
    client: FlaskClient, header: str
) -> None:
    assert client.get("/metrics", headers={header: "192.0.2.7"}).status_code == 404


def test_a_stranger_finds_no_metrics(client: FlaskClient) -> None:
    assert client.get("/metrics", environ_base=STRANGER).status_code == 404
    wrong = {"Authorization": "Bearer operators-only-tokem"}
    assert client.get("/metrics", environ_base=STRANGER, headers=wrong).status_code == 404


def test_an_operator_with_the_token_finds_them_from_anywhere(client: FlaskClient) -> None:
    token = {"Authorization": f"Bearer {METRICS_TOKEN}", "X-Forwarded-For": "192.0.2.7"}
    assert client.get("/metrics", environ_base=STRANGER, headers=token).status_code == 200


def test_without_a_token_set_nobody_is_let_in(
    settings: Settings, database: Database, clock: FixedClock
) -> None:
    client = small_app(replace(settings, metrics_token=None), database, clock).test_client()
    for given in ("Bearer ", "Bearer None", "Bearer"):
        answer = client.get("/metrics", environ_base=STRANGER, headers={"Authorization": given})
        assert answer.status_code == 404
