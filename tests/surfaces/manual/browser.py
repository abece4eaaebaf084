"""A real browser for the tests of pages: Chromium as the machine has it, driven by Playwright."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, Timer
from typing import Any, Final

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.servers.absence import give_up

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium without a window still draws the lists below its address bar, a page each, anew for each
# page that is opened: a fifth of its work. The option replaces that of Playwright, whose other
# entries are repeated here.
UNUSED_FEATURES: Final = "--disable-features=" + ",".join(
    (
        "WebUIOmniboxPopup",
        "WebUIOmniboxAimPopup",
        "WebUIOmniboxFullPopup",
        "AimEnabled",
        "AvoidCorsURLLoaderRestartOnRedirect",
        "AvoidUnnecessaryBeforeUnloadCheckSync",
        "DestroyProfileOnBrowserClose",
        "HttpsFirstBalancedModeAutoEnable",
        "HttpsUpgrades",
        "LensOverlay",
        "MediaRouter",
        "NetworkTimeServiceQuerying",
        "OptimizationHints",
        "PaintHolding",
        "PreconnectToSearch",
        "ThirdPartyStoragePartitioning",
    )
)
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


class BrowserOfTests:
    """The browser without a window that the tests of this process share.

    Most calls of Playwright end after a time, but not all: closing a context or running a script
    waits for ever if the browser does not answer. A test that takes longer than `PATIENCE` loses
    its browser: the call fails, the test is red by its name, and the next module gets a new one.
    """

    PATIENCE: Final = 300  # seconds for one test with what it sets up

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self.process_id = 0

    def opened(self) -> Browser:
        """Return the running browser; started with the first call and after it was killed."""
        if self._playwright is None:
            self._playwright = sync_playwright().start()
        if self._browser is None or not self._browser.is_connected():
            # The browser's own sandbox refuses to run as root.
            sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
            self._browser = self._playwright.chromium.launch(
                executable_path=found_browser(), args=[*sandbox, UNUSED_FEATURES]
            )
            session = self._browser.new_browser_cdp_session()
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            session.detach()
            (self.process_id,) = (each["id"] for each in processes if each["type"] == "browser")
        return self._browser

    def end_context(self, context: BrowserContext, patience: float = 20) -> None:
        """Close a context; a browser that does not do so in `patience` seconds is killed.

        Chromium now and then never closes one whose service worker is at work. All that a test
        asks is answered by then, so this is no failure; the next test gets a new browser.
        """
        with self.killed_when_stuck(patience):
            try:
                context.close()
            except PlaywrightError:
                if self._browser is not None and self._browser.is_connected():
                    raise

    def close(self) -> None:
        """End the browser and its driver."""
        if self._browser is not None and self._browser.is_connected():
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._browser = None
        self.process_id = 0

    @contextmanager
    def killed_when_stuck(self, patience: float = PATIENCE) -> Iterator[None]:
        """Kill the browser if the block takes more than `patience` seconds."""
        timer = Timer(patience, self._kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _kill(self) -> None:
        if self.process_id:
            os.kill(self.process_id, signal.SIGKILL)


BROWSER: Final = BrowserOfTests()


@pytest.fixture(scope="session")
def browser_of_tests() -> Iterator[BrowserOfTests]:
    """The browser of this process, closed at the end."""
    yield BROWSER
    BROWSER.close()


@pytest.fixture(scope="module")
def browser(browser_of_tests: BrowserOfTests) -> Browser:
    """The browser of this process; each test opens contexts of its own in it."""
    return browser_of_tests.opened()


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
