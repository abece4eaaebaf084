"""The script for any website is tried in a browser, on pages of other origins than the service."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from sqlalchemy import select

from pms.access.keys import issue_key
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.inbox.models import Enquiry
from pms.rules.enumerations import Scope
from tests.architecture.source_tree import ROOT
from tests.cast import Cast
from tests.surfaces.manual.browser import BrowserOfTests, served

EXAMPLE = ROOT / "docs/examples/page"


class _Quiet(SimpleHTTPRequestHandler):
    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def served_folder(folder: Path) -> Iterator[int]:
    """A folder on a port of its own, as a host of pages serves it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def new_key(database: Database, clock: FixedClock, cast: Cast) -> Callable[[Scope, str], str]:
    """Issues a key of Sumida with one website."""

    def issue(scope: Scope, origin: str) -> str:
        with database.writing(cast.sumida.workspace_id) as session:
            issued = issue_key(
                Work(session, clock, "staff"),
                name=scope,
                scopes=[scope],
                origins=[origin],
                is_development=True,
            )
        return issued.plaintext

    return issue


@pytest.fixture
def opened(
    app: Flask,
    new_key: Callable[[Scope, str], str],
    browser_of_tests: BrowserOfTests,
    tmp_path: Path,
) -> Iterator[Callable[[str], Page]]:
    """Opens the example's page, by the host that is named, with keys for `localhost` alone."""
    context = browser_of_tests.opened().new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(15_000)
    with served(app) as base, served_folder(tmp_path) as port:
        origin = f"http://localhost:{port}"
        text = (EXAMPLE / "index.html").read_text("utf-8").replace("http://127.0.0.1:8000", base)
        text = text.replace("pms_live_READ", new_key(Scope.PROPERTIES_READ, origin))
        text = text.replace("pms_live_ENQUIRY", new_key(Scope.INQUIRIES_WRITE, origin))
        (tmp_path / "index.html").write_text(text, "utf-8")
        (tmp_path / "rooms.js").write_bytes((EXAMPLE / "rooms.js").read_bytes())

        def open_page(host: str) -> Page:
            page = context.new_page()
            page.goto(f"http://{host}:{port}/")
            return page

        yield open_page
        browser_of_tests.end_context(context)


def test_a_page_of_the_keys_website_shows_the_rooms_and_sends_an_enquiry(
    opened: Callable[[str], Page], database: Database, cast: Cast
) -> None:
    page = opened("localhost")
    rooms = page.locator(".room")
    expect(rooms.first).to_be_visible()
    texts = rooms.all_inner_texts()
    assert any("空室" in text for text in texts), texts
    assert all(re.search(r"[\d,]+円", text) for text in texts), texts
    rooms.first.get_by_role("button").click()
    page.get_by_label("お名前").fill("田中 実")
    page.get_by_label("メールアドレス").fill("tanaka@example.jp")
    page.get_by_label("お問い合わせ内容").fill("見学できますか。<b>")
    page.get_by_role("button", name="送信する").click()
    expect(page.locator(".enquiry [role=status]")).to_have_text("お問い合わせを受け付けました。")
    with database.reading(cast.sumida.workspace_id) as session:
        found = session.scalars(select(Enquiry).where(Enquiry.email == "tanaka@example.jp")).one()
        assert found.unit_id is not None
        assert found.message == "見学できますか。<b>"


def test_what_the_service_refuses_is_shown_beside_the_form(opened: Callable[[str], Page]) -> None:
    page = opened("localhost")
    page.get_by_label("お名前").fill("x" * 101)
    page.get_by_label("メールアドレス").fill("tanaka@example.jp")
    page.get_by_label("お問い合わせ内容").fill("見学できますか。")
    page.get_by_role("button", name="送信する").click()
    expect(page.locator(".enquiry [role=status]")).to_contain_text("name")


def test_a_page_of_another_website_with_the_same_keys_gets_nothing(
    opened: Callable[[str], Page], database: Database, cast: Cast
) -> None:
    page = opened("127.0.0.1")
    expect(page.locator("[data-rooms-of] > [role=status]")).to_contain_text("通信できませんでした")
    assert page.locator(".room").count() == 0
    page.get_by_label("お名前").fill("田中 実")
    page.get_by_label("メールアドレス").fill("tanaka@example.jp")
    page.get_by_label("お問い合わせ内容").fill("見学できますか。")
    page.get_by_role("button", name="送信する").click()
    expect(page.locator(".enquiry [role=status]")).to_contain_text("通信できませんでした")
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(Enquiry).where(Enquiry.email == "tanaka@example.jp")) is None
