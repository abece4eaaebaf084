"""A running program over Sumida's books, and a browser with one of three hands at it."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.databases import ReusedDatabase
from tests.journeys.hands import PLAIN, Hand, hand_of
from tests.staff import Staff, open_browser
from tests.surfaces.dashboard.money.conftest import Books, books
from tests.surfaces.manual.browser import BrowserOfTests, served

__all__ = ["books"]
_DESKTOP = {"width": 1280, "height": 800}
_PHONE = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Desk:
    """The program as it is served, and who works there."""

    app: Flask
    base: str
    staff: Staff
    slug: str


@pytest.fixture
def settings(request: pytest.FixtureRequest, reused_sqlite: ReusedDatabase) -> Settings:
    """A database of one kind: what is looked at here is the browser."""
    reused_sqlite.restore("staff" if "staff" in request.fixturenames else "cast")
    return reused_sqlite.settings


@pytest.fixture
def desk(
    app: Flask, books: Books, cast: Cast, staff: Staff, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """The program over half a year of Hanako Sato's bills."""
    with served(app) as base:
        monkeypatch.setitem(app.config, "BASE_URL", base)
        yield Desk(app, base, staff, cast.sumida.slug)


@pytest.fixture
def stranger(browser_of_tests: BrowserOfTests, desk: Desk, way: str) -> Iterator[Hand]:
    """Somebody who has not signed in."""
    context = browser_of_tests.opened().new_context(
        base_url=desk.base,
        viewport=_DESKTOP,  # type: ignore[arg-type]  # a plain mapping is what it takes
        java_script_enabled=way != PLAIN,
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    yield hand_of(context, way, f"/dashboard/{desk.slug}")
    browser_of_tests.end_context(context)


@pytest.fixture
def office(stranger: Hand, desk: Desk, clock: FixedClock) -> Hand:
    """Sumida's office worker, signed in."""
    sign_in(stranger.page.context, desk, clock, desk.staff.office_id)
    return stranger


def signed_in_on_a_phone(
    browser_of_tests: BrowserOfTests, desk: Desk, clock: FixedClock, way: str, person_id: str
) -> Iterator[Hand]:
    """Give somebody a phone whose taps are counted."""
    context = browser_of_tests.opened().new_context(
        base_url=desk.base,
        viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
        has_touch=True,
        java_script_enabled=way != PLAIN,
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    sign_in(context, desk, clock, person_id)
    yield hand_of(context, way, f"/dashboard/{desk.slug}")
    browser_of_tests.end_context(context)


def sign_in(context: BrowserContext, desk: Desk, clock: FixedClock, person_id: str) -> None:
    """Let a browser be somebody's of the staff."""
    opened = open_browser(desk.app, clock, person_id, desk.slug)
    cookie = opened.client.get_cookie("session")
    assert cookie is not None
    session = {"name": "session", "value": cookie.value, "url": desk.base}
    context.add_cookies([session])  # type: ignore[list-item]
