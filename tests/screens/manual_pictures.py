"""Takes the pictures of the manual anew: `python -m tests.screens.manual_pictures`, or `make pictures`.

A rent roll is taken over in an installation of its own, a bank day is looked at in the demo, both in
both languages, and each step is saved as a compact WebP file beside the pages of the manual.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, Page
from sqlalchemy import select

from app import create_app
from pms.access.models import Member
from pms.access.opening_links import make_first_opening
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.foundation.migrating import migrate
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.rules.enumerations import StaffRole
from pms.surfaces.manual.rendering import PICTURES
from pms.workspaces.models import Workspace
from tests.databases import settings_of_a_test
from tests.demo.seeding import NOON, plain_album, seeded
from tests.staff import open_browser
from tests.surfaces.manual.browser import BROWSER, served

MOST_BYTES: Final = 60 * 1024
_ROLL: Final = Path("tests/samples/takeover/heights_aoba.xlsx")
_LIVED_IN: Final = "midori-living"
_HOME: Final = "/dashboard/aoba"
_OPERATOR: Final = {
    "workspace": "あおば不動産",
    "workspaceEn": "Aoba",
    "name": "新井 舞",
    "email": "mai@new.example",
    "newPassword": "quiet river house",
}


def take_pictures() -> None:
    """Save every picture in both languages."""
    browser = BROWSER.opened()
    try:
        for language in ("en", "ja"):
            with _operator(browser, language) as (page, tools):
                _take_over(page, tools, PICTURES / language)
        with _demo_office() as (app, cookie), served(app) as base:
            for language in ("en", "ja"):
                context = browser.new_context(
                    base_url=base,
                    viewport={"width": 1280, "height": 720},
                    extra_http_headers={"Accept-Language": language},
                )
                context.add_cookies([{"name": "session", "value": cookie, "url": base}])
                _see_bank_day(context.new_page(), PICTURES / language)
                context.close()
    finally:
        BROWSER.close()


@contextmanager
def _operator(browser: Browser, language: str) -> Iterator[tuple[Page, Tools]]:
    """The first operator of a new installation, at Today, and the worker."""
    clock = FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))
    with TemporaryDirectory() as folder:
        settings = settings_of_a_test(Path(folder))
        migrate(settings)
        app = create_app(settings, clock=clock)
        database = app.extensions["pms.database"]
        with database.across_workspaces_writing() as session:
            token = make_first_opening(session, clock)
        with served(app) as base:
            app.config["BASE_URL"] = base
            context = browser.new_context(base_url=base, viewport={"width": 1280, "height": 720})
            context.add_cookies([{"name": "lang", "value": language, "url": base}])
            page = context.new_page()
            page.goto(f"/open/{token}")
            for name, text in _OPERATOR.items():
                page.fill(f"[name={name}]", text)
            page.click("main form button")
            page.wait_for_url(f"**{_HOME}/**")
            yield page, Tools(settings, database, clock, choose_postbox(settings))
            context.close()
        database.dispose()


def _take_over(page: Page, tools: Tools, folder: Path) -> None:
    _save(page, folder / "moving-in-set-up.webp")
    page.goto(f"{_HOME}/takeover")
    page.set_input_files("input[type=file]", _ROLL)
    page.click("main form .actions button")
    page.locator("table.grid").wait_for()
    _save(page, folder / "moving-in-rooms.webp")
    _go_on(page)
    _go_on(page)
    _save(page, folder / "moving-in-money.webp")
    page.locator("select[name$=starts_later_paid]").select_option("taken")
    _go_on(page)
    _save(page, folder / "moving-in-check.webp")
    page.click("[name=live]")
    page.locator(".key-figures").wait_for()
    page.locator("main .button-primary").click()
    page.locator("form[action$='/billing/runs'] button").click()
    page.locator("#progress").wait_for()
    do_asked_runs(tools)
    page.reload()
    _save(page, folder / "moving-in-billed.webp")


@contextmanager
def _demo_office() -> Iterator[tuple[Flask, str]]:
    """The demo, and the cookie of somebody who works in the office of its first workspace."""
    clock = FixedClock(NOON)
    with TemporaryDirectory() as folder:
        settings = settings_of_a_test(Path(folder))
        migrate(settings)
        seeded(settings, plain_album(Files(settings)))
        app = create_app(settings, clock=clock)
        database = app.extensions["pms.database"]
        with database.across_workspaces_reading() as session:
            lived_in = select(Workspace.id).where(Workspace.slug == _LIVED_IN)
            office = select(Member.person_id).where(
                Member.workspace_id == session.scalars(lived_in).one(),
                Member.role == StaffRole.OFFICE,
            )
            person_id = session.scalars(office.order_by(Member.id)).first()
        cookie = open_browser(app, clock, str(person_id), _LIVED_IN).client.get_cookie("session")
        yield app, str(cookie.value if cookie else "")
        database.dispose()


def _see_bank_day(page: Page, folder: Path) -> None:
    home = f"/dashboard/{_LIVED_IN}"
    page.goto(f"{home}/bank")
    _save(page, folder / "bank-day-certain.webp")
    page.locator(".card:has(.offers)").evaluate("(card) => scrollTo(0, card.offsetTop - 80)")
    _save(page, folder / "bank-day-likely.webp")
    page.locator("[data-transfer]:has([data-keep]):not(:has(.offers)) a").first.click()
    page.locator("[name=q]").wait_for()
    _save(page, folder / "bank-day-unknown.webp")


def _go_on(page: Page) -> None:
    with page.expect_navigation():
        page.click("[name=next]")


def _save(page: Page, path: Path) -> None:
    """Save what is in the window, in as few bytes as the text stays sharp with."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(BytesIO(page.screenshot())).convert("RGB").save(path, quality=72, method=6)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    take_pictures()
