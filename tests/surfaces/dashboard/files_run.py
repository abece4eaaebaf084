"""Counts the files of the program that one request runs; `make figures` runs it with pytest by its path."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask.testing import FlaskClient

import pms
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.asking import asker
from tests.surfaces.dashboard.reservations.forms import fields_of
from tests.upkeep.task_desk import added

_ROOT = str(Path(pms.__file__).parent)

Counted = Callable[[str], Any]


@pytest.fixture
def counted() -> Counted:
    @contextmanager
    def counting(name: str) -> Iterator[None]:
        files: set[str] = set()

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code.co_filename.startswith(_ROOT):
                files.add(frame.f_code.co_filename)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
        print(f"\nFIGURE files of pms/ run by {name}: {len(files)}")

    return counting


def test_filing_a_notice(office: Browser, cast: Cast, counted: Counted) -> None:
    page = f"/reservations/{cast.sumida.resident_id}"
    typed = fields_of(office.get(f"{page}/departure").text, "/notice")
    with counted("filing a notice"):
        filed = office.post(f"{page}/notice", {**typed, "moveOutDate": "2026-12-31"})
    assert filed.status_code == 303


def test_moving_a_task(
    housekeeper: Browser, database: Database, clock: FixedClock, cast: Cast, counted: Counted
) -> None:
    path = f"/tasks/{added(database, clock, cast.sumida)}/moves"
    assert housekeeper.post(path, {"state": "doing", "moves": "0"}).status_code == 303
    with counted("moving a task"):
        moved = housekeeper.post(path, {"state": "done", "moves": "1"})
    assert moved.status_code == 303


def test_an_unchanged_poll(
    client: FlaskClient, database: Database, clock: FixedClock, cast: Cast, counted: Counted
) -> None:
    website = asker(client, database, clock, cast.sumida.workspace_id)
    tag = website.get("/properties").headers["ETag"]
    with counted("an unchanged poll"):
        answer = website.get("/properties", headers={"If-None-Match": tag})
    assert answer.status_code == 304
