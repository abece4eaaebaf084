"""One line a request, by which it is found again; never a credential."""

import io
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from flask import Flask
from flask.testing import FlaskClient

from pms.foundation import logs
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import is_id
from pms.foundation.settings import Settings
from pms.foundation.tokens import new_key
from tests.databases import settings_of_a_test
from tests.running.conftest import small_app

TOKEN = "Zx81kQpL0vBn72TrWcYd5A"  # 128 bits, as links carry them
Lines = Callable[[], list[dict[str, object]]]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The log needs no database; a probe that looks for one finds none."""
    return settings_of_a_test(tmp_path)


@pytest.fixture
def production(watched: Settings, database: Database, clock: FixedClock) -> Flask:
    return small_app(replace(watched, env="production"), database, clock)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_line_tells_who_asked_for_what_and_how_it_went(production: Flask, lines: Lines) -> None:
    answer = production.test_client().get("/units/kawasemi-101?email=hanako@example.jp")
    (line,) = lines()
    assert is_id(str(line["request_id"]))
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert isinstance(line.pop("milliseconds"), float)
    assert line == {
        "event": "request",
        "timestamp": "2026-11-20T03:00:00+00:00",
        "method": "GET",
        "path": "/units/kawasemi-101",
        "status": 200,
        "request_id": line["request_id"],
        "workspace": "a-workspace",
    }


def test_a_developer_reads_a_plain_line(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    client.get("/units/101", headers={"X-Request-Id": "trace-0001"})
    line = capsys.readouterr().out
    assert line.startswith("2026-11-20T03:00:00+00:00 GET /units/101 200 ")
    assert line.endswith(" ms workspace=a-workspace request_id=trace-0001\n")


def test_a_sane_incoming_id_is_kept(client: FlaskClient) -> None:
    answer = client.get("/healthz", headers={"X-Request-Id": "Edge.7f_3-a1b2"})
    assert answer.headers["X-Request-Id"] == "Edge.7f_3-a1b2"


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "<script>alert</script>", "ok ok ok ok"])
def test_an_insane_incoming_id_is_replaced(client: FlaskClient, given: str) -> None:
    answer = client.get("/healthz", headers={"X-Request-Id": given})
    assert is_id(answer.headers["X-Request-Id"])


def test_every_answer_carries_an_id_also_a_missing_page_and_a_crash(
    production: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    client = production.test_client()
    answers = [client.get("/nowhere"), client.post("/healthz"), client.get("/reserve/abc")]
    assert [answer.status_code for answer in answers] == [404, 405, 500]
    assert all(is_id(answer.headers["X-Request-Id"]) for answer in answers)


def test_probes_that_succeed_are_not_told_but_failing_ones_are(
    production: Flask, lines: Lines
) -> None:
    production.test_client().get("/healthz")
    assert lines() == []
    production.test_client().get("/readyz")
    assert [line["status"] for line in lines()] == [503]


@pytest.mark.parametrize(
    "path",
    [
        f"/check-in/{TOKEN}/house-rules",
        f"/sign-in/link/{TOKEN}",
        f"/owner/nowhere/sign-in/link/{TOKEN}",
        f"/reserve/{TOKEN}",
        f"/reserve/{TOKEN}/mistyped",
        f"/calendar/{TOKEN}.ics",
        f"/nowhere/{TOKEN}",
        f"/units/x?token={TOKEN}",
    ],
)
def test_a_link_that_signs_in_is_never_written(
    production: Flask, watched: Settings, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    logs.configure(replace(watched, env="production"))
    production.test_client().get(path)
    output = capsys.readouterr()
    assert output.out
    assert TOKEN not in output.out + output.err


def test_a_key_is_never_written_wherever_it_was_put(
    production: Flask, watched: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    key = new_key()
    logs.configure(replace(watched, env="production"))
    client = production.test_client()
    for path in (f"/units/{key}", f"/nowhere/{key}", f"/reserve/{key}", f"/units/a?key={key}"):
        client.get(path, headers={"Authorization": f"Bearer {key}", "Cookie": f"session={key}"})
    structlog.get_logger("pms.test").warning("key refused", key=key, header=f"Bearer {key}")
    logging.getLogger("gunicorn.error").error("bad header: Authorization: Bearer %s", key)
    output = capsys.readouterr()
    assert "key refused" in output.out
    assert "bad header" in output.out
    assert key not in output.out + output.err


@pytest.mark.parametrize("env", ["production", "development"])
def test_a_traceback_tells_the_lines_but_not_the_values(
    watched: Settings, capsys: pytest.CaptureFixture[str], env: str
) -> None:
    logs.configure(replace(watched, env=env))
    planted = "".join(["planted", "-", "password"])
    try:
        raise RuntimeError("cannot log in at postgresql://pms:" + planted + "@db/pms")
    except RuntimeError:
        structlog.get_logger("pms.test").exception("it broke", url=f"redis://:{planted}@valkey/0")
    output = capsys.readouterr().out
    assert "it broke" in output
    assert "raise RuntimeError" in output
    assert planted not in output


def test_masking_leaves_ordinary_addresses_alone() -> None:
    text = "redis://localhost:6379/0 https://example.jp:8443/a@b pms_requests_total"
    assert logs.mask_secrets(text) == text


def test_what_is_logged_inside_a_request_carries_its_id(
    production: Flask, watched: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(replace(watched, env="production"))
    production.test_client().get("/reserve/abc", headers={"X-Request-Id": "trace-0002"})
    output = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["request_id"] for line in output} == {"trace-0002"}
    assert [line.get("level") for line in output] == ["error", None]


def test_a_log_nobody_reads_any_more_spoils_no_answer(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert client.get("/units/101").status_code == 200
