"""A resident signs in by a mailed code and reads the invoice that is due: two taps and six digits."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from tests.cast import Cast
from tests.journeys.conftest import Desk
from tests.journeys.hands import KEYS, PLAIN, Hand, hand_of, walked_by
from tests.surfaces.portals.conftest import Post

MOST_TAPS = 2
_PHONE = {"width": 390, "height": 844}


@pytest.fixture
def hand(browser: Browser, desk: Desk, way: str) -> Iterator[Hand]:
    """A telephone on which nobody signed in to the portal."""
    context = browser.new_context(
        base_url=desk.base,
        viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
        has_touch=True,
        java_script_enabled=way != PLAIN,
    )
    context.add_cookies([{"name": "lang", "value": "en", "url": desk.base}])
    context.set_default_timeout(15_000)
    yield hand_of(context, way, f"/resident/{desk.slug}")
    context.close()


@walked_by(KEYS)
def test_from_signing_in_to_the_invoice_that_is_due(
    desk: Desk, cast: Cast, hand: Hand, settings: Settings, clock: FixedClock
) -> None:
    database = desk.app.extensions["pms.database"]
    post = Post(Tools(settings, database, clock, choose_postbox(settings)))
    hand.opens("/")
    page = hand.page
    # The field has the focus: the address is typed without a tap.
    hand.types(page.locator("[name=email]"), cast.sumida.resident_email)
    hand.presses_on(hand.button("Email me a code"))
    page.wait_for_url("**/sign-in/pin/*")
    page.reload()
    hand.types(page.locator("[name=pin]"), post.digits())
    if hand.is_plain:
        hand.presses_on(hand.button("Sign in"))
    page.wait_for_url(f"**/{cast.sumida.resident_id}")
    expect(page.get_by_text("¥186,000", exact=True)).to_be_visible()
    hand.presses_on(hand.link("View invoice"))
    expect(page.locator("main .total")).to_have_text("Total¥93,000")
    hand.takes_at_most(MOST_TAPS)
