"""The palette begins with what was opened last, so that one person's page is two presses away."""

from playwright.sync_api import expect

from tests.cast import Cast
from tests.journeys.hands import MOUSE, Hand, walked_by

MOST_PRESSES = 2


@walked_by(MOUSE, (MOUSE,))
def test_who_was_looked_at_last_stands_first_in_the_palette_until_sign_out(
    office: Hand, cast: Cast
) -> None:
    office.opens(f"/reservations/{cast.sumida.resident_id}")
    office.opens("/")
    office.presses = 0
    office.presses_on(office.page.locator(".title-search"))
    first = office.page.locator("dialog#drawer .found a").first
    expect(first).to_contain_text("佐藤 花子")
    office.presses_on(first)
    expect(office.page.locator("h1")).to_contain_text("佐藤 花子")
    office.takes_at_most(MOST_PRESSES)
    office.page.context.clear_cookies()
    office.page.goto("/sign-in")
    kept = "() => Object.keys(localStorage).filter((name) => name.startsWith('recent:')).length"
    assert office.page.evaluate(kept) == 0
