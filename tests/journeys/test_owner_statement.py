"""Journey 4: from the mail to the newest statement and its PDF, with a session and without."""

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from pms.rules.enumerations import UserKind
from pms.statements.owner_publishing import publish_statement
from tests.cast import Cast
from tests.journeys.conftest import Desk
from tests.journeys.hands import MOUSE, PLAIN, Hand, hand_of, walked_by
from tests.portals import open_portal_browser
from tests.surfaces.portals.conftest import Post

# The first tap of both is the link in the mail.
MOST_TAPS_ANEW, MOST_TAPS_SIGNED_IN = 3, 2
_ADDRESS = "yamamoto@example.jp"
_PHONE = {"width": 390, "height": 844}
_LINK = re.compile(r"https?://\S+/sign-in\S+")


@pytest.fixture
def link(database: Database, clock: FixedClock, desk: Desk, cast: Cast) -> str:
    """What the mail of October's statement leads to."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        publish_statement(
            Work(session, clock, "staff"),
            building_id=house.building_id,
            month_on=date(2026, 10, 1),
            base_url="https://pms.example.jp",
        )
    with database.reading(house.workspace_id) as session:
        mail = session.scalars(select(OutboxMail).where(OutboxMail.recipient == _ADDRESS)).one()
    found = urlsplit(_LINK.findall(mail.text)[0])
    return f"{found.path}?{found.query}"


@pytest.fixture
def hand(browser: Browser, desk: Desk, way: str) -> Iterator[Hand]:
    """The owner's telephone."""
    context = browser.new_context(
        base_url=desk.base,
        viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
        has_touch=True,
        java_script_enabled=way != PLAIN,
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    yield hand_of(context, way, "")
    context.close()


@walked_by(MOUSE)
def test_an_owner_who_is_not_signed_in(
    desk: Desk, hand: Hand, link: str, settings: Settings, clock: FixedClock
) -> None:
    database = desk.app.extensions["pms.database"]
    post = Post(Tools(settings, database, clock, choose_postbox(settings)))
    hand.opens(link)
    # The mail knows whom it went to: nothing is typed but the digits.
    hand.presses_on(hand.button("Email me a code"))
    hand.page.wait_for_url("**/sign-in/pin/*")
    hand.types(hand.page.locator("[name=pin]"), post.digits())
    if hand.is_plain:
        hand.presses_on(hand.button("Sign in"))
    _reads_the_statement_and_its_paper(hand)
    hand.takes_at_most(MOST_TAPS_ANEW - 1)


@walked_by(PLAIN)
def test_an_owner_who_is_signed_in(
    desk: Desk, hand: Hand, link: str, clock: FixedClock, cast: Cast
) -> None:
    opened = open_portal_browser(
        desk.app,
        clock,
        UserKind.OWNER,
        workspace_id=cast.sumida.workspace_id,
        slug=desk.slug,
        address=_ADDRESS,
    )
    cookie = opened.client.get_cookie("session")
    assert cookie is not None
    session = {"name": "session", "value": cookie.value, "url": desk.base}
    hand.page.context.add_cookies([session])  # type: ignore[list-item]
    hand.opens(link)
    _reads_the_statement_and_its_paper(hand)
    hand.takes_at_most(MOST_TAPS_SIGNED_IN - 1)


def _reads_the_statement_and_its_paper(hand: Hand) -> None:
    page = hand.page
    page.wait_for_url(re.compile("/statements/[0-9a-f]{32}$"))
    expect(page.get_by_text("Statement of October 2026")).to_be_visible()
    with page.expect_request(re.compile("/paper$")) as asked:
        hand.presses_on(hand.link("Statement as PDF"))
    answer = page.context.request.get(asked.value.url)
    assert answer.headers["content-type"] == "application/pdf"
