"""Journey 12: from the door to the first 200 by a line that was copied: five presses."""

import shlex
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from pms.access.models import Person
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from tests.journeys.conftest import Desk
from tests.journeys.hands import Hand
from tests.servers.absence import give_up

MOST_PRESSES = 5
PASSWORD = "correct horse battery"


@pytest.fixture
def operator(desk: Desk, database: Database, settings: Settings) -> Desk:
    """Sumida's operator has a password."""
    with database.across_workspaces_writing() as session:
        person = session.get_one(Person, desk.staff.operator_id)
        person.password_hash = Passwords(settings).hashed(PASSWORD)
    return desk


def status_of(line: str) -> str:
    """Run a copied line and return the status of its answer."""
    if shutil.which("curl") is None:
        give_up("no curl (apt-get install curl)")
    words = [*shlex.split(line), "--silent", "--output", "/dev/null", "--write-out", "%{http_code}"]
    assert words[0] == "curl"
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_from_signing_in_to_the_first_answer(stranger: Hand, operator: Desk) -> None:
    page = stranger.page
    page.goto("/sign-in")
    stranger.types(page.locator("[name=email]"), "operator@sumida.example")
    stranger.types(page.locator("[name=password]"), PASSWORD)
    stranger.presses_on(page.get_by_role("button", name="Continue"))
    page.wait_for_url("**/dashboard/**")
    menu = page.get_by_role("navigation", name="Menu").locator("visible=true")
    stranger.presses_on(menu.get_by_role("link", name="API keys"))
    stranger.presses_on(stranger.link("New key"))
    stranger.types(page.locator("[name=name]"), "Website")
    stranger.presses_on(stranger.button("Make the key"))
    line = page.locator("#try-it")
    expect(line).to_contain_text("curl")
    copied = line.inner_text()
    if not stranger.is_plain:
        stranger.presses_on(stranger.button("Copy the line"))
        expect(page.get_by_role("status")).to_contain_text("Copied.")
        copied = page.evaluate("navigator.clipboard.readText()")
    stranger.takes_at_most(MOST_PRESSES)
    assert status_of(copied) == "200"
