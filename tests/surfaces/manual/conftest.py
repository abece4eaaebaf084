"""Readers of the manual, at an application of the public pages alone."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.surfaces.manual.opened_pages import OpenedPages
from tests.surfaces.manual.pages_app import make_pages_app


@pytest.fixture(scope="session")
def pages_app() -> Flask:
    """The public pages; no test changes this application."""
    return make_pages_app()


@pytest.fixture
def reader(pages_app: Flask) -> FlaskClient:
    """Someone without cookies who sends no preference."""
    return pages_app.test_client()


@pytest.fixture(scope="session")
def opened(pages_app: Flask) -> OpenedPages:
    """Every page of the manual, each asked for once."""
    return OpenedPages(pages_app)
