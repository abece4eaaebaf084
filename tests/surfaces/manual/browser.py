"""A real browser for the tests of pages: Chromium as the machine has it, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

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


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A browser without a window."""
    path = found_browser()
    # The browser's own sandbox refuses to run as root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The application on a free port of this machine; gives its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
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
