"""Which pages a browser may keep, whose copies they are, and what waiting taps are answered."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import StaffRole, TaskState
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.upkeep.task_desk import added, read

KEPT = "Offline-Copy"


def test_pages_of_work_alone_may_be_kept(
    database: Database, clock: FixedClock, cast: Cast, operator: Browser
) -> None:
    task_id = added(database, clock, cast.sumida)
    for path in ("/work", f"/tasks/{task_id}"):
        assert operator.get(path).headers[KEPT].endswith(f" {cast.sumida.slug} en")
    for path in ("/", "/reservations", "/owners", "/billing", "/units", "/chart", "/me", "/search"):
        assert KEPT not in operator.get(path).headers, path


def test_the_day_is_kept_by_those_who_work_on_site(
    app: Flask, clock: FixedClock, cast: Cast, staff: Staff
) -> None:
    for role in StaffRole:
        browser = open_browser(app, clock, staff.of_role(role), cast.sumida.slug)
        is_on_site = role in (StaffRole.HOUSEKEEPING, StaffRole.MAINTENANCE)
        assert (KEPT in browser.get("/").headers) is is_on_site
        assert ("Offline-Tasks" in browser.get("/work").headers) is is_on_site


def test_neither_parts_nor_refusals_are_kept(operator: Browser) -> None:
    assert KEPT not in operator.block("/work").headers
    assert KEPT not in operator.get("/work?day=soon").headers
    assert KEPT not in operator.get("/tasks/nothing").headers


def test_copies_of_two_people_are_told_apart(
    app: Flask, clock: FixedClock, cast: Cast, staff: Staff, operator: Browser
) -> None:
    other = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    assert operator.get("/work").headers[KEPT] != other.get("/work").headers[KEPT]
    assert staff.operator_id not in operator.get("/work").headers[KEPT]


def test_waiting_taps_are_given_a_token_and_told_whose_they_are(operator: Browser) -> None:
    answer = operator.get("/sync")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json is not None
    kept = operator.get("/work").headers[KEPT]
    assert kept == f"{answer.json['holder']} en"
    assert f'data-holder="{answer.json["holder"]}"' in operator.get("/work").text
    sent = operator.client.post(
        f"{operator.home}/tasks/nothing/notes", headers={"X-CSRFToken": answer.json["token"]}
    )
    assert sent.status_code == 404


def test_a_tap_that_was_withdrawn_counts_for_nothing_when_it_comes(
    database: Database, clock: FixedClock, cast: Cast, operator: Browser
) -> None:
    task_id = added(database, clock, cast.sumida)
    script = {"Accept": "application/json", "X-CSRFToken": operator.form_token}

    def sent(path: str, key: str, **fields: str) -> TestResponse:
        headers = script | {"Idempotency-Key": key}
        return operator.client.post(f"{operator.home}{path}", headers=headers, data=fields)

    assert sent("/sync/withdrawals", "late").json == {"withdrawn": True}
    moved = sent(f"/tasks/{task_id}/moves", "late", state="doing", moves="0")
    assert moved.json == {"state": "todo", "moves": 0}
    assert sent(f"/tasks/{task_id}/moves", "early", state="doing", moves="0").json is not None
    assert sent("/sync/withdrawals", "early").json == {"withdrawn": False}
    assert read(database, cast.sumida, task_id).state is TaskState.DOING


@pytest.mark.parametrize("key", ["k" * 101, "a\u00a0b"])
def test_a_key_that_is_none_is_refused_with_what_is_allowed(operator: Browser, key: str) -> None:
    headers = {"Idempotency-Key": key, "X-CSRFToken": operator.form_token}
    answer = operator.client.post(f"{operator.home}/sync/withdrawals", headers=headers)
    assert answer.status_code == 422
    assert answer.json is not None
    assert "100" in answer.json["error"]


def test_nobody_signed_in_is_led_to_the_sign_in_and_no_tap_is_kept_twice(
    client: FlaskClient, cast: Cast
) -> None:
    answer = client.post(
        f"/dashboard/{cast.sumida.slug}/tasks/one/moves",
        data={"state": "done"},
        headers={"Idempotency-Key": "1-2-3"},
    )
    assert answer.status_code == 303
    assert "kept=" not in answer.headers["Location"]


def test_all_that_the_worker_keeps_is_there(client: FlaskClient) -> None:
    answer = client.get("/dashboard/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]
    kept = re.findall(r'"(/(?:assets|dashboard)/[^"]+)"', answer.text.split("\n//")[0])
    assert len(kept) == 10
    for address in kept:
        assert client.get(address).status_code == 200, address


def test_signing_out_asks_while_something_waits(operator: Browser) -> None:
    operator.client.set_cookie("waiting", "2")
    asked = operator.client.post("/sign-out", data={"csrf_token": operator.form_token})
    assert asked.status_code == 422
    assert "2 changes on this device have not been sent" in asked.text
    assert operator.get("/work").status_code == 200
    fields = {"csrf_token": operator.form_token, "anyway": "1"}
    left = operator.client.post("/sign-out", data=fields)
    assert left.status_code == 303
    assert left.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert operator.get("/work").status_code == 303


@pytest.mark.parametrize("text", ["0", "", "many", "²", "9" * 40])
def test_a_count_that_is_none_asks_nothing(operator: Browser, text: str) -> None:
    operator.client.set_cookie("waiting", text)
    answer = operator.client.post("/sign-out", data={"csrf_token": operator.form_token})
    assert answer.status_code == 303
