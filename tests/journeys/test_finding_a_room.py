"""A room for a date in three presses from Today, and booked in three more, the enquiry's person filled in."""

import re

from playwright.sync_api import expect

from tests.journeys.hands import MOUSE, PLAIN, Hand, walked_by

MOST_PRESSES = 3
NAME = "Aoki Haru"


@walked_by(MOUSE)
def test_a_room_for_a_day_is_found_and_booked(office: Hand) -> None:
    office.opens("/")
    office.presses_on(office.link("Leasing", within="nav"))
    office.presses_on(office.link("Find a room"))
    office.page.locator("[name=moveInDate]").fill("2026-12-16")
    if office.is_plain:
        office.presses_on(office.button("Show"))
    book = office.link("Book: Kawasemi House 102")
    expect(book).to_have_attribute("href", re.compile("moveInDate=2026-12-16"))
    office.takes_at_most(MOST_PRESSES)
    office.presses = 0
    office.presses_on(book)
    expect(office.page.locator("[name=contractEndDate]")).to_have_value("2027-12-15")
    office.types(office.page.locator("#booking [name=name]"), NAME)
    office.presses_on(office.button("Create reservation"))
    expect(office.page.locator("h1")).to_contain_text(NAME)
    office.takes_at_most(MOST_PRESSES)


@walked_by(PLAIN)
def test_an_enquiry_becomes_a_booking_with_nothing_typed_again(office: Hand) -> None:
    office.opens("/enquiries/new")
    office.types(office.page.locator("[name=name]"), NAME)
    office.types(office.page.locator("[name=email]"), "haru@example.jp")
    office.page.locator("[name=moveInDate]").fill("2026-12-16")
    office.page.locator("main form [type=submit]").first.click()
    office.presses = 0
    office.presses_on(office.link("Find a room"))
    office.presses_on(office.link("Book: Kawasemi House 102"))
    expect(office.page.locator("#booking [name=name]")).to_have_value(NAME)
    expect(office.page.locator("#booking [name=moveInDate]")).to_have_value("2026-12-16")
    office.presses_on(office.button("Create reservation"))
    expect(office.page.locator("h1")).to_contain_text(NAME)
    office.takes_at_most(MOST_PRESSES)
