"""The pages people begin with are put together before anybody asks for them."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from pms.foundation.clock import FixedClock
from pms.surfaces.first_visits import PATHS, open_connections, open_first_pages
from pms.surfaces.request_scope import database
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.dashboard.reservations.test_questions import asked


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)


@pytest.mark.parametrize("path", PATHS)
def test_who_opens_one_finds_its_statements_built(app: Flask, operator: Browser, path: str) -> None:
    with app.app_context():
        engine = database().engine
    open_first_pages(app)
    built: list[str] = []

    def note(_: Any, __: Any, statement: str, ___: Any, context: Any, ____: Any) -> None:
        # Prepared reads have no context: they are never built again.
        if (
            context is not None
            and context.compiled is not None
            and context.cache_hit.name == "CACHE_MISS"
        ):
            built.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        answer = operator.get(path)
        assert answer.status_code == 200, answer.location
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert not built, built


def test_nobody_is_signed_in_by_that(app: Flask, cast: Cast) -> None:
    open_first_pages(app)
    address = f"/dashboard/{cast.sumida.slug}/"
    assert app.test_client().get(address).status_code == 303


def test_a_database_without_a_workspace_has_no_pages_to_open(app: Flask) -> None:
    open_first_pages(app)


def test_the_first_request_of_a_worker_finds_its_connections_open(
    app: Flask, operator: Browser
) -> None:
    with app.app_context():
        database().dispose()
    with asked() as statements:
        open_connections(app)
    assert any("FROM auth_session" in statement for statement in statements)
    opened: list[object] = []

    def note(*opening: object) -> None:
        opened.append(opening)

    event.listen(Engine, "connect", note)
    try:
        assert operator.get("/units").status_code == 200
    finally:
        event.remove(Engine, "connect", note)
    assert not opened
