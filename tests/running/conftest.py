"""A small application with the operators' sign-in, probes and log, and nothing of the trade."""

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest
import structlog
from flask import Blueprint, Flask, g
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.surfaces import request_log
from pms.surfaces.operations import make_blueprint

METRICS_TOKEN = "operators-only-token"


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """A test that sets the logs up leaves no handler behind that writes to its closed stream."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    for name in ("gunicorn.error", "gunicorn.access"):
        logging.getLogger(name).handlers.clear()
    structlog.reset_defaults()


@pytest.fixture
def watched(settings: Settings) -> Settings:
    """The settings of the test, with a token for the metrics."""
    return replace(settings, metrics_token=METRICS_TOKEN)


@pytest.fixture
def app(watched: Settings, database: Database, clock: FixedClock) -> Flask:
    return small_app(watched, database, clock)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def small_app(settings: Settings, database: Database, clock: FixedClock) -> Flask:
    app = Flask("small")
    request_log.install(app, settings, clock)
    app.register_blueprint(make_blueprint(settings, database, clock))
    app.register_blueprint(_auth_blueprint())
    return app


def _auth_blueprint() -> Blueprint:
    blueprint = Blueprint("auth", __name__)

    @blueprint.get("/units/<slug>")
    def unit(slug: str) -> str:
        g.workspace_id = "a-workspace"
        return slug

    @blueprint.get("/check-in/<token>/house-rules")
    def house_rules(token: str) -> str:
        return "welcome"

    @blueprint.get("/reserve/<token>")
    def broken(token: str) -> str:
        raise RuntimeError("the database is gone")

    return blueprint
