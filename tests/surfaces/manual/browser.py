"""A real browser for the tests of pages: Chromium as the machine has it, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.servers.absence import give_up

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AXE = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


def found_browser() -> str:
    """The path of an installed Chromium; without one the test that asks is given up."""
    named = os.environ.get("PMS_TEST_CHROMIUM", "")
    paths = (shutil.which(name) for name in (named, *NAMES) if name)
    return next(filter(None, paths), None) or give_up("no Chromium (apt-get install chromium)")


class _Silent(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


_OPEN: list[Browser] = []


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A browser without a window: one a process, so who asks while it is open gets the same."""
    if _OPEN:
        yield _OPEN[0]
        return
    path = found_browser()
    # The browser's own sandbox refuses to run as root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        _OPEN.append(browser)
        yield browser
        _OPEN.clear()
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of this process; each test opens contexts of its own in it."""
    with opened_browser() as opened:
        yield opened


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The application on a free port of this machine; gives its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    # So that `server_close` waits for what is being answered.
    server.daemon_threads = False  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def violations(page: Page) -> list[Any]:
    """What axe finds wrong with the page as it stands."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=AXE).response["violations"]
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
