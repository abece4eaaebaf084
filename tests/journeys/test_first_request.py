"""Journey 12: from signing in to the first 200 by a line that was copied: six presses.

At a desk the keys are a page of Settings, on a phone a line of the menu behind More.
"""

import shlex
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from pms.access.models import Person
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from tests.journeys.conftest import Desk
from tests.journeys.hands import MOUSE, PLAIN, Hand, hand_of, walked_by
from tests.servers.absence import give_up
from tests.surfaces.manual.browser import BrowserOfTests

MOST_PRESSES = 6
MOST_TAPS = 6
PASSWORD = "correct horse battery"


@pytest.fixture
def operator(desk: Desk, database: Database, settings: Settings) -> Desk:
    """Sumida's operator has a password."""
    with database.across_workspaces_writing() as session:
        person = session.get_one(Person, desk.staff.operator_id)
        person.password_hash = Passwords(settings).hash_password(PASSWORD)
    return desk


def status_of(line: str) -> str:
    """Run a copied line and return the status of its answer."""
    if shutil.which("curl") is None:
        give_up("no curl (apt-get install curl)")
    words = [
        *shlex.split(line.replace("\\\n", "")),
        "--silent",
        "--output",
        "/dev/null",
        "--write-out",
        "%{http_code}",
    ]
    assert words[0] == "curl"
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def phone(browser_of_tests: BrowserOfTests, desk: Desk, way: str) -> Iterator[Hand]:
    """Somebody with a phone who has not signed in."""
    context = browser_of_tests.opened().new_context(
        base_url=desk.base,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        java_script_enabled=way != PLAIN,
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    yield hand_of(context, way, f"/dashboard/{desk.slug}")
    browser_of_tests.end_context(context)


def copied_line(hand: Hand) -> str:
    """Sign in, make a key that reads, and copy the line it comes with."""
    page = hand.page
    page.goto("/sign-in")
    hand.types(page.locator("[name=email]"), "operator@sumida.example")
    hand.types(page.locator("[name=password]"), PASSWORD)
    hand.presses_on(page.get_by_role("button", name="Continue"))
    page.wait_for_url("**/dashboard/**")
    is_phone = (page.viewport_size or {"width": 0})["width"] < 600
    opener = (
        page.get_by_role("button", name="More")
        if is_phone
        else page.get_by_role("navigation", name="Menu").get_by_role("link", name="Settings")
    )
    hand.presses_on(opener)
    hand.presses_on(page.get_by_role("link", name="API keys").locator("visible=true"))
    hand.presses_on(hand.link("New key"))
    expect(page.get_by_label("Website: read listings")).to_be_checked()
    hand.types(page.locator("[name=name]"), "Website")
    hand.presses_on(hand.button("Create key"))
    line = page.locator("#try-it")
    expect(line).to_contain_text("curl")
    if hand.is_plain:
        return line.inner_text()
    hand.presses_on(hand.button("Copy command"))
    expect(page.get_by_role("status")).to_contain_text("Copied.")
    return str(page.evaluate("navigator.clipboard.readText()"))


@walked_by(PLAIN)
def test_from_signing_in_to_the_first_answer(stranger: Hand, operator: Desk) -> None:
    copied = copied_line(stranger)
    stranger.takes_at_most(MOST_PRESSES)
    assert status_of(copied) == "200"


@walked_by(MOUSE, (MOUSE, PLAIN))
def test_from_signing_in_to_the_first_answer_by_thumb(phone: Hand, operator: Desk) -> None:
    copied = copied_line(phone)
    phone.takes_at_most(MOST_TAPS)
    assert status_of(copied) == "200"
