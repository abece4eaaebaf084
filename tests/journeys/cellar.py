"""A cellar without a network: three cleanings that were begun, and the phone of who does them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Locator, Page
from sqlalchemy import func, select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.rules.enumerations import TaskState
from tests.cast import Cast, House
from tests.staff import Staff, open_browser
from tests.surfaces.manual.browser import BrowserOfTests, served
from tests.upkeep.task_desk import added, move, read

_PHONE: Final = {"width": 390, "height": 844}
COPIES: Final = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("pages "));
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().map(({ url }) => new URL(url).pathname);
}"""
_UNTIL_KEPT: Final = f"""async (path) => {{
  const copies = {COPIES};
  const end = performance.now() + 10_000;
  while (!(await copies()).includes(path)) {{
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, 20));
  }}
  return Boolean(navigator.serviceWorker.controller);
}}"""
SOON: Final = 25_000  # what waits is sent within 25 s of the network's return


@dataclass
class Cellar:
    """The program, three cleanings that were begun, and a phone on which they are done."""

    app: Flask
    clock: FixedClock
    database: Database
    house: House
    staff: Staff
    base: str
    context: BrowserContext
    task_ids: list[str]

    @property
    def home(self) -> str:
        return f"/dashboard/{self.house.slug}"

    def opened(self, path: str) -> Page:
        """Open a page in a tab of its own."""
        page = self.context.new_page()
        page.goto(f"{self.home}{path}")
        return page

    def kept(self, path: str) -> Page:
        """Open a page, and wait until the device holds its copy.

        A fetch of the worker's first start that fails leaves none; the next visit does.
        """
        page = self.opened(path)
        kept = f"{self.home}{path}".partition("?")[0]
        if not page.evaluate(_UNTIL_KEPT, kept):
            page.reload()
            assert page.evaluate(_UNTIL_KEPT, kept)
        return page

    def state(self, task_id: str) -> TaskState:
        return read(self.database, self.house, task_id).state

    def moves(self) -> int:
        """Count the moves that were written, beside those that began the tasks."""
        return self.counted("task_move") - len(self.task_ids)

    def counted(self, table: str) -> int:
        with self.database.connection_across_workspaces() as connection:
            asked = select(func.count()).select_from(Base.metadata.tables[table])
            return int(connection.execute(asked).scalar_one())


@pytest.fixture
def cellar(
    *,
    app: Flask,
    clock: FixedClock,
    database: Database,
    cast: Cast,
    staff: Staff,
    browser_of_tests: BrowserOfTests,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Cellar]:
    """A housekeeper signed in on a phone."""
    house = cast.sumida
    actor = f"person/{staff.housekeeping_id}"
    task_ids = []
    for _ in range(3):
        task_ids.append(
            added(
                database,
                clock,
                house,
                assignee_id=staff.housekeeping_id,
                opens_on=clock.today(),
                due_on=clock.today(),
            )
        )
        with database.writing(house.workspace_id) as session:
            move(session, clock, task_ids[-1], TaskState.DOING, actor=actor)
    with served(app) as base:
        monkeypatch.setitem(app.config, "BASE_URL", base)
        context = browser_of_tests.opened().new_context(
            base_url=base,
            viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
            has_touch=True,
        )
        context.set_default_timeout(15_000)
        here = Cellar(app, clock, database, house, staff, base, context, task_ids)
        sign_in(here, staff.housekeeping_id)
        yield here
        browser_of_tests.end_context(context)


def sign_in(cellar: Cellar, person_id: str) -> None:
    """Hold a fresh session of a person in the phone's browser."""
    opened = open_browser(cellar.app, cellar.clock, person_id, cellar.house.slug)
    cookie = opened.client.get_cookie("session")
    assert cookie is not None
    cellar.context.add_cookies(
        [
            {"name": "session", "value": cookie.value, "url": cellar.base},
            {"name": "lang", "value": "en", "url": cellar.base},
        ]
    )


def sync_of(page: Page) -> Locator:
    """What the page says about what has arrived."""
    return page.locator("#sync")


def posts_of(page: Page) -> list[str]:
    """Collect the taps that leave the page."""
    posts: list[str] = []
    page.on("request", lambda each: posts.append(each.url) if each.method == "POST" else None)
    return posts


def finish(page: Page, task_id: str) -> None:
    """Press Done on a card."""
    page.locator(f"#go-{task_id}").click()
