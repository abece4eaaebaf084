"""A poll that is asked again and again is judged anew each time: key, scope, budget, day and data."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import REGISTRY
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pms.access.key_lookup import find_key
from pms.access.keys import revoke_key
from pms.access.models import ApiKey
from pms.catalogue.models import Unit
from pms.foundation.budget import bucket_of, open_storage
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.workspaces.models import Workspace
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, asker

_FEW = 4


def id_of(database: Database, website: Asker) -> str:
    known = database.ask_across_workspaces(partial(find_key, presented=website.key))
    assert known is not None
    return known.id


def counted(settings: Settings, key_id: str) -> int:
    storage = open_storage(settings)
    requests = len(storage.instants(bucket_of(key_id)))
    storage.close()
    return requests


def test_a_revoked_key_is_refused_at_the_very_next_poll(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    tag = website.get("/properties").headers["ETag"]
    with database.writing(cast.sumida.workspace_id) as session:
        revoke_key(Work(session, clock, "staff"), id_of(database, website))
    answer = website.get("/properties", headers={"If-None-Match": tag})
    assert answer.status_code == 401
    assert not [name for name, _ in answer.headers if name.startswith("RateLimit")]


def test_every_poll_is_counted_once_also_when_the_budget_runs_out(
    client: FlaskClient, database: Database, settings: Settings, clock: FixedClock, cast: Cast
) -> None:
    website = asker(client, database, clock, cast.sumida.workspace_id, budget=_FEW)
    statuses = [website.get("/properties").status_code for _ in range(2 * _FEW)]
    assert statuses == [200] * _FEW + [429] * _FEW
    assert counted(settings, id_of(database, website)) == 2 * _FEW
    clock.advance(timedelta(hours=1))
    assert website.get("/properties").status_code == 200


def raise_the_rents(session: Session) -> None:
    session.execute(update(Unit).values(rent_yen=77_000))


def speak_the_other_language(session: Session) -> None:
    workspace = session.scalars(select(Workspace)).one()
    workspace.default_locale = "en" if workspace.default_locale == "ja" else "ja"


@pytest.mark.parametrize("change", [raise_the_rents, speak_the_other_language])
def test_a_change_is_in_the_very_next_poll_which_is_counted_once(
    website: Asker,
    database: Database,
    settings: Settings,
    cast: Cast,
    change: Callable[[Any], None],
) -> None:
    before = [website.get("/site/units") for _ in range(2)][-1]
    with database.writing(cast.sumida.workspace_id) as session:
        change(session)
    after = website.get("/site/units", headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.headers["ETag"] != before.headers["ETag"]
    assert website.get("/site/units").data == after.data != before.data
    assert counted(settings, id_of(database, website)) == 4


def test_a_scope_taken_away_closes_a_question_that_was_answered(
    website: Asker, database: Database, settings: Settings, cast: Cast
) -> None:
    tag = website.get("/properties").headers["ETag"]
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(ApiKey).values(scopes=[Scope.CONTENT_READ]))
    assert website.get("/properties", headers={"If-None-Match": tag}).status_code == 403
    assert counted(settings, id_of(database, website)) == 2


# A file is what can be taken away here.
@pytest.mark.only_on("sqlite")
def test_a_budget_that_cannot_be_counted_lets_no_poll_pass(
    app: Flask, website: Asker, settings: Settings
) -> None:
    website.get("/properties")
    (limiter,) = app.extensions["limiter"]
    limiter.storage.close()
    shutil.rmtree(settings.budget_dir)
    settings.budget_dir.write_text("in the way")
    assert website.get("/properties").status_code == 503


def test_each_poll_is_counted_for_the_metrics_and_told_in_the_log(
    website: Asker, capsys: pytest.CaptureFixture[str]
) -> None:
    tag = website.get("/properties").headers["ETag"]
    capsys.readouterr()
    labels = {"route": "agent_api.list_properties", "method": "GET", "status": "304"}
    read = partial(REGISTRY.get_sample_value, "pms_requests_total", labels)
    before = read() or 0
    headers = {"If-None-Match": tag, "X-Request-Id": "the-very-same"}
    assert website.get("/properties", headers=headers).headers["X-Request-Id"] == "the-very-same"
    assert read() == before + 1
    line = capsys.readouterr().out
    assert "GET /api/agent/properties 304" in line
    assert "request_id=the-very-same" in line
